// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import io.treadle.core.cluster.Crossing;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.Overheads;
import io.treadle.core.cluster.QueueView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** Nodes for {@link PsJobs} that are all alike and held by nobody else, in which a change of size costs 30 s. */
final class PsPools {
    static final ResourceVector NODE = ResourceVector.of(8, 40, 140_800);

    private PsPools() {}

    /** What choosers see of it: so much, wherever that is. */
    static Pool pool(ResourceVector capacity, double rescaleSeconds, List<JobView> jobs) {
        return new Pool(
                jobs.stream().map(job -> PsJob.of(job, 0)).toList(),
                Set.of(),
                List.of(capacity),
                List.of(capacity),
                "root.ps",
                capacity,
                rescaleSeconds);
    }

    static Snapshot of(int nodes, long nowMs, List<JobView> jobs) {
        return of(NODE, nodes, nowMs, jobs);
    }

    static Snapshot of(ResourceVector node, int nodes, long nowMs, List<JobView> jobs) {
        List<NodeView> views = IntStream.range(0, nodes)
                .mapToObj(i ->
                        new NodeView("n" + i, "rack", node, ResourceVector.ZERO, ResourceVector.ZERO, List.of(), true))
                .toList();
        QueueView queue = new QueueView("root.ps", node.times(nodes), ResourceVector.ZERO);
        return new Snapshot(nowMs, views, queue, jobs, false).with(new Overheads(Crossing.NONE, 30, 30));
    }
}
