// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.plan;

import java.util.Locale;

/**
 * How near a plan comes to the most that the cluster could do. Both in GPUs at the speed of their proportional share: a job
 * that is twice as fast counts twice its GPUs.
 *
 * @param planned by the jobs of the plan that run
 * @param bound what these jobs could do at most if CPU, memory and storage of all nodes were in one heap, and each could
 *     have a mix of sizes
 */
public record Throughput(double planned, double bound) {
    /** How much of the bound is missed, from 0 to 1. */
    public double gap() {
        return bound == 0 ? 0 : Math.max(0, 1 - planned / bound);
    }

    /** One line with numbers, for a person. */
    public String text() {
        return String.format(
                Locale.ROOT,
                "jobs are as fast as %.1f GPUs at their share; no allocation could make it more than %.1f (%.1f %% off)",
                planned,
                bound,
                100 * gap());
    }
}
