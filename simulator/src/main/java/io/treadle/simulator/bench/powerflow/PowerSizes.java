// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.powerflow;

import java.util.List;

/**
 * How much is simulated.
 *
 * @param jobs of each list
 * @param loads jobs that come in a second; the first is the headline's
 * @param phillyNodes nodes of eight GPUs for ElasticFlow's Philly list
 * @param phillyJobs of that list, the first
 * @param planJobs jobs of the plan that is timed
 * @param planNodes nodes of eight GPUs of that plan
 */
public record PowerSizes(
        int jobs, List<Double> loads, List<Integer> phillyNodes, int phillyJobs, int planJobs, int planNodes) {
    public static final PowerSizes USUAL =
            new PowerSizes(300, List.of(.009, .005), List.of(8, 64), Integer.MAX_VALUE, 2000, 512);

    /** A look at all of it in seconds: of its figures none says anything. */
    public static final PowerSizes QUICK = new PowerSizes(30, List.of(.009), List.of(8, 16), 30, 200, 64);

    public PowerSizes {
        loads = List.copyOf(loads);
        phillyNodes = List.copyOf(phillyNodes);
    }
}
