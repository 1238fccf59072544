// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.RunningTask;
import io.treadle.core.job.ServerVcores;
import io.treadle.core.resource.ResourceVector;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Vcores that nobody wants, and parameter servers beside them that can use more than they ask for: they have them until
 * somebody does, without being started again.
 */
final class SpareVcores {
    private final Places places;
    /** What each task of a job has now of which a server has more than it asks for, by its id. */
    private final Map<String, ResourceVector> raised = new HashMap<>();
    /** Vcores that each server gets beyond what it asks for, by its id. */
    private final Map<String, Long> given = new HashMap<>();

    /** A server that can use more, and what all servers of its job may still get. */
    private record Taker(int index, PsJob job, RunningTask task, long each, Left left) {}

    private static final class Left {
        private long vcores;

        Left(long vcores) {
            this.vcores = vcores;
        }
    }

    /** @param snapshot with what servers have in truth */
    SpareVcores(Snapshot snapshot, Places places) {
        this.places = places;
        snapshot.jobs().stream().filter(SpareVcores::isRaised).forEach(job -> job.tasks()
                .forEach(task -> raised.put(task.id(), task.size())));
    }

    /** The same jobs, no server with more than it asks for: the rest is room that anybody may have. */
    static Snapshot without(Snapshot snapshot) {
        if (snapshot.jobs().stream().noneMatch(SpareVcores::isRaised)) {
            return snapshot;
        }
        Set<String> here = snapshot.nodes().stream().map(NodeView::id).collect(Collectors.toSet());
        return snapshot.at(
                snapshot.nowMs(),
                snapshot.jobs().stream()
                        .map(job -> isRaised(job) ? asAsked(job, here) : job)
                        .toList());
    }

    /** A job that its ApplicationMaster resizes is left alone. */
    private static boolean isRaised(JobView job) {
        return !job.profiling() && job.tasks().stream().anyMatch(task -> isRaised(job, task));
    }

    private static boolean isRaised(JobView job, RunningTask task) {
        return task.group().equals(PsJob.SERVER) && task.size().vcores() > asked(job, task);
    }

    /** Tasks on nodes that have left the snapshot keep what they have. */
    private static JobView asAsked(JobView job, Set<String> here) {
        return job.withTasks(job.tasks().stream()
                .map(task ->
                        isRaised(job, task) && here.contains(task.nodeId()) ? withVcores(task, asked(job, task)) : task)
                .toList());
    }

    private static RunningTask withVcores(RunningTask task, long vcores) {
        return new RunningTask(
                task.id(), task.group(), task.nodeId(), task.size().withVcores(vcores), task.devices());
    }

    /** No container has less than one. */
    private static long asked(JobView job, RunningTask task) {
        return Math.max(1, job.group(task.group()).ask().vcores());
    }

    /** One by one to whoever has got fewest so far. What is left is none of the jobs' any more. */
    void giveOut(List<PsJob> jobs) {
        Comparator<Taker> order = Comparator.comparingLong(
                (Taker taker) -> given.getOrDefault(taker.task().id(), 0L));
        PriorityQueue<Taker> takers = new PriorityQueue<>(order.thenComparingInt(Taker::index));
        for (PsJob job : jobs) {
            Places.Place place = places.all().get(job.id());
            if (place != null && place.isUnchanged() && job.probe().isEmpty()) {
                job.job().sizing().servers().ifPresent(use -> add(takers, place, use));
            }
        }
        while (!takers.isEmpty()) {
            Taker taker = takers.remove();
            long vcores = taker.task().size().vcores()
                    + given.getOrDefault(taker.task().id(), 0L)
                    + 1;
            ResourceVector more = taker.task().size().withVcores(vcores);
            if (vcores <= taker.each() && taker.left().vcores > 0 && places.addVcore(taker.job(), taker.task(), more)) {
                taker.left().vcores--;
                given.merge(taker.task().id(), 1L, Long::sum);
                takers.add(taker);
            }
        }
    }

    private static void add(PriorityQueue<Taker> takers, Places.Place place, ServerVcores use) {
        long held =
                place.stays().stream().mapToLong(task -> task.size().vcores()).sum();
        OptionalLong most = use.most();
        Left left = new Left(most.isPresent() ? most.getAsLong() - held : Long.MAX_VALUE);
        place.stays().stream()
                .filter(task -> task.group().equals(PsJob.SERVER))
                // The order in which a snapshot has them may change from round to round.
                .sorted(Comparator.comparing(RunningTask::id))
                .forEach(task -> takers.add(new Taker(takers.size(), place.job(), task, use.each(), left)));
    }

    /** By task, what those of the job get that go on with another size than they have. */
    Map<String, ResourceVector> changes(JobView job) {
        Map<String, ResourceVector> changes = new HashMap<>();
        for (RunningTask task : job.tasks()) {
            ResourceVector size = task.size().withVcores(task.size().vcores() + given.getOrDefault(task.id(), 0L));
            if (!size.equals(raised.getOrDefault(task.id(), task.size()))) {
                changes.put(task.id(), size);
            }
        }
        return changes;
    }

    /** Vcores that the job's servers have beyond what they ask for, together. */
    long given(JobView job) {
        return job.tasks().stream()
                .mapToLong(task -> given.getOrDefault(task.id(), 0L))
                .sum();
    }
}
