// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.QueueView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.explain.Reason;
import io.treadle.core.job.JobView;
import io.treadle.core.job.Sizing;
import io.treadle.core.job.Utility;
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
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that are measured with other numbers of workers and servers while they train. */
class ProbedJobsTest {
    private static final Utility UTILITY = PsJobs.resLike().sizing().utility();

    /** Of a job of which nobody knows how fast it is. */
    private static JobView asking(JobView job, PsSize probe) {
        return job.withSizing(
                new Sizing(UTILITY, Optional.empty(), job.sizing().cap(), Optional.of(probe), Optional.empty()));
    }

    private static Plan plan(String policy, int gpus, List<JobView> jobs) {
        ResourceVector room = ResourceVector.of(gpus, 64, 256);
        NodeView node = new NodeView("n0", "/r", room, ResourceVector.ZERO, ResourceVector.ZERO, List.of(), true);
        Snapshot snapshot =
                new Snapshot(1000, List.of(node), new QueueView("root.ps", room, ResourceVector.ZERO), jobs, false);
        Plan plan = PolicyRegistry.BUILT_IN.policy(policy, new Auto()).plan(snapshot);
        assertEquals(List.of(), PlanVerifier.problemsWithStops(snapshot, plan));
        return plan;
    }

    private static Decision of(Plan plan, JobView job) {
        return plan.decisions().stream()
                .filter(decision -> decision.jobId().equals(job.id()))
                .findFirst()
                .orElseThrow();
    }

    private static Map<String, Long> tasks(Decision decision) {
        return assertInstanceOf(Decision.Move.class, decision).tasks().stream()
                .collect(Collectors.groupingBy(TaskPlacement::group, Collectors.counting()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"smd", "smd-plain", "smd-menu", "smd-menu-worth", "optimus", "esw", "exact"})
    void getsTheSizeThatItAsksForInRoomThatNobodyHas(String policy) {
        JobView job = asking(PsJobs.running(PsJobs.resLike(), "n0", 2, 2), new PsSize(3, 1));
        Decision decision = of(plan(policy, 4, List.of(job)), job);
        assertEquals(Map.of("worker", 3L, "ps", 1L), tasks(decision));
        assertEquals(
                "has 3 workers and 1 server, with which its speed is measured while it trains",
                decision.reason().text());
        long stays = assertInstanceOf(Decision.Move.class, decision).tasks().stream()
                .filter(task -> task.group().equals("ps"))
                .count();
        assertEquals(1, stays);
    }

    @Test
    void staysAsItIsWithoutThatRoom() {
        JobView job = asking(PsJobs.running(PsJobs.resLike(), "n0", 2, 2), new PsSize(3, 1));
        Decision decision = of(plan("smd", 2, List.of(job)), job);
        assertTrue(assertInstanceOf(Decision.Resize.class, decision).sizes().isEmpty());
    }

    @Test
    void keepsTheSizeAtWhichItIsMeasured() {
        JobView job = asking(PsJobs.running(PsJobs.resLike(), "n0", 3, 1), new PsSize(3, 1));
        Decision decision = of(plan("smd", 8, List.of(job)), job);
        assertTrue(assertInstanceOf(Decision.Resize.class, decision).sizes().isEmpty());
        assertInstanceOf(Reason.Probed.class, decision.reason());
    }

    @Test
    void takesNothingThatAWaitingJobNeeds() {
        JobView job = asking(PsJobs.running(PsJobs.resLike(), "n0", 1, 1), new PsSize(4, 1));
        JobView waits = PsJobs.lmLike();
        Plan plan = plan("smd", 4, List.of(job, waits));
        assertInstanceOf(Decision.Run.class, of(plan, waits));
        assertTrue(
                assertInstanceOf(Decision.Resize.class, of(plan, job)).sizes().isEmpty());
    }

    /** Measured in vain it makes do with what it needs as soon as somebody else can use the rest. */
    @Test
    void givesItsProbeBackWhereNothingIsAskedAnyMore() {
        JobView job = PsJobs.running(PsJobs.resLike(), "n0", 4, 1)
                .withSizing(new Sizing(
                        UTILITY, Optional.empty(), PsJobs.resLike().sizing().cap()));
        JobView waits = PsJobs.lmLike();
        Plan plan = plan("smd", 4, List.of(job, waits));
        assertInstanceOf(Decision.Run.class, of(plan, waits));
        assertEquals(Map.of("worker", 1L, "ps", 1L), tasks(of(plan, job)));
        assertInstanceOf(Decision.Resize.class, of(plan("smd", 4, List.of(job)), job), "nobody needs it");
    }

    /** What it may not have is not given, whatever is asked for. */
    @Test
    void asksInVainForMoreThanItMayHave() {
        JobView job = asking(PsJobs.running(PsJobs.resLike(), "n0", 1, 1), new PsSize(17, 1));
        assertInstanceOf(Decision.Resize.class, of(plan("smd", 32, List.of(job)), job));
        JobView capped = PsJobs.running(PsJobs.resLike(), "n0", 1, 1)
                .withSizing(new Sizing(
                        UTILITY,
                        Optional.empty(),
                        Optional.of(ResourceVector.of(2, 8, 32)),
                        Optional.of(new PsSize(3, 1)),
                        Optional.empty()));
        assertInstanceOf(Decision.Resize.class, of(plan("smd", 32, List.of(capped)), capped));
    }

    @Test
    void needsNoCapToBeMeasured() {
        JobView job = PsJobs.running(PsJobs.resLike(), "n0", 1, 1)
                .withSizing(new Sizing(
                        UTILITY, Optional.empty(), Optional.empty(), Optional.of(new PsSize(2, 1)), Optional.empty()));
        assertEquals(Map.of("worker", 2L, "ps", 1L), tasks(of(plan("smd", 4, List.of(job)), job)));
    }

    /** Three of its four GPUs are left: it goes on with fewer and is not stopped. */
    @Test
    void shrinksForAnotherWhileItIsMeasured() {
        JobView job = asking(PsJobs.running(PsJobs.resLike(), "n0", 4, 1), new PsSize(4, 1));
        JobView rival = PsJobs.lmLike()
                .withSizing(
                        new Sizing(new Utility(1e6, 5, OptionalDouble.of(100)), Optional.empty(), Optional.empty()));
        Plan plan = plan("smd", 4, List.of(job, rival));
        assertInstanceOf(Decision.Run.class, of(plan, rival));
        assertEquals(Map.of("worker", 1L, "ps", 1L), tasks(of(plan, job)));
    }
}
