// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm;

import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.function.Executable;

/** What code complains of. */
public final class Thrown {
    private Thrown() {}

    /** The message of the exception of {@code type} that {@code code} must throw. */
    public static String message(Class<? extends Throwable> type, Executable code) {
        return String.valueOf(Assertions.assertThrows(type, code).getMessage());
    }
}
