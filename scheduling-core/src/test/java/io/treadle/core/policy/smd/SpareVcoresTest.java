// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.QueueView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.cluster.UserView;
import io.treadle.core.job.JobView;
import io.treadle.core.job.Progress;
import io.treadle.core.job.RunningTask;
import io.treadle.core.job.ServerVcores;
import io.treadle.core.job.Sizing;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.model.ps.PsSize;
import io.treadle.core.placement.Auto;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.Plan;
import io.treadle.core.plan.PlanVerifier;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.policy.PolicyRegistry;
import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Servers that can use more than the 2 vcores that each asks for. A job of 2 workers and 2 servers asks for 2 GPUs and 12 vcores.
 */
class SpareVcoresTest {
    private static final ServerVcores FOUR = new ServerVcores(4, OptionalLong.empty());

    private static JobView running(ServerVcores use) {
        JobView job = fixed(PsJobs.resLike());
        return job.withSizing(job.sizing().with(use));
    }

    /** The job as it runs, with 2 of each in any case. */
    private static JobView fixed(JobView job) {
        List<TaskGroup> groups = job.groups().stream()
                .map(group -> new TaskGroup(group.name(), 2, 2, group.ask(), group.gpuModels()))
                .toList();
        JobView two = new JobView(job.id(), 0, groups, List.of(), Optional.empty(), false, job.progress(), Set.of());
        return PsJobs.running(two.withSizing(job.sizing()), "n0", 2, 2);
    }

    /** The same after what was decided has come about. */
    private static JobView with(JobView job, Map<String, ResourceVector> sizes) {
        return job.withTasks(job.tasks().stream()
                .map(task -> new RunningTask(
                        task.id(),
                        task.group(),
                        task.nodeId(),
                        sizes.getOrDefault(task.id(), task.size()),
                        task.devices()))
                .toList());
    }

    private static JobView withServers(JobView job, long... vcores) {
        return with(
                job,
                Map.of(
                        job.id() + "#2", PsJobs.SERVER.withVcores(vcores[0]),
                        job.id() + "#3", PsJobs.SERVER.withVcores(vcores[1])));
    }

    private static NodeView node(String id, int gpus, int vcores, long keptFree) {
        return new NodeView(
                id,
                "/r",
                ResourceVector.of(gpus, vcores, 256),
                ResourceVector.ZERO,
                ResourceVector.of(0, keptFree, 0),
                List.of(),
                true);
    }

    private static Snapshot on(List<NodeView> nodes, List<JobView> jobs) {
        ResourceVector all = nodes.stream().map(NodeView::capacity).reduce(ResourceVector.ZERO, ResourceVector::plus);
        return new Snapshot(1000, nodes, new QueueView("root.ps", all, ResourceVector.ZERO), jobs, false);
    }

    private static Snapshot on(int gpus, int vcores, JobView... jobs) {
        return on(List.of(node("n0", gpus, vcores, 0)), List.of(jobs));
    }

    private static Plan plan(String policy, Snapshot snapshot) {
        Plan plan = PolicyRegistry.BUILT_IN.policy(policy, new Auto()).plan(snapshot);
        assertEquals(List.of(), PlanVerifier.problemsWithStops(snapshot, plan));
        return plan;
    }

    private static Decision of(Plan plan, JobView job) {
        return plan.of(job.id()).orElseThrow();
    }

    /** Vcores of each task that gets another size. */
    private static Map<String, Long> changes(Snapshot snapshot, JobView job) {
        return assertInstanceOf(Decision.Resize.class, of(plan("smd", snapshot), job)).sizes().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().vcores()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"smd", "smd-plain", "smd-menu", "optimus", "esw", "exact"})
    void serversGetWhatIsIdleUpToWhatTheyCanUse(String policy) {
        JobView job = running(FOUR);
        Decision decision = of(plan(policy, on(2, 64, job)), job);
        ResourceVector four = PsJobs.SERVER.withVcores(4);
        assertEquals(
                Map.of("resLike#2", four, "resLike#3", four),
                assertInstanceOf(Decision.Resize.class, decision).sizes());
        assertTrue(decision.reason().text().endsWith("; its servers have 4 vcores more, of what is idle"));
    }

    @Test
    void whoHasItAlreadyIsNotNamedAndKeepsIt() {
        JobView job = withServers(running(FOUR), 4, 4);
        assertEquals(Map.of(), changes(on(2, 64, job), job));
    }

    @Test
    void whatThereIsGoesToAllEvenly() {
        JobView job = running(new ServerVcores(8, OptionalLong.empty()));
        assertEquals(Map.of("resLike#2", 4L, "resLike#3", 3L), changes(on(2, 15, job), job));
        JobView other = fixed(PsJobs.lmLike());
        other = other.withSizing(other.sizing().with(FOUR));
        Snapshot both = on(4, 30, job, other);
        assertEquals(Map.of("resLike#2", 4L, "resLike#3", 4L), changes(both, job));
        assertEquals(Map.of("lmLike#2", 3L, "lmLike#3", 3L), changes(both, other));
    }

    @Test
    void serversThatUseItNoLongerGiveItBack() {
        JobView job = withServers(running(new ServerVcores(3, OptionalLong.empty())), 4, 3);
        assertEquals(Map.of("resLike#2", 3L), changes(on(2, 64, job), job));
        JobView none = withServers(fixed(PsJobs.resLike()), 4, 3);
        assertEquals(Map.of("resLike#2", 2L, "resLike#3", 2L), changes(on(2, 64, none), none));
    }

    /** It needs 6 of the 10 vcores that the servers have more than they ask for. */
    @Test
    void aJobThatComesStartsInThatRoomInTheSameRound() {
        JobView job = withServers(running(new ServerVcores(8, OptionalLong.empty())), 7, 7);
        JobView comes = PsJobs.job(
                "comes",
                PsJobs.lmLike().sizing().model().orElseThrow(),
                1000,
                PsJobs.WORKER,
                PsJobs.SERVER,
                ResourceVector.of(1, 6, 24),
                1,
                PsJobs.utility(1, 0, 1));
        Snapshot snapshot = on(4, 22, job, comes);
        assertInstanceOf(Decision.Run.class, of(plan("smd", snapshot), comes));
        assertEquals(Map.of("resLike#2", 4L, "resLike#3", 4L), changes(snapshot, job));
    }

    /** What its servers had more is counted as free: it grows into it itself, and asks for no more than it asked for. */
    @Test
    void aJobThatGrowsHasTasksOfTheSizesThatItAsksFor() {
        JobView small = PsJobs.running(PsJobs.resLike(), "n0", 2, 2);
        JobView job = withServers(small.withSizing(small.sizing().with(FOUR)), 4, 4);
        Decision.Move move = assertInstanceOf(Decision.Move.class, of(plan("smd-plain", on(8, 64, job)), job));
        assertEquals(
                Set.of(2L),
                move.tasks().stream()
                        .filter(task -> task.group().equals("ps"))
                        .map(task -> task.size().vcores())
                        .collect(Collectors.toSet()));
        assertTrue(move.tasks().stream()
                        .map(TaskPlacement::group)
                        .filter("worker"::equals)
                        .count()
                > 2);
    }

    @Test
    void nothingIsGivenWhileAnybodyWaits() {
        JobView job = withServers(running(FOUR), 4, 4);
        Snapshot alone = on(2, 64, job);
        Snapshot others = alone.with(alone.nodes(), alone.queue().withOthersWaiting(true));
        assertEquals(Map.of("resLike#2", 2L, "resLike#3", 2L), changes(others, job));
        JobView waits = PsJobs.lmLike()
                .withSizing(new Sizing(
                        PsJobs.utility(1e-6, 0, 1),
                        PsJobs.lmLike().sizing().model(),
                        PsJobs.lmLike().sizing().cap()));
        Snapshot full = on(2, 64, job, waits);
        assertInstanceOf(Decision.Wait.class, of(plan("smd", full), waits));
        assertEquals(Map.of("resLike#2", 2L, "resLike#3", 2L), changes(full, job));
    }

    @Test
    void aJobThatCouldNeverRunIsInNobodysWay() {
        JobView job = running(FOUR);
        JobView never = PsJobs.job(
                "never",
                PsJobs.lmLike().sizing().model().orElseThrow(),
                1000,
                PsJobs.WORKER.withVcores(65),
                PsJobs.SERVER,
                ResourceVector.of(8, 640, 640),
                8,
                PsJobs.utility(1, 0, 1));
        assertEquals(Map.of("resLike#2", 4L, "resLike#3", 4L), changes(on(2, 64, job, never), job));
    }

    @Test
    void limitsHold() {
        JobView capped = running(new ServerVcores(4, OptionalLong.of(15)));
        assertEquals(Map.of("resLike#2", 4L, "resLike#3", 3L), changes(on(2, 64, capped), capped), "cap");

        JobView job = running(FOUR);
        Snapshot alone = on(2, 64, job);
        Snapshot queue = alone.with(alone.nodes(), alone.queue().withLimit(ResourceVector.of(2, 14, 256)));
        assertEquals(Map.of("resLike#2", 3L, "resLike#3", 3L), changes(queue, job), "queue");

        UserView user = new UserView("ann", ResourceVector.of(2, 13, 256), ResourceVector.ZERO, Set.of(job.id()));
        Snapshot users = alone.with(
                alone.nodes(),
                new QueueView("root.ps", ResourceVector.of(2, 64, 256), ResourceVector.ZERO, List.of(user), false));
        assertEquals(Map.of("resLike#2", 3L), changes(users, job), "user");

        assertEquals(
                Map.of("resLike#2", 3L, "resLike#3", 3L),
                changes(on(List.of(node("n0", 2, 64, 50)), List.of(job)), job),
                "kept free");
        Snapshot small =
                new Snapshot(1000, alone.nodes(), alone.queue(), List.of(job), ResourceVector.of(1, 3, 256), false);
        assertEquals(Map.of("resLike#2", 3L, "resLike#3", 3L), changes(small, job), "largest container");
    }

    /** Another application has reserved its node: what it waits for comes from whoever has more than he asks for. */
    @Test
    void onANodeThatTakesNoNewTasksTheyHaveWhatTheyAskFor() {
        JobView job = withServers(running(FOUR), 4, 4);
        Snapshot reserved = on(List.of(node("n0", 2, 64, 0).withOpen(false)), List.of(job));
        assertEquals(Map.of("resLike#2", 2L, "resLike#3", 2L), changes(reserved, job));
    }

    @Test
    void whoIsMeasuredHasWhatItAsksFor() {
        JobView job = withServers(running(FOUR), 4, 4);
        JobView probed = job.withSizing(new Sizing(
                job.sizing().utility(),
                Optional.empty(),
                job.sizing().cap(),
                Optional.of(new PsSize(2, 2)),
                Optional.of(FOUR)));
        assertEquals(Map.of("resLike#2", 2L, "resLike#3", 2L), changes(on(2, 64, probed), probed));
        JobView profiled = new JobView(
                        job.id(),
                        0,
                        job.groups(),
                        job.tasks(),
                        Optional.empty(),
                        true,
                        new Progress(0, 0, 0, 0),
                        Set.of())
                .withSizing(job.sizing());
        assertEquals(Map.of(), changes(on(2, 64, profiled), profiled), "its ApplicationMaster resizes it");
    }
}
