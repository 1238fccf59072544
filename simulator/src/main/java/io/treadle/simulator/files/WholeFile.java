// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.files;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A file that is written beside its place and moved there when it is whole. */
public final class WholeFile {
    private static final int BUFFER = 1 << 16;

    private WholeFile() {}

    /** What goes into the file. */
    public interface Content {
        void write(OutputStream out) throws IOException;
    }

    /** @throws IOException if it cannot be written; what was there stands then */
    public static void write(Path file, Content content) throws IOException {
        Path draft = file.resolveSibling("." + file.getFileName() + ".new");
        try {
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(draft), BUFFER)) {
                content.write(out);
            }
            Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(draft);
        }
    }
}
