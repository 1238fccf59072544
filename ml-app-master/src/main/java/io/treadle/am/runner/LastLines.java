// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.runner;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The end of a text file, bounded in lines and in bytes. */
final class LastLines {
    private static final int MAX_BYTES = 16 * 1024;
    private static final int MAX_LINE_CHARACTERS = 500;

    private LastLines() {}

    /** The last {@code count} lines after the byte {@code from}; none where the file cannot be read. */
    static List<String> of(Path file, long from, int count) {
        if (!Files.isRegularFile(file)) {
            return List.of();
        }
        try (RandomAccessFile reader = new RandomAccessFile(file.toFile(), "r")) {
            long start = Math.max(from, reader.length() - MAX_BYTES);
            reader.seek(start);
            byte[] bytes = new byte[(int) Math.max(0, reader.length() - start)];
            reader.readFully(bytes);
            List<String> lines = new String(bytes, StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank())
                    .map(line -> line.length() <= MAX_LINE_CHARACTERS ? line : line.substring(0, MAX_LINE_CHARACTERS))
                    .toList();
            return lines.subList(Math.max(0, lines.size() - count), lines.size());
        } catch (IOException e) {
            return List.of();
        }
    }
}
