// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

/** Known answers of published simulators, which lie beside the checkout and are not part of it. */
public final class Reference {
    private Reference() {}

    /** Skips the test where the file is not there. */
    public static Path file(String name) {
        Path file = Path.of(System.getProperty("treadle.checkout", ".."))
                .resolve("../shared/data")
                .resolve(name);
        assumeTrue(Files.exists(file), () -> "the reference vectors are not beside this checkout: " + file);
        return file;
    }
}
