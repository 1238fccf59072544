// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.job.JobView;
import io.treadle.core.job.RunningTask;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.profile.ProfilingTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Keeps for jobs that are measured the vcores that they have given back meanwhile. They ask for them again to be measured
 * with more, or are given them when they are measured: a neighbour that grew into them would shrink again seconds later.
 * Shares come first: nothing beyond that of the measured job is kept while a gang waits to start, or a task lacks some of
 * its own.
 */
final class MeasuredRoom {
    private final RoundTasks tasksOf;
    private final ProfilingTime measured;

    MeasuredRoom(RoundTasks tasksOf, ProfilingTime measured) {
        this.tasksOf = tasksOf;
        this.measured = measured;
    }

    /**
     * The nodes, with what is kept taken for what a task of another queue holds: nobody has it, and nobody's share
     * changes.
     *
     * @param jobs those of the snapshot
     * @param gangs of the snapshot's queue; rounds keep their shares for those that are measured
     * @param others of other queues on these nodes
     */
    List<NodeView> keep(List<NodeView> nodes, List<JobView> jobs, List<Gang> gangs, List<Gang> others) {
        if (Stream.concat(gangs.stream(), others.stream())
                .noneMatch(gang -> measured.isMeasured(gang.id().toString(), false))) {
            return nodes;
        }
        boolean someWait = Stream.concat(gangs.stream(), others.stream()).anyMatch(this::waits);
        Map<String, NodeView> byId = new HashMap<>();
        nodes.forEach(node -> byId.put(node.id(), node));
        Map<String, Long> givenBack = new HashMap<>();
        gangs.forEach(gang -> add(gang, true, someWait, byId, givenBack));
        others.forEach(gang -> add(gang, false, someWait, byId, givenBack));
        if (givenBack.isEmpty()) {
            return nodes;
        }
        Map<String, Long> due = due(jobs, byId);
        return nodes.stream()
                .map(node -> {
                    long room = node.available().vcores() - node.keptFree().vcores() - due.getOrDefault(node.id(), 0L);
                    long kept = Math.min(givenBack.getOrDefault(node.id(), 0L), room);
                    return kept > 0 ? node.withOthersTask(ResourceVector.of(0, kept, 0)) : node;
                })
                .toList();
    }

    /**
     * Whether it has yet to start. The last round may have seen it without tasks that it has: while a container changes its
     * size Hadoop lists it now under one id, now under another.
     */
    private boolean waits(Gang gang) {
        if (gang.state() != Gang.State.WAITING) {
            return false;
        }
        List<GangSpec.Group> groups = gang.spec().groups();
        LiveTasks live = tasksOf.of(gang).orElse(null);
        return live == null
                || IntStream.range(0, groups.size())
                        .anyMatch(
                                group -> live.running(group) < groups.get(group).min());
    }

    /** @param isPlanned whether the snapshot's policy plans it, and so keeps its share for it */
    private void add(
            Gang gang, boolean isPlanned, boolean someWait, Map<String, NodeView> nodes, Map<String, Long> givenBack) {
        String id = gang.id().toString();
        if (!measured.isMeasured(id, false)) {
            return;
        }
        List<LiveTasks.Task> tasks = tasksOf.of(gang).map(LiveTasks::tasks).orElse(List.of());
        if (tasks.isEmpty() || !measured.isMeasured(id, true)) {
            return;
        }
        for (LiveTasks.Task task : tasks) {
            long vcores = task.size().vcores();
            long most = measured.mostHeld(id, task.container().getContainerId().toString(), vcores);
            NodeView node = nodes.get(task.container().getAllocatedNode().toString());
            if (node != null) {
                long share = share(node, gang.spec().groups().get(task.group()).resources());
                long charged = isPlanned ? Math.max(vcores, share) : vcores;
                long kept = (someWait ? Math.min(most, share) : most) - charged;
                if (kept > 0) {
                    givenBack.merge(node.id(), kept, Long::sum);
                }
            }
        }
    }

    /** By node, the vcores that tasks hold, or that they are due by their shares. */
    private static Map<String, Long> due(List<JobView> jobs, Map<String, NodeView> nodes) {
        Map<String, Long> due = new HashMap<>();
        for (JobView job : jobs) {
            long useful =
                    job.profile().map(profile -> profile.demand(0).vcores()).orElse(Long.MAX_VALUE);
            for (RunningTask task : job.tasks()) {
                NodeView node = nodes.get(task.nodeId());
                if (node != null) {
                    long share = share(node, job.group(task.group()).ask());
                    due.merge(node.id(), Math.max(task.size().vcores(), Math.min(share, useful)), Long::sum);
                }
            }
        }
        return due;
    }

    private static long share(NodeView node, ResourceVector ask) {
        return Math.max(ask.vcores(), node.share(ask.gpus()).vcores());
    }
}
