// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.simulator.cluster.SimCluster;
import java.util.List;

/**
 * Jobs and the cluster that they come to.
 *
 * @param cluster its nodes in the order in which this experiment prefers them where they are alike
 * @param jobs in order of submission
 * @param usual jobs that stand for what usually comes, for policies that are told so beforehand
 */
public record Workload(SimCluster cluster, List<TraceJob> jobs, List<TraceJob> usual) {
    public Workload {
        jobs = List.copyOf(jobs);
        usual = List.copyOf(usual);
    }

    /** Where the jobs stand for themselves. */
    public Workload(SimCluster cluster, List<TraceJob> jobs) {
        this(cluster, jobs, jobs);
    }

    /** The same cluster with other jobs, such as these at other times. */
    public Workload withJobs(List<TraceJob> others) {
        return new Workload(cluster, others, usual);
    }
}
