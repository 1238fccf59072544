// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.queries;

import io.treadle.demo.DemoException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that must be written. */
final class TextFile {
    private TextFile() {}

    static Path write(Path file, String text) {
        try {
            return Files.writeString(file, text);
        } catch (IOException e) {
            throw new DemoException(file + " cannot be written: " + e.getMessage(), e);
        }
    }
}
