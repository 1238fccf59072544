// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** PyTorch and scikit-learn as Debian packages them; only {@code /usr/bin/python3} sees those. */
public final class TorchPackages {
    public static final String PYTHON = "/usr/bin/python3";

    private static final Path APT = Path.of("/usr/bin/apt-get");
    private static final List<String> NAMES = List.of("python3-torch", "python3-sklearn");
    private static final String INSTALL = "apt-get install --no-install-recommends " + String.join(" ", NAMES);
    private static final int TELL_SECONDS = 10;

    private final Screen screen;
    private final Path log;

    /** @param log where the package manager's own output goes */
    public TorchPackages(Screen screen, Path log) {
        this.screen = screen;
        this.log = log;
    }

    /** @throws DemoException if they are missing and cannot be installed */
    public void ensure() throws InterruptedException {
        if (present()) {
            return;
        }
        if (!Files.isExecutable(APT) || !System.getProperty("user.name").equals("root")) {
            throw new DemoException("PyTorch and scikit-learn are missing for " + PYTHON
                    + "; installing them takes root on Debian.\nMaybe: sudo " + INSTALL);
        }
        screen.line(" installing " + String.join(" and ", NAMES) + " with apt-get (about 150 MB) …");
        if (run(List.of(APT.toString(), "install", "-y", "--no-install-recommends", NAMES.get(0), NAMES.get(1))) != 0) {
            // Package lists of a fresh image are empty or old.
            run(List.of(APT.toString(), "update"));
            run(List.of(APT.toString(), "install", "-y", "--no-install-recommends", NAMES.get(0), NAMES.get(1)));
        }
        if (!present()) {
            throw new DemoException(
                    "'" + INSTALL + "' did not bring PyTorch; what it said is in " + log + ".\nMaybe run it by hand.");
        }
    }

    private boolean present() throws InterruptedException {
        return Files.isExecutable(Path.of(PYTHON)) && run(List.of(PYTHON, "-c", "import torch, sklearn")) == 0;
    }

    private int run(List<String> command) throws InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().put("DEBIAN_FRONTEND", "noninteractive");
        try {
            Process process = builder.start();
            for (int seconds = TELL_SECONDS;
                    !process.waitFor(TELL_SECONDS, TimeUnit.SECONDS);
                    seconds += TELL_SECONDS) {
                screen.line("  … " + seconds + " s");
            }
            return process.exitValue();
        } catch (IOException e) {
            throw new DemoException("'" + command.get(0) + "' cannot be run: " + e.getMessage(), e);
        }
    }
}
