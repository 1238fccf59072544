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
 * share and its demand, whatever its profile says of the points between. One of more GPUs than a server has demands its
 * share where its demand would be more than a server, and is then no faster than at it.
 */
final class SynergyJobs {
    private SynergyJobs() {}

    static TraceJob of(TraceJob job, SimCluster cluster) {
        long gpus = job.gpus();
        Optional<SensitivityMatrix> profile = job.profile();
        NodeView server = cluster.partitions().get(0).nodes().stream()
                .max(Comparator.comparingLong(node -> node.capacity().gpus()))
                .orElseThrow();
        if (profile.isEmpty() || gpus < 2 || job.work().sensitivity().isPresent()) {
            return job;
        }
        SensitivityMatrix.Demand demand = profile.get().demand(0);
        ResourceVector room = server.capacity();
        ResourceVector share = server.share(1);
        boolean fits = gpus <= room.gpus();
        long vcores = clipped(demand.vcores(), gpus, room.vcores(), fits ? room.vcores() / gpus : share.vcores());
        long memory =
                clipped(demand.memoryMiB(), gpus, room.memoryMiB(), fits ? room.memoryMiB() / gpus : share.memoryMiB());
        if (vcores == demand.vcores() && memory == demand.memoryMiB()) {
            return job;
        }
        double best = profile.get().best() / profile.get().at(share.vcores(), share.memoryMiB());
        double beyond = demand.vcores() - share.vcores();
        double speed = fits && beyond > 0 ? 1 + (best - 1) * (vcores - share.vcores()) / beyond : 1;
        return job.withProfile(between(share, vcores, memory, speed));
    }

    /** @param most what a job gets for each GPU that wants more than a server has */
    private static long clipped(long demand, long gpus, long serverHas, long most) {
        return demand * gpus <= serverHas ? demand : most;
    }

    /** Of speed 1 at the share, and of that speed at the demand. */
    private static SensitivityMatrix between(ResourceVector share, long vcores, long memory, double speed) {
        boolean isBeyond = memory > share.memoryMiB();
        long less = isBeyond ? share.memoryMiB() : memory - 1;
        // Below the demand there must be less than at it, or that would be the demand.
        double[] atShare = {isBeyond ? 1 : .1, 1};
        return vcores == share.vcores()
                ? new SensitivityMatrix(new long[] {vcores}, new long[] {less, memory}, new double[][] {atShare})
                : new SensitivityMatrix(new long[] {share.vcores(), vcores}, new long[] {less, memory}, new double[][] {
                    atShare, {atShare[0], speed}
                });
    }
}
