// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.generate;

import io.treadle.simulator.input.InputException;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.GZIPOutputStream;

/** Writes a text file, packed where its name ends in {@code .gz}, that is there whole or not at all. */
final class WholeFile {
    private static final int BUFFER = 1 << 16;

    private WholeFile() {}

    /** What goes into the file. */
    interface Content {
        void write(Writer out) throws IOException;
    }

    /** @throws InputException if it cannot be written; nothing is left then */
    static void write(Path file, Content content) {
        Path name = file.getFileName();
        Path parent = file.toAbsolutePath().getParent();
        if (name == null || parent == null || Files.isDirectory(file)) {
            throw new InputException("--out " + file + " is a directory, must be a file such as trace.csv.gz.");
        }
        if (!Files.isDirectory(parent)) {
            throw new InputException("--out " + file + " cannot be written: there is no directory " + parent + ".");
        }
        Path draft = parent.resolve("." + name + ".new");
        try {
            try (Writer out = open(draft, name.toString().endsWith(".gz"))) {
                content.write(out);
            }
            Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new InputException("--out " + file + " cannot be written: " + e.getMessage() + ".", e);
        } finally {
            try {
                Files.deleteIfExists(draft);
            } catch (IOException e) {
                // The draft is hidden and the next run writes over it.
            }
        }
    }

    private static Writer open(Path draft, boolean packed) throws IOException {
        OutputStream bytes = Files.newOutputStream(draft);
        return new BufferedWriter(
                new OutputStreamWriter(packed ? new GZIPOutputStream(bytes, BUFFER) : bytes, StandardCharsets.UTF_8),
                BUFFER);
    }
}
