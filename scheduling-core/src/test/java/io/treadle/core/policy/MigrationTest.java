// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.Crossing;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.Overheads;
import io.treadle.core.cluster.QueueView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.Progress;
import io.treadle.core.job.RunningTask;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.placement.Ledger;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.Plan;
import io.treadle.core.plan.PlanVerifier;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MigrationTest {
    /** Moves are those of the rule on ledgers made anew for each try, on random clusters. */
    @ParameterizedTest
    @CsvSource({"first-fit, OFF", "consolidate, OFF", "free-gpu, OFF", "best-fit, BY_GPUS"})
    void movesAreThoseOfTheRule(String placement, Preemption preemption) {
        int moved = 0;
        for (long seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            Snapshot cluster = cluster(random);
            Session session = session(cluster, placement, preemption);
            Map<String, JobView> running = new LinkedHashMap<>();
            Map<String, Long> submitted = new LinkedHashMap<>();
            for (int step = 0; step < 30; step++) {
                boolean ended = false;
                for (String id : List.copyOf(running.keySet())) {
                    if (random.nextInt(4) == 0) {
                        running.remove(id);
                        session.ended(id);
                        ended = true;
                    }
                }
                for (int i = random.nextInt(3); i > 0; i--) {
                    String id = "job" + submitted.size();
                    submitted.put(id, (long) step);
                    session.waits(job(id, step, 1 + random.nextInt(3), 1 + random.nextInt(6)));
                }
                List<Decision> decisions = session.decide(step * 1000L);
                List<JobView> stopped = new ArrayList<>();
                for (Decision decision : decisions) {
                    if (decision instanceof Decision.Stop) {
                        stopped.add(Objects.requireNonNull(running.remove(decision.jobId())));
                    }
                }
                Map<String, List<String>> expected = ended ? byTheRule(cluster, running, placement) : Map.of();
                Map<String, List<String>> actual = new LinkedHashMap<>();
                for (Decision decision : decisions) {
                    if (decision instanceof Decision.Move move) {
                        actual.put(move.jobId(), nodes(move.tasks()));
                        running.put(
                                move.jobId(), placed(Objects.requireNonNull(running.get(move.jobId())), move.tasks()));
                    } else if (decision instanceof Decision.Run run) {
                        long submitMs = Objects.requireNonNull(submitted.get(run.jobId()));
                        JobView job = placed(job(run.jobId(), submitMs, 1, 1), run.tasks());
                        running.put(job.id(), job);
                        session.runs(job);
                    }
                }
                stopped.forEach(job ->
                        session.waits(job(job.id(), job.submitMs(), job.tasks().size(), perTask(job))));
                assertEquals(expected, actual, "seed " + seed + ", step " + step);
                moved += actual.size();
            }
        }
        int total = moved;
        assertTrue(total > 200, () -> "hardly any moves: " + total);
    }

    /** By job, the nodes of its tasks after its move; what runs is moved as the rule goes on. */
    private static Map<String, List<String>> byTheRule(
            Snapshot cluster, Map<String, JobView> before, String placement) {
        Map<String, JobView> running = new LinkedHashMap<>(before);
        List<JobView> candidates = running.values().stream()
                .filter(job -> perNode(job) < 4)
                .sorted(Comparator.comparingInt((JobView job) -> distinct(job).size())
                        .thenComparingLong(MigrationTest::perNode))
                .toList();
        Map<String, List<String>> moves = new LinkedHashMap<>();
        for (JobView job : candidates) {
            List<JobView> others = running.values().stream()
                    .filter(other -> !other.id().equals(job.id()))
                    .toList();
            List<TaskGroup> tasks =
                    job.tasks().stream().map(task -> job.group(task.group())).toList();
            Optional<List<TaskPlacement>> found = PolicyRegistry.BUILT_IN
                    .placement(placement)
                    .place(job, tasks, (group, node) -> group.ask(), ledger(cluster, others));
            List<String> from = job.tasks().stream().map(RunningTask::nodeId).toList();
            List<String> to = nodes(found.orElseThrow());
            if (Arrays.compare(index(cluster, others, to), index(cluster, others, from)) < 0) {
                moves.put(job.id(), to);
                running.put(job.id(), placed(job, found.get()));
            }
        }
        return moves;
    }

    /** Racks, free nodes of them, nodes, free GPUs of those. */
    private static long[] index(Snapshot cluster, List<JobView> others, List<String> places) {
        List<NodeView> nodes = cluster.nodes().stream()
                .filter(node -> places.contains(node.id()))
                .toList();
        List<String> racks = nodes.stream().map(NodeView::rack).distinct().toList();
        long freeNodes = cluster.nodes().stream()
                .filter(node -> racks.contains(node.rack()))
                .filter(node -> held(others, node) == 0)
                .count();
        long freeGpus = nodes.stream()
                .mapToLong(node -> node.capacity().gpus() - held(others, node))
                .sum();
        return new long[] {racks.size(), freeNodes, nodes.size(), freeGpus};
    }

    private static long held(List<JobView> jobs, NodeView node) {
        return jobs.stream()
                .flatMap(job -> job.tasks().stream())
                .filter(task -> task.nodeId().equals(node.id()))
                .mapToLong(task -> task.size().gpus())
                .sum();
    }

    private static Ledger ledger(Snapshot cluster, List<JobView> jobs) {
        Ledger ledger = new Ledger(cluster);
        for (JobView job : jobs) {
            job.tasks()
                    .forEach(task -> ledger.take(
                            job.id(), ledger.indexOf(task.nodeId()).orElseThrow(), task.size(), task.devices()));
        }
        return ledger;
    }

    private static List<String> distinct(JobView job) {
        return job.tasks().stream().map(RunningTask::nodeId).distinct().toList();
    }

    private static long perNode(JobView job) {
        return distinct(job).stream()
                .mapToLong(node -> job.tasks().stream()
                        .filter(task -> task.nodeId().equals(node))
                        .mapToLong(task -> task.size().gpus())
                        .sum())
                .max()
                .orElse(0);
    }

    /**
     * Jobs of 5, 2 and 1 GPUs fill node a, one of 5 is on b: when the first ends, the small ones go to b, the least
     * first.
     */
    @Test
    void smallJobsLeaveTheirNodeToAWaitingOneOfWholeNodes() {
        List<Decision> decisions = afterTheFirst(30, 100);
        assertEquals(
                List.of("j3", "j1", "whole"),
                decisions.stream().map(Decision::jobId).toList());
        Decision.Move move = (Decision.Move) decisions.get(0);
        assertEquals(List.of("b"), nodes(move.tasks()));
        assertEquals(
                "moves from a, where 6 GPUs are free without it, to b, where 3 are",
                move.reason().text());
        assertEquals(List.of("b"), nodes(((Decision.Move) decisions.get(1)).tasks()));
        assertEquals(List.of("a"), nodes(((Decision.Run) decisions.get(2)).tasks()));
    }

    /** As there, but they end before they would have made up for the move: what they did since they started counts. */
    @Test
    void jobsThatEndSoonStay() {
        assertEquals(List.of(), afterTheFirst(91, 90));
        assertEquals(3, afterTheFirst(89, 90).size());
    }

    /** @return what is decided when the first of the jobs has ended that fill the two nodes */
    private static List<Decision> afterTheFirst(double moveSeconds, double leftSeconds) {
        Snapshot cluster = new Snapshot(
                        0,
                        List.of(node("a", ""), node("b", "")),
                        new QueueView("q", ResourceVector.of(16, 0, 0), ResourceVector.ZERO),
                        List.of(),
                        ResourceVector.ZERO,
                        false)
                .with(new Overheads(Crossing.NONE, 0, moveSeconds));
        Session session = session(cluster, "consolidate", Preemption.OFF);
        Progress fresh = new Progress(0, 1000 + leftSeconds, 1, 0);
        Progress progress = new Progress(1000, 1000 + leftSeconds, 1, 900);
        int[] gpus = {5, 2, 5, 1};
        for (int i = 0; i < 4; i++) {
            session.waits(job("j" + i, i, 1, gpus[i], fresh));
            for (Decision decision : session.decide(i)) {
                session.runs(placed(job(decision.jobId(), i, 1, 1, progress), ((Decision.Run) decision).tasks()));
            }
        }
        session.waits(job("whole", 5, 1, 8));
        session.ended("j0");
        return session.decide(5);
    }

    /** The ResourceManager does not move jobs: a plan that says so is not carried out for that job. */
    @Test
    void aMoveBreaksTheRulesOfPlans() {
        Snapshot cluster = cluster(new Random(1));
        JobView job = placed(
                job("j", 0, 1, 1),
                List.of(new TaskPlacement(
                        "worker", cluster.nodes().get(0).id(), ResourceVector.of(1, 0, 0), List.of())));
        Plan plan = new Plan(List.of(new Decision.Move(
                "j", List.of(), new io.treadle.core.explain.Reason.Moves(List.of("a"), 8, List.of("b"), 1))));
        Snapshot snapshot = cluster.at(0, List.of(job));
        assertTrue(
                PlanVerifier.problems(snapshot, plan).stream().anyMatch(text -> text.contains("is moved")),
                () -> PlanVerifier.problems(snapshot, plan).toString());
    }

    private static Session session(Snapshot cluster, String placement, Preemption preemption) {
        return PolicyRegistry.BUILT_IN
                .policy(
                        "fifo",
                        PolicyRegistry.BUILT_IN.placement(placement),
                        new Discipline(false, preemption, true),
                        PolicyRegistry.BUILT_IN.orders())
                .open(cluster);
    }

    private static Snapshot cluster(Random random) {
        List<NodeView> nodes = new ArrayList<>();
        for (int i = 0; i < 3 + random.nextInt(5); i++) {
            nodes.add(node("n" + i, "rack" + i % 3));
        }
        ResourceVector all = ResourceVector.of(8L * nodes.size(), 0, 0);
        return new Snapshot(
                0, nodes, new QueueView("q", all, ResourceVector.ZERO), List.of(), ResourceVector.ZERO, false);
    }

    private static NodeView node(String id, String rack) {
        return new NodeView(
                id, rack, ResourceVector.of(8, 0, 0), ResourceVector.ZERO, ResourceVector.ZERO, List.of(), true);
    }

    private static JobView job(String id, long submitMs, int tasks, int gpus) {
        return job(id, submitMs, tasks, gpus, Progress.NONE);
    }

    private static JobView job(String id, long submitMs, int tasks, int gpus, Progress progress) {
        return new JobView(
                id,
                submitMs,
                List.of(new TaskGroup("worker", tasks, tasks, ResourceVector.of(gpus, 0, 0), Set.of())),
                List.of(),
                Optional.empty(),
                false,
                progress,
                Set.of());
    }

    private static int perTask(JobView job) {
        return (int) job.tasks().get(0).size().gpus();
    }

    private static JobView placed(JobView job, List<TaskPlacement> placed) {
        List<RunningTask> tasks = new ArrayList<>();
        placed.forEach(task -> tasks.add(new RunningTask(
                job.id() + '#' + tasks.size(), task.group(), task.nodeId(), task.size(), task.devices())));
        long gpus = placed.get(0).size().gpus();
        return new JobView(
                job.id(),
                job.submitMs(),
                List.of(new TaskGroup("worker", tasks.size(), tasks.size(), ResourceVector.of(gpus, 0, 0), Set.of())),
                tasks,
                Optional.empty(),
                false,
                job.progress(),
                Set.of());
    }

    private static List<String> nodes(List<TaskPlacement> tasks) {
        return tasks.stream().map(TaskPlacement::nodeId).toList();
    }
}
