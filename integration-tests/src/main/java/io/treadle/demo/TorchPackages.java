// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import java.nio.file.Path;
import java.util.List;

/** PyTorch and scikit-learn as Debian packages them; only {@code /usr/bin/python3} sees those. */
public final class TorchPackages {
    public static final String PYTHON = AptPackages.PYTHON;

    private static final AptPackages.Wanted WANTED = new AptPackages.Wanted(
            "PyTorch and scikit-learn", List.of("python3-torch", "python3-sklearn"), List.of("torch", "sklearn"), 150);

    private final AptPackages packages;

    /** @param log where the package manager's own output goes */
    public TorchPackages(Screen screen, Path log) {
        packages = new AptPackages(WANTED, screen, log);
    }

    /** @throws DemoException if they are missing and cannot be installed */
    public void ensure() throws InterruptedException {
        packages.ensure();
    }
}
