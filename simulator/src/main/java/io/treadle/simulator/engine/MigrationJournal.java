// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.simulator.cluster.Partition;
import io.treadle.simulator.cluster.SimCluster;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Follows moves of running jobs: what each cost, and whether another job owes its start to it. */
public final class MigrationJournal implements Journal {
    private static final class Node {
        private final long gpus;
        private final List<String> partition;
        private long held;
        /** Moves of jobs that would still be here. */
        private final List<Migration> left = new ArrayList<>();

        Node(long gpus, List<String> partition) {
            this.gpus = gpus;
            this.partition = partition;
        }
    }

    private final Map<String, Node> nodes = new HashMap<>();
    private final Map<JobRun, Map<String, Long>> held = new HashMap<>();
    private final List<Migration> migrations = new ArrayList<>();

    public MigrationJournal(SimCluster cluster) {
        for (Partition partition : cluster.partitions()) {
            List<String> names = partition.nodes().stream().map(NodeView::id).toList();
            partition
                    .nodes()
                    .forEach(node ->
                            nodes.put(node.id(), new Node(node.capacity().gpus(), names)));
        }
    }

    /** In the order in which they were. */
    public List<Migration> migrations() {
        return List.copyOf(migrations);
    }

    @Override
    public void started(JobRun job, long nowMs, List<TaskPlacement> tasks) {
        Map<String, Long> needed = gpusByNode(tasks);
        needed.forEach((name, gpus) -> {
            List<Migration> left = node(name).left;
            left.removeIf(move -> move.wouldEndMs() <= nowMs);
            for (Migration move : left) {
                if (gpus > 0 && move.letStart().isEmpty() && !wouldFit(name, gpus, needed.keySet(), move)) {
                    move.let(job, nowMs);
                }
            }
        });
        take(job, needed);
    }

    /** Whether one of the nodes had room for so many GPUs if the move had not been. */
    private boolean wouldFit(String name, long gpus, Collection<String> own, Migration move) {
        Map<String, Long> now = held.getOrDefault(move.job(), Map.of());
        return node(name).partition.stream()
                .filter(other -> other.equals(name) || !own.contains(other))
                .anyMatch(other -> {
                    Node node = node(other);
                    return node.gpus - node.held - move.gpusFrom(other) + now.getOrDefault(other, 0L) >= gpus;
                });
    }

    @Override
    public void moved(JobRun job, long nowMs, List<TaskPlacement> tasks) {
        Map<String, Long> from = giveBack(job);
        Map<String, Long> to = gpusByNode(tasks);
        take(job, to);
        long emptied =
                from.keySet().stream().filter(name -> node(name).held == 0).count();
        Migration move = new Migration(
                job, nowMs, from, to.keySet(), emptied, job.lastMoveSeconds() * job.gpus(), job.lastMoveWouldEndMs());
        migrations.add(move);
        from.keySet().forEach(name -> node(name).left.add(move));
    }

    @Override
    public void stopped(JobRun job, long nowMs) {
        forget(job);
    }

    @Override
    public void returned(JobRun job, long nowMs) {
        forget(job);
    }

    @Override
    public void ended(JobRun job, long nowMs) {
        forget(job);
    }

    /** Where it would be by now if it had not moved, nobody can say. */
    private void forget(JobRun job) {
        giveBack(job);
        if (job.migrations() > 0) {
            nodes.values().forEach(node -> node.left.removeIf(move -> move.job() == job));
        }
    }

    private void take(JobRun job, Map<String, Long> gpus) {
        held.put(job, gpus);
        gpus.forEach((name, count) -> node(name).held += count);
    }

    private Map<String, Long> giveBack(JobRun job) {
        Map<String, Long> gpus = Objects.requireNonNullElse(held.remove(job), Map.<String, Long>of());
        gpus.forEach((name, count) -> node(name).held -= count);
        return gpus;
    }

    private Node node(String name) {
        return Objects.requireNonNull(nodes.get(name));
    }

    private static Map<String, Long> gpusByNode(List<TaskPlacement> tasks) {
        Map<String, Long> gpus = new LinkedHashMap<>();
        tasks.forEach(task -> gpus.merge(task.nodeId(), task.size().gpus(), Long::sum));
        return gpus;
    }
}
