// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.files;

import io.treadle.simulator.input.InputException;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;

/** The text file that {@code --out} names, packed where its name ends in {@code .gz}. */
public final class OutFile {
    private static final int BUFFER = 1 << 16;

    private OutFile() {}

    /** What goes into the file. */
    public interface Content {
        void write(Writer out) throws IOException;
    }

    /** @throws InputException if it cannot be written; nothing is left then */
    public static void write(Path file, Content content) {
        Path name = file.getFileName();
        Path parent = file.toAbsolutePath().getParent();
        if (name == null || parent == null || Files.isDirectory(file)) {
            throw new InputException("--out " + file + " is a directory, must be a file such as trace.csv.gz.");
        }
        if (!Files.isDirectory(parent)) {
            throw new InputException("--out " + file + " cannot be written: there is no directory " + parent + ".");
        }
        try {
            WholeFile.write(file, bytes -> {
                try (Writer out = open(bytes, name.toString().endsWith(".gz"))) {
                    content.write(out);
                }
            });
        } catch (IOException e) {
            throw new InputException("--out " + file + " cannot be written: " + e.getMessage() + ".", e);
        }
    }

    private static Writer open(OutputStream bytes, boolean packed) throws IOException {
        return new BufferedWriter(
                new OutputStreamWriter(packed ? new GZIPOutputStream(bytes, BUFFER) : bytes, StandardCharsets.UTF_8),
                BUFFER);
    }
}
