// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.runner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Replaces small text files so that a reader sees the old or the new content, never a part. */
final class AtomicFile {
    private AtomicFile() {}

    static void write(Path file, String text) throws IOException {
        Path draft = file.resolveSibling(file.getFileName() + ".tmp");
        Files.writeString(draft, text);
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
