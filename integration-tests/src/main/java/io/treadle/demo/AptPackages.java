// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Python packages as Debian has them; only {@code /usr/bin/python3} sees those. */
final class AptPackages {
    static final String PYTHON = "/usr/bin/python3";

    private static final Path APT = Path.of("/usr/bin/apt-get");
    private static final int TELL_SECONDS = 10;

    /**
     * What is wanted.
     *
     * @param inWords what messages call it
     * @param packages Debian's names
     * @param imports modules that Python then has
     * @param megaBytes to be fetched, about, MB
     */
    record Wanted(String inWords, List<String> packages, List<String> imports, int megaBytes) {
        Wanted {
            packages = List.copyOf(packages);
            imports = List.copyOf(imports);
        }

        String install() {
            return "apt-get install --no-install-recommends " + String.join(" ", packages);
        }
    }

    private final Wanted wanted;
    private final Screen screen;
    private final Path log;

    /** @param log where the package manager's own output goes */
    AptPackages(Wanted wanted, Screen screen, Path log) {
        this.wanted = wanted;
        this.screen = screen;
        this.log = log;
    }

    /** @throws DemoException if they are missing and cannot be installed */
    void ensure() throws InterruptedException {
        if (present()) {
            return;
        }
        if (!Files.isExecutable(APT) || !System.getProperty("user.name").equals("root")) {
            throw new DemoException(wanted.inWords() + (wanted.packages().size() == 1 ? " is" : " are")
                    + " missing for " + PYTHON + "; installing takes root on Debian.\nMaybe: sudo "
                    + wanted.install());
        }
        screen.line(" installing " + String.join(" and ", wanted.packages()) + " with apt-get (about "
                + wanted.megaBytes() + " MB) …");
        List<String> install = new ArrayList<>(List.of(APT.toString(), "install", "-y", "--no-install-recommends"));
        install.addAll(wanted.packages());
        if (run(install) != 0) {
            // Package lists of a fresh image are empty or old.
            run(List.of(APT.toString(), "update"));
            run(install);
        }
        if (!present()) {
            throw new DemoException("'" + wanted.install() + "' did not bring " + wanted.inWords()
                    + "; what it said is in " + log + ".\nMaybe run it by hand.");
        }
    }

    private boolean present() throws InterruptedException {
        return Files.isExecutable(Path.of(PYTHON))
                && run(List.of(PYTHON, "-c", "import " + String.join(", ", wanted.imports()))) == 0;
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
