// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.power;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Which start of the machine this is: power limits do not outlive it. */
public final class BootId {
    private static final Path FILE = Path.of("/proc/sys/kernel/random/boot_id");

    private BootId() {}

    /** A text that is the same until the machine starts anew; {@code unknown} where the kernel does not tell. */
    public static String current() {
        try {
            return Files.readString(FILE).strip();
        } catch (IOException e) {
            return "unknown";
        }
    }
}
