// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.check;

import io.treadle.core.cluster.QueueView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.Progress;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.placement.Ledger;
import io.treadle.core.placement.Placement;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.cluster.Partition;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.engine.JobRun;
import io.treadle.simulator.engine.RunRules;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Work conservation: when all of a moment has happened, no job waits that the run's placement finds room for. Of jobs of
 * one shape one is tried, and again only after something was given back: less room helps nobody.
 */
final class IdleCheck implements Check {
    /** Jobs of one partition that ask for the same. */
    private static final class Line {
        final List<TaskGroup> groups;
        final long gpus;
        final Set<JobRun> waiting = new LinkedHashSet<>();
        boolean isStuck;

        Line(JobRun job) {
            groups = job.job().groups();
            gpus = job.gpus();
        }
    }

    private static final class Room {
        final Ledger ledger;
        final Map<List<TaskGroup>, Line> lines = new LinkedHashMap<>();

        Room(Partition partition, SimCluster cluster) {
            ledger = new Ledger(new Snapshot(
                            0,
                            partition.nodes(),
                            new QueueView(partition.name(), partition.capacity(), ResourceVector.ZERO),
                            List.of(),
                            ResourceVector.ZERO,
                            false)
                    .withSharedStorage(cluster.sharedStorage(partition)));
        }
    }

    private final SimCluster cluster;
    private final Placement placement;
    private final Map<String, Room> rooms = new LinkedHashMap<>();
    private long tried;

    private IdleCheck(SimCluster cluster, Placement placement) {
        this.cluster = cluster;
        this.placement = placement;
        cluster.partitions().forEach(partition -> rooms.put(partition.name(), new Room(partition, cluster)));
    }

    static Check of(SimCluster cluster, RunRules rules) {
        Optional<String> reason = rules.mayIdle();
        return reason.isPresent()
                ? new NotChecked("work conservation not, " + reason.get())
                : new IdleCheck(cluster, rules.placement());
    }

    private Room room(JobRun job) {
        return Objects.requireNonNull(
                rooms.get(cluster.partitionOf(job.job().queue()).orElseThrow().name()));
    }

    private Line line(JobRun job) {
        return room(job).lines.computeIfAbsent(job.job().groups(), groups -> new Line(job));
    }

    @Override
    public void came(JobRun job, long nowMs) {
        line(job).waiting.add(job);
    }

    @Override
    public void started(JobRun job, long nowMs) {
        line(job).waiting.remove(job);
    }

    @Override
    public void paused(JobRun job, long nowMs) {
        line(job).waiting.add(job);
    }

    @Override
    public void leftOut(JobRun job, long nowMs) {
        line(job).waiting.remove(job);
    }

    @Override
    public void gaveBack(JobRun job, List<TaskPlacement> tasks) {
        Room room = room(job);
        for (TaskPlacement task : tasks) {
            room.ledger.giveBack(job.job().id(), node(room, task), task.size(), task.devices());
        }
        if (!tasks.isEmpty()) {
            room.lines.values().forEach(line -> line.isStuck = false);
        }
    }

    @Override
    public void took(JobRun job, List<TaskPlacement> tasks) {
        Room room = room(job);
        tasks.forEach(task -> room.ledger.take(job.job().id(), node(room, task), task.size(), task.devices()));
    }

    private static int node(Room room, TaskPlacement task) {
        return room.ledger.indexOf(task.nodeId()).orElseThrow();
    }

    @Override
    public void settled(long nowMs) {
        for (Room room : rooms.values()) {
            for (Line line : room.lines.values()) {
                if (!line.waiting.isEmpty() && !line.isStuck && line.gpus <= room.ledger.openFreeGpus()) {
                    tryOne(room, line, nowMs);
                }
            }
        }
    }

    private void tryOne(Room room, Line line, long nowMs) {
        tried++;
        line.isStuck = true;
        JobRun job = line.waiting.iterator().next();
        List<TaskGroup> tasks = new ArrayList<>();
        line.groups.forEach(group -> tasks.addAll(Collections.nCopies(group.min(), group)));
        JobView view = new JobView(
                job.job().id(),
                job.job().submitMs(),
                line.groups,
                List.of(),
                Optional.empty(),
                false,
                Progress.NONE,
                Set.of());
        Optional<List<TaskPlacement>> place = placement.place(view, tasks, (group, node) -> group.ask(), room.ledger);
        if (place.isPresent()) {
            throw new BrokenRuleException(
                    nowMs,
                    "job " + job + " waits though there is room for it on "
                            + place.get().stream()
                                    .map(TaskPlacement::nodeId)
                                    .distinct()
                                    .toList());
        }
    }

    @Override
    public String words() {
        return String.format(Locale.ROOT, "nobody waits for room that is there, %,d times tried", tried);
    }
}
