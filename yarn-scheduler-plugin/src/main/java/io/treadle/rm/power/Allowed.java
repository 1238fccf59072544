// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

import java.util.OptionalDouble;

/**
 * What budgets leave to the jobs of one queue now.
 *
 * @param clusterWatts what all nodes may draw, W; empty for no limit
 * @param jobsWatts what the GPUs of the queue's jobs may draw, W; empty for no limit
 * @param joulesLeft what they may use until all of them have ended, J; infinite for no limit
 * @param secondsPerJoule how much sooner a job must end for one joule more, s/J
 */
public record Allowed(
        OptionalDouble clusterWatts, OptionalDouble jobsWatts, double joulesLeft, double secondsPerJoule) {
    /** Everything may be used. */
    public static final Allowed ALL =
            new Allowed(OptionalDouble.empty(), OptionalDouble.empty(), Double.POSITIVE_INFINITY, 0);
}
