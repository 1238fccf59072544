// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.simulator.cluster.SimCluster;
import java.util.List;

/**
 * Jobs and the cluster that they come to.
 *
 * @param cluster its nodes in the order in which this experiment prefers them where they are alike
 * @param jobs in order of submission
 */
public record Workload(SimCluster cluster, List<TraceJob> jobs) {
    /** The seed of an experiment for which none was chosen: the first that FGD's authors published. */
    public static final long DEFAULT_SEED = 42;

    public Workload {
        jobs = List.copyOf(jobs);
    }
}
