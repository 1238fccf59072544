// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.RunningTask;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.model.ps.PsSize;
import io.treadle.core.placement.Ledger;
import io.treadle.core.placement.Placement;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Where the tasks of jobs go. Of a job that runs as many stay where they are as its new size has of each group. */
final class Places {
    private final Ledger ledger;
    private final Placement placement;
    /** Of one task. */
    private final long mostVcores;

    private final Map<String, Place> places = new LinkedHashMap<>();
    /** Jobs that go on as they are though there is no room for all that they have. */
    private final Set<String> left = new HashSet<>();

    /**
     * A job with its tasks.
     *
     * @param stays tasks that run and go on where they are
     * @param starts tasks that are new
     */
    record Place(PsJob job, PsSize size, List<RunningTask> stays, List<TaskPlacement> starts) {
        Place {
            stays = List.copyOf(stays);
            starts = List.copyOf(starts);
        }

        /** Whether all goes on as it was. */
        boolean isUnchanged() {
            return starts.isEmpty() && stays.size() == job.job().tasks().size();
        }

        /** All tasks, groups in the job's order. */
        List<TaskPlacement> tasks() {
            List<TaskPlacement> all = new ArrayList<>();
            for (TaskGroup group : job.job().groups()) {
                stays.stream()
                        .filter(task -> task.group().equals(group.name()))
                        .map(task -> new TaskPlacement(task.group(), task.nodeId(), task.size(), task.devices()))
                        .forEach(all::add);
                starts.stream()
                        .filter(task -> task.group().equals(group.name()))
                        .forEach(all::add);
            }
            return all;
        }
    }

    Places(Snapshot snapshot, Placement placement) {
        this.ledger = new Ledger(snapshot);
        this.placement = placement;
        this.mostVcores = snapshot.largestTask().vcores();
    }

    /** By job, in the order in which they were placed. */
    Map<String, Place> all() {
        return places;
    }

    boolean has(PsJob job) {
        return places.containsKey(job.id());
    }

    /** Of a job that has a place. */
    PsSize size(PsJob job) {
        return Objects.requireNonNull(places.get(job.id())).size();
    }

    /** What a job holds that stays as it is, whatever is chosen. */
    void pin(JobView job) {
        job.tasks().forEach(task -> charge(job, task));
    }

    private void charge(JobView job, RunningTask task) {
        ledger.indexOf(task.nodeId()).ifPresent(node -> ledger.take(job.id(), node, task.size(), task.devices()));
    }

    private void giveBack(JobView job, RunningTask task) {
        ledger.indexOf(task.nodeId()).ifPresent(node -> ledger.giveBack(job.id(), node, task.size(), task.devices()));
    }

    /**
     * A job that runs goes on with those of its tasks that both sizes have.
     *
     * @return how many these are; empty where they have no room any more, and nothing is kept
     */
    Optional<PsSize> keep(PsJob job, PsSize size) {
        PsSize held = job.held().orElseThrow();
        PsSize kept = new PsSize(Math.min(held.workers(), size.workers()), Math.min(held.servers(), size.servers()));
        List<RunningTask> stays = staying(job, kept);
        if (!takeAll(job, stays)) {
            return Optional.empty();
        }
        places.put(job.id(), new Place(job, kept, stays, List.of()));
        return Optional.of(kept);
    }

    /** A job that runs goes on as it is, whatever room there is: that is not its fault. */
    void leave(PsJob job) {
        pin(job.job());
        left.add(job.id());
        places.put(job.id(), new Place(job, job.held().orElseThrow(), job.job().tasks(), List.of()));
    }

    /** A job that holds nothing yet comes in at this size, its former tasks where they still have room. */
    boolean start(PsJob job, PsSize size) {
        List<RunningTask> stays = new ArrayList<>();
        for (RunningTask task : job.runs() ? staying(job, size) : List.<RunningTask>of()) {
            if (fits(job, task)) {
                charge(job.job(), task);
                stays.add(task);
            }
        }
        if (complete(job, size, stays, List.of())) {
            return true;
        }
        stays.forEach(task -> giveBack(job.job(), task));
        return false;
    }

    /** A job that has a place gets more tasks of its groups. */
    boolean grow(PsJob job, PsSize size) {
        Place now = places.get(job.id());
        return now != null && !left.contains(job.id()) && complete(job, size, now.stays(), now.starts());
    }

    /** A job that runs, and has no new tasks here, gets another size, if there is room for it. */
    boolean change(PsJob job, PsSize size) {
        Place now = places.get(job.id());
        if (now == null || !now.starts().isEmpty() || left.contains(job.id())) {
            return false;
        }
        List<RunningTask> stays = staying(job, size);
        now.stays().forEach(task -> giveBack(job.job(), task));
        if (takeAll(job, stays)) {
            if (complete(job, size, stays, List.of())) {
                return true;
            }
            stays.forEach(task -> giveBack(job.job(), task));
        }
        now.stays().forEach(task -> charge(job.job(), task));
        return false;
    }

    /**
     * One vcore of what is left beside a task that stays as it is.
     *
     * @param size what it has then
     * @return false where there is none that it may have
     */
    boolean addVcore(PsJob job, RunningTask task, ResourceVector size) {
        Optional<Integer> node = ledger.indexOf(task.nodeId());
        ResourceVector ask = job.job().group(task.group()).ask();
        if (left.contains(job.id())
                || node.isEmpty()
                || !ledger.node(node.get()).open()
                || size.vcores() > mostVcores
                || ledger.room(job.id(), node.get(), size, ask).vcores() < 1) {
            return false;
        }
        ledger.take(job.id(), node.get(), ResourceVector.of(0, 1, 0), List.of());
        return true;
    }

    /**
     * Each job whose tasks all still have room goes on with all of them, unless what it has is slower than the size that it was
     * placed with by more than a change costs, as after a measurement.
     */
    void restore(double rescaleSeconds) {
        for (Place place : List.copyOf(places.values())) {
            if (isSlower(place, 2 * rescaleSeconds)) {
                continue;
            }
            List<RunningTask> left = place.job().job().tasks().stream()
                    .filter(task -> !place.stays().contains(task))
                    .toList();
            if (place.starts().isEmpty() && !left.isEmpty() && place.job().runs() && takeAll(place.job(), left)) {
                PsSize held = place.job().held().orElseThrow();
                places.put(
                        place.job().id(),
                        new Place(place.job(), held, place.job().job().tasks(), List.of()));
            }
        }
    }

    private static boolean isSlower(Place place, double bySeconds) {
        PsJob job = place.job();
        return job.held()
                .filter(held -> job.secondsLeft(held) - job.secondsLeft(place.size()) > bySeconds)
                .isPresent();
    }

    private boolean takeAll(PsJob job, List<RunningTask> tasks) {
        List<RunningTask> taken = new ArrayList<>();
        for (RunningTask task : tasks) {
            if (!fits(job, task)) {
                taken.forEach(other -> giveBack(job.job(), other));
                return false;
            }
            charge(job.job(), task);
            taken.add(task);
        }
        return true;
    }

    private boolean fits(PsJob job, RunningTask task) {
        Optional<Integer> node = ledger.indexOf(task.nodeId());
        ResourceVector ask = job.job().group(task.group()).ask();
        // Where there is room enough, another job may have come to its very GPUs.
        return node.isPresent()
                && ledger.fits(job.id(), node.get(), task.size(), ask)
                && ledger.areFree(node.get(), task.devices());
    }

    private boolean complete(PsJob job, PsSize size, List<RunningTask> stays, List<TaskPlacement> starts) {
        Map<String, Long> counts = counted(stays, RunningTask::group);
        counted(starts, TaskPlacement::group).forEach((group, count) -> counts.merge(group, count, Long::sum));
        List<TaskGroup> missing = new ArrayList<>();
        for (TaskGroup group : job.job().groups()) {
            long count = job.count(group, size) - counts.getOrDefault(group.name(), 0L);
            for (long i = 0; i < count; i++) {
                missing.add(group);
            }
        }
        Optional<List<TaskPlacement>> more = missing.isEmpty()
                ? Optional.of(List.of())
                : placement.place(job.job(), missing, (group, node) -> group.ask(), ledger);
        more.ifPresent(found -> {
            List<TaskPlacement> all = new ArrayList<>(starts);
            all.addAll(found);
            places.put(job.id(), new Place(job, size, stays, all));
        });
        return more.isPresent();
    }

    private static <T> Map<String, Long> counted(List<T> tasks, Function<T, String> group) {
        return new HashMap<>(tasks.stream().collect(Collectors.groupingBy(group, Collectors.counting())));
    }

    /** Of each group as many as the size has, those first of whom most are on one node. */
    private static List<RunningTask> staying(PsJob job, PsSize size) {
        Map<String, Long> onNode = counted(job.job().tasks(), RunningTask::nodeId);
        List<RunningTask> stays = new ArrayList<>();
        for (TaskGroup group : job.job().groups()) {
            job.job().tasks().stream()
                    .filter(task -> task.group().equals(group.name()))
                    .sorted(Comparator.comparingLong(task -> -onNode.getOrDefault(task.nodeId(), 0L)))
                    .limit(job.count(group, size))
                    .forEach(stays::add);
        }
        return stays;
    }
}
