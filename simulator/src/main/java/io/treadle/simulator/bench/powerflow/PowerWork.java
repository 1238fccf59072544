// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.powerflow;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.cluster.Partition;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.energy.ClusterPower;
import io.treadle.simulator.trace.TraceJob;
import java.util.ArrayList;
import java.util.List;

/**
 * Jobs on a cluster.
 *
 * @param name short, as rows of files have it
 * @param words behind a policy's name in {@code summary.json}; empty for the headline
 * @param heading in words
 * @param seeds from which it is drawn
 * @param everyPoint of each rival's knob every so many points are run, and the last
 */
record PowerWork(
        String name,
        String words,
        String heading,
        SimCluster cluster,
        List<Long> seeds,
        Source source,
        int everyPoint) {
    private static final int GPUS_OF_NODE = 8;

    /** Draws jobs. */
    interface Source {
        /** @param noise of what policies are told of them, as {@link DrawnJobs} has it */
        List<TraceJob> jobs(long seed, double noise);
    }

    PowerWork {
        seeds = List.copyOf(seeds);
    }

    /**
     * Our own draws on 64 GPUs.
     *
     * @param perSecond jobs that come in a second
     */
    static PowerWork drawn(double perSecond, boolean isHeadline, int jobs, List<Long> seeds) {
        return new PowerWork(
                perSecond + "/s",
                isHeadline ? "" : " at " + perSecond + "/s",
                perSecond + " jobs a second",
                cluster(GPUS_OF_NODE),
                seeds,
                (seed, noise) -> DrawnJobs.draw(seed, jobs, perSecond, ClusterPower.A100, noise),
                1);
    }

    /** So many nodes of eight A100s. */
    static SimCluster cluster(int nodes) {
        List<NodeView> views = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            views.add(new NodeView(
                    "node-" + i,
                    "rack",
                    ResourceVector.of(GPUS_OF_NODE, 0, 0),
                    ResourceVector.ZERO,
                    ResourceVector.ZERO,
                    List.of(),
                    true));
        }
        return new SimCluster(
                        nodes + " nodes of " + GPUS_OF_NODE + " GPUs",
                        List.of(new Partition("", views)),
                        SimCluster.Sharing.NOTHING)
                .with(ClusterPower.A100);
    }
}
