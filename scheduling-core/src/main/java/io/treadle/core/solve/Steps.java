// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.solve;

/** Work that may still be done, so that a limit on it gives the same answer on every machine. One is about a nanosecond. */
final class Steps {
    private long left;

    Steps(long left) {
        this.left = left;
    }

    boolean take(long count) {
        left -= count;
        return left > 0;
    }

    boolean areLeft() {
        return left > 0;
    }
}
