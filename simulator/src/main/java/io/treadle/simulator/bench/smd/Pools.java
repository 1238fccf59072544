// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.smd;

import io.treadle.core.cluster.Crossing;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.Overheads;
import io.treadle.core.cluster.QueueView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.Progress;
import io.treadle.core.job.RunningTask;
import io.treadle.core.placement.Auto;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.Plan;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.policy.Policy;
import io.treadle.core.policy.smd.SmdPolicies;
import io.treadle.core.policy.smd.SmdRules;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.cluster.Partition;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.trace.TraceJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Nodes, and jobs that wait for them. */
final class Pools {
    /** What a job loses by another size, s. */
    static final double RESCALE_SECONDS = 30;

    private static final long MIB_A_GIB = 1024;
    /** An eighth of 64 GPUs, 320 vcores and 1,100 GB. */
    static final ResourceVector NODE = ResourceVector.of(8, 40, 1100 * MIB_A_GIB / 8);

    /** All there is goes out by size, and nothing beside it: for comparisons with known answers. */
    private static final SmdRules EXACT_RULES = new SmdRules(
            SmdRules.DEFAULT.epsilon(),
            SmdRules.DEFAULT.trimDelta(),
            SmdRules.DEFAULT.guesses(),
            SmdRules.DEFAULT.steps(),
            1,
            0,
            SmdRules.DEFAULT.maxWaitSeconds(),
            false,
            SmdRules.DEFAULT.intervalMs());

    private Pools() {}

    static SimCluster cluster(int nodes) {
        return new SimCluster(
                nodes + " nodes of " + NODE.describe(),
                List.of(new Partition("", nodes(nodes, NODE))),
                SimCluster.Sharing.NOTHING);
    }

    private static List<NodeView> nodes(int count, ResourceVector each) {
        List<NodeView> views = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            views.add(
                    new NodeView("node-" + i, "rack", each, ResourceVector.ZERO, ResourceVector.ZERO, List.of(), true));
        }
        return views;
    }

    /** Jobs that wait. */
    static Snapshot waiting(int nodes, ResourceVector each, long nowMs, List<TraceJob> jobs) {
        return new Snapshot(
                        nowMs,
                        nodes(nodes, each),
                        new QueueView("root.ps", each.times(nodes), ResourceVector.ZERO),
                        jobs.stream().map(Pools::view).toList(),
                        false)
                .with(new Overheads(Crossing.NONE, RESCALE_SECONDS, RESCALE_SECONDS));
    }

    private static JobView view(TraceJob job) {
        return new JobView(
                        job.id(),
                        job.submitMs(),
                        job.groups(),
                        List.of(),
                        Optional.empty(),
                        false,
                        new Progress(0, job.work().samples(), job.work().secondsPerSample(), 0),
                        Set.of())
                .withSizing(job.sizing());
    }

    /** The same when those that were to start run. */
    static Snapshot carriedOut(Snapshot snapshot, Plan plan, long nowMs) {
        return snapshot.at(
                nowMs,
                snapshot.jobs().stream()
                        .map(job -> plan.of(job.id())
                                .map(decision -> job.withTasks(started(decision)))
                                .orElse(job))
                        .toList());
    }

    private static List<RunningTask> started(Decision decision) {
        List<RunningTask> tasks = new ArrayList<>();
        if (decision instanceof Decision.Run run) {
            for (TaskPlacement task : run.tasks()) {
                tasks.add(new RunningTask(
                        run.jobId() + "#" + tasks.size(), task.group(), task.nodeId(), task.size(), task.devices()));
            }
        }
        return tasks;
    }

    /** The policy of this name where nothing is kept back. */
    static Policy exactly(String name) {
        return Objects.requireNonNull(SmdPolicies.all(EXACT_RULES).get(name)).apply(new Auto());
    }
}
