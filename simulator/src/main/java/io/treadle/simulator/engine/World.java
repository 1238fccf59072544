// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.QueueView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.policy.Session;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.cluster.Partition;
import io.treadle.simulator.cluster.SimCluster;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/** One partition with its policy at work. */
final class World {
    private final Session session;
    private final Map<String, NodeView> nodes = new HashMap<>();
    private final Map<String, JobRun> jobs = new LinkedHashMap<>();
    /** Most jobs end on one node: those of one node share its list. */
    private final Map<String, List<String>> alone = new HashMap<>();
    /** Whether something came or went since the last decision. */
    private boolean changed;

    private long wakesMs = Session.NEVER;
    /** Of what all nodes may draw, that which these may. */
    private final double partOfPeak;

    /** @param open sets a policy, or some, to work on the nodes */
    World(Partition partition, SimCluster cluster, Costs costs, Function<Snapshot, Session> open) {
        ResourceVector all = partition.capacity();
        QueueView queue = new QueueView(partition.name(), all, ResourceVector.ZERO);
        Snapshot start =
                switch (cluster.sharing()) {
                    // No task may hold anything beyond its ask, and an ask stands all the same.
                    case NOTHING -> new Snapshot(0, partition.nodes(), queue, List.of(), ResourceVector.ZERO, false);
                    case CPU_AND_MEMORY -> new Snapshot(0, partition.nodes(), queue, List.of(), true);
                };
        Snapshot told =
                start.withSharedStorage(cluster.sharedStorage(partition)).with(costs.overheads());
        session =
                open.apply(cluster.power().map(power -> told.with(power.view())).orElse(told));
        partition.nodes().forEach(node -> nodes.put(node.id(), node));
        partOfPeak = cluster.power()
                .map(power -> power.peakWatts(partition.nodes().size(), all.gpus())
                        / power.peakWatts(cluster.nodes(), cluster.capacity().gpus()))
                .orElse(1.0);
    }

    /** What its nodes draw at most of what all do, 0 to 1. */
    double partOfPeak() {
        return partOfPeak;
    }

    Session session() {
        return session;
    }

    NodeView node(String id) {
        return Objects.requireNonNull(nodes.get(id));
    }

    /** How many racks these tasks are on. */
    long racks(List<TaskPlacement> tasks) {
        return tasks.size() == 1
                ? 1
                : tasks.stream()
                        .map(task -> node(task.nodeId()).rack())
                        .distinct()
                        .count();
    }

    static long nodes(List<TaskPlacement> tasks) {
        return tasks.stream().map(TaskPlacement::nodeId).distinct().count();
    }

    void waits(JobRun job) {
        jobs.put(job.job().id(), job);
        session.waits(job.view());
        changed = true;
    }

    Set<String> nodes() {
        return nodes.keySet();
    }

    void nodeOpens(String id, boolean isOpen) {
        session.nodeOpens(id, isOpen);
        changed = true;
    }

    /** It has been stopped, not by a decision. */
    void waitsAgain(JobRun job) {
        session.ended(job.job().id());
        session.waits(job.view());
        changed = true;
    }

    boolean hasWaiting() {
        return jobs.values().stream().anyMatch(job -> !job.isRunning());
    }

    /** GPUs that waiting jobs need. */
    long waitingGpus() {
        return jobs.values().stream()
                .filter(job -> !job.isRunning())
                .mapToLong(JobRun::gpus)
                .sum();
    }

    List<JobRun> running() {
        return jobs.values().stream().filter(JobRun::isRunning).toList();
    }

    JobRun job(String id) {
        return Objects.requireNonNull(jobs.get(id));
    }

    void ended(JobRun job) {
        jobs.remove(job.job().id());
        session.ended(job.job().id());
        job.keepNodesOnly(on -> on.size() == 1 ? alone.computeIfAbsent(on.get(0), List::of) : on);
        changed = true;
    }

    /** It waits no longer, and never ran. */
    void leaveOut(JobRun job) {
        jobs.remove(job.job().id());
        session.ended(job.job().id());
    }

    boolean hasChanged() {
        return changed;
    }

    boolean isDue(long nowMs) {
        return changed || wakesMs() <= nowMs;
    }

    void decided() {
        changed = false;
        wakesMs = Session.NEVER;
    }

    void wakeAt(long ms) {
        wakesMs = Math.min(wakesMs, ms);
    }

    /** {@link Long#MAX_VALUE} where nothing is to be looked at again. */
    long wakesMs() {
        return Math.min(wakesMs, session.wakesMs());
    }
}
