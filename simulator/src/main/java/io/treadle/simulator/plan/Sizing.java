// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.plan;

import io.treadle.simulator.cluster.ClusterSize;
import io.treadle.simulator.cluster.Partition;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.engine.OfferedLoad;
import io.treadle.simulator.replay.Replay;
import io.treadle.simulator.replay.ReplayRequest;
import io.treadle.simulator.trace.TraceJob;
import io.treadle.simulator.trace.Workload;
import java.util.List;
import java.util.OptionalDouble;

/** The same jobs on clusters of other sizes, or of other capacities of queues. */
interface Sizing {
    /** Tells it from others of the same trace. */
    String name();

    /** @throws io.treadle.simulator.input.InputException if there can be no such cluster, or it could never run a job */
    Workload on(Candidate candidate);

    /**
     * Whole clusters.
     *
     * @param own what was asked for, on the cluster's own number of nodes
     */
    static Sizing ofCluster(Replay own) {
        ReplayRequest request = own.request();
        long gpus = own.workload().cluster().capacity().gpus();
        return new Sizing() {
            @Override
            public String name() {
                return "nodes";
            }

            @Override
            public Workload on(Candidate candidate) {
                Replay sized = request.onNodes(candidate.nodes())
                        .atLoad(OptionalDouble.empty())
                        .read();
                if (request.loadFactor().isEmpty()) {
                    return sized.workload();
                }
                // Jobs come as they do on the cluster's own size: what a larger one has more is not asked for.
                double share =
                        (double) gpus / sized.workload().cluster().capacity().gpus();
                return sized.atLoad(OptionalDouble.of(request.loadFactor().getAsDouble() * share))
                        .workload();
            }
        };
    }

    /** One partition and its jobs: what happens in the others is nothing to it. */
    static Sizing ofPartition(Replay own, Partition partition) {
        SimCluster cluster = own.workload().cluster();
        List<TraceJob> jobs = own.workload().jobs().stream()
                .filter(job -> cluster.partitionOf(job.queue())
                        .filter(partition::equals)
                        .isPresent())
                .toList();
        return new Sizing() {
            @Override
            public String name() {
                return "partition-" + partition.name();
            }

            @Override
            public Workload on(Candidate candidate) {
                SimCluster sized = ClusterSize.ofPartition(cluster, partition, candidate.nodes());
                Workload workload = new Workload(sized, jobs, own.workload().usual());
                // Throws where a job could never run.
                new OfferedLoad(sized, jobs);
                return workload;
            }
        };
    }
}
