// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * When a job really ran, where the trace knows it.
 *
 * @param startMs its first start, ms since the trace's zero
 * @param endMs its last end, ms since the trace's zero
 */
public record History(long startMs, long endMs) {
    /** Empty where one of them is not known or they contradict each other. */
    static Optional<History> of(OptionalLong startMs, OptionalLong endMs) {
        return startMs.isPresent() && endMs.isPresent() && startMs.getAsLong() <= endMs.getAsLong()
                ? Optional.of(new History(startMs.getAsLong(), endMs.getAsLong()))
                : Optional.empty();
    }

    /** How long it took, s. */
    double seconds() {
        return (endMs - startMs) / 1000.0;
    }

    History earlier(long ms) {
        return new History(startMs - ms, endMs - ms);
    }
}
