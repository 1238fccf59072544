// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Scikit-learn as Debian packages it, for the images of digits that it brings. */
public final class DigitsPackage {
    private static final AptPackages.Wanted WANTED =
            new AptPackages.Wanted("scikit-learn", List.of("python3-sklearn"), List.of("sklearn"), 60);

    /** Where the module is depends on the Debian release: it is asked for rather than guessed. */
    private static final String WHERE =
            "import importlib.util; print(importlib.util.find_spec('sklearn.datasets').origin)";

    private DigitsPackage() {}

    /**
     * The file of images, installed if need be.
     *
     * @param log where the package manager's own output goes
     * @throws DemoException if it is missing and cannot be installed
     */
    public static Path ensure(Screen screen, Path log) throws InterruptedException {
        new AptPackages(WANTED, screen, log).ensure();
        return find().orElseThrow(() -> new DemoException("scikit-learn for " + AptPackages.PYTHON
                + " has no datasets/data/digits.csv.gz.\nMaybe reinstall it: " + WANTED.install()));
    }

    /** The file of images; empty where scikit-learn is missing. */
    public static Optional<Path> find() throws InterruptedException {
        if (!Files.isExecutable(Path.of(AptPackages.PYTHON))) {
            return Optional.empty();
        }
        try {
            Process process = new ProcessBuilder(AptPackages.PYTHON, "-c", WHERE)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try (InputStream output = process.getInputStream()) {
                String module = new String(output.readAllBytes(), StandardCharsets.UTF_8).strip();
                return process.waitFor() == 0 && !module.isEmpty()
                        ? Optional.of(Path.of(module).resolveSibling("data").resolve("digits.csv.gz"))
                                .filter(Files::isReadable)
                        : Optional.empty();
            }
        } catch (IOException e) {
            throw new DemoException("'" + AptPackages.PYTHON + "' cannot be run: " + e.getMessage(), e);
        }
    }
}
