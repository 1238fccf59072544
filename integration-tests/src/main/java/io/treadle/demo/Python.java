// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The Python on this machine. */
public final class Python {
    private static final Path DEBIAN = Path.of("/usr/bin/python3");

    private Python() {}

    /**
     * The interpreter itself. A version manager's wrapper on the PATH would use up more CPU time at each start than a
     * demo worker has in seconds.
     *
     * @throws DemoException if there is none
     */
    public static String interpreter() {
        if (Files.isExecutable(DEBIAN)) {
            return DEBIAN.toString();
        }
        try {
            Process process = new ProcessBuilder("python3", "-c", "import sys; print(sys.executable)")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try (InputStream output = process.getInputStream()) {
                String path = new String(output.readAllBytes(), StandardCharsets.UTF_8).strip();
                if (process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0 && !path.isEmpty()) {
                    return path;
                }
            }
        } catch (IOException e) {
            throw new DemoException(missing(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new DemoException(missing());
    }

    private static String missing() {
        return "no python3 on this machine; the demo's workers are written in Python (standard library only).\n"
                + "Maybe install it, on Debian with: apt-get install python3";
    }
}
