// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.model.SensitivityMatrix;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.trace.TraceJob;
import java.util.Comparator;
import java.util.Optional;

/**
 * Jobs as Synergy's artifact has them ({@code workload.add_synergy_profile}): one whose demand is more than a server
 * has, but whose GPUs fit on one, demands the server, and is then as fast as a straight line over CPU says between its
 * share and its demand, whatever its profile says of the points between.
 */
final class SynergyJobs {
    private SynergyJobs() {}

    static TraceJob of(TraceJob job, SimCluster cluster) {
        long gpus = job.gpus();
        Optional<SensitivityMatrix> profile = job.profile();
        NodeView server = cluster.partitions().get(0).nodes().stream()
                .max(Comparator.comparingLong(node -> node.capacity().gpus()))
                .orElseThrow();
        if (profile.isEmpty() || gpus < 2 || gpus > server.capacity().gpus()) {
            return job;
        }
        SensitivityMatrix.Demand demand = profile.get().demand(0);
        ResourceVector share = server.share(1);
        long vcores = Math.min(demand.vcores(), server.capacity().vcores() / gpus);
        long memory = Math.min(demand.memoryMiB(), server.capacity().memoryMiB() / gpus);
        boolean isClipped = vcores < demand.vcores() || memory < demand.memoryMiB();
        if (!isClipped || vcores <= share.vcores()) {
            // On CPUs of its share it is as fast as at its share, as its profile says too.
            return job;
        }
        double best = profile.get().best() / profile.get().at(share.vcores(), share.memoryMiB());
        double speed = 1 + (best - 1) * (vcores - share.vcores()) / (double) (demand.vcores() - share.vcores());
        return job.withProfile(between(share, vcores, memory, speed));
    }

    /** Of speed 1 everywhere but at the demand. */
    private static SensitivityMatrix between(ResourceVector share, long vcores, long memory, double speed) {
        long less = memory > share.memoryMiB() ? share.memoryMiB() : memory - 1;
        return new SensitivityMatrix(
                new long[] {share.vcores(), vcores}, new long[] {less, memory}, new double[][] {{1, 1}, {1, speed}});
    }
}
