// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.power;

import java.io.IOException;
import java.nio.file.Path;

/** A process that holds the lock of GPU A in the directory that is its argument until its input ends. */
final class LockHolder {
    private LockHolder() {}

    public static void main(String[] arguments) throws IOException {
        GpuLocks locks = new GpuLocks(Path.of(arguments[0]), "the other process", "boot-1");
        System.out.println(locks.hold("A") ? "holds" : locks.refusal("A"));
        while (System.in.read() >= 0) {
            // Until whoever started it hangs up.
        }
    }
}
