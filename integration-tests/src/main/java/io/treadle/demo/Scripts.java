// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Worker scripts that travel in our jar. */
public final class Scripts {
    private Scripts() {}

    /** Copies {@code demo/<name>} into {@code directory}. */
    public static Path extract(String name, Path directory) {
        try (InputStream script = Scripts.class.getResourceAsStream("/demo/" + name)) {
            if (script == null) {
                throw new DemoException("worker script demo/" + name + " is missing from the class path");
            }
            Path copy = directory.resolve(name);
            Files.createDirectories(directory);
            Files.copy(script, copy, StandardCopyOption.REPLACE_EXISTING);
            return copy;
        } catch (IOException e) {
            throw new DemoException("worker script " + name + " cannot be written to " + directory, e);
        }
    }
}
