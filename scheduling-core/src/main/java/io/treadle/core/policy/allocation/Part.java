// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import java.util.Locale;

/** What {@link SynergyBalanced} adds to the published rule, each to be left out to see what it is worth. */
public enum Part {
    /** Of the first few in line, the one that fits best goes first. */
    NEAR_LINE,
    /** What is left goes step by step where it helps most; without, in order, all that a job can use or nothing. */
    MARGINAL_GAINS,
    /** Sizes between the measured points; without, leftovers that take nobody to the next point stay idle. */
    BETWEEN_POINTS,
    /** A gang goes on several nodes where it is faster so; without, only where no node takes it. */
    SPREAD,
    /** A job keeps what it has unless another gains clearly more from it. */
    HYSTERESIS;

    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
