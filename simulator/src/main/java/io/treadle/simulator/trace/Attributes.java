// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the owner of a job wants of it, and how it ended, as the trace says.
 *
 * @param priority jobs of higher priority are served first; 0 where nobody gave one
 * @param deadlineMs how long after its submission it is to have ended, ms
 * @param state how it ended
 */
public record Attributes(int priority, OptionalLong deadlineMs, Optional<EndState> state) {
    /** Of a job of which nothing is said. */
    public static final Attributes NONE = new Attributes(0, OptionalLong.empty(), Optional.empty());

    static final int MOST_PRIORITY = 1_000_000_000;

    static Attributes ended(Optional<EndState> state) {
        return state.isEmpty() ? NONE : new Attributes(0, OptionalLong.empty(), state);
    }

    static Attributes ofPriority(int priority) {
        return NONE.withPriority(priority);
    }

    public Attributes withPriority(int other) {
        return priority == other ? this : new Attributes(other, deadlineMs, state);
    }
}
