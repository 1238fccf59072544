// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import java.nio.file.Path;

/** The root of the checkout that is tested. */
final class Checkout {
    private Checkout() {}

    static Path root() {
        return Path.of(System.getProperty("treadle.checkout", ".."))
                .toAbsolutePath()
                .normalize();
    }
}
