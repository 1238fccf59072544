// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** What the demo writes to: a terminal with its width, or something else. */
public final class Terminal {
    private static final int USUAL_WIDTH = 100;

    private Terminal() {}

    // Only from JDK 22 on does a console exist without a terminal; this runs on JDK 17, as Hadoop does.
    @SuppressWarnings("SystemConsoleNull")
    public static Screen screen(PrintStream out, double expectedSeconds) {
        return System.console() == null
                ? new PlainScreen(out)
                : new TerminalScreen(out, new LiveTable(width(), expectedSeconds));
    }

    /** Columns, as {@code stty} tells them. */
    private static int width() {
        try {
            Process process = new ProcessBuilder("stty", "size")
                    .redirectInput(new File("/dev/tty"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try (InputStream output = process.getInputStream()) {
                String[] size = new String(output.readAllBytes(), StandardCharsets.UTF_8)
                        .strip()
                        .split(" ");
                if (process.waitFor(2, TimeUnit.SECONDS) && size.length == 2 && size[1].matches("[1-9][0-9]{1,3}")) {
                    return Integer.parseInt(size[1]);
                }
            }
        } catch (IOException e) {
            return USUAL_WIDTH;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return USUAL_WIDTH;
    }
}
