// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.Uninterruptibles;
import io.treadle.core.cluster.Crossing;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.QueueView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.explain.Reason;
import io.treadle.core.job.JobView;
import io.treadle.core.job.Progress;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.plan.Certificate;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.Plan;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.plan.Throughput;
import io.treadle.core.policy.Policy;
import io.treadle.core.policy.smd.SmdRules;
import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.conf.BudgetSetting;
import io.treadle.rm.conf.PowerOffSettings;
import io.treadle.rm.conf.PowerSettings;
import io.treadle.rm.conf.RefusalSettings;
import io.treadle.rm.conf.ReservationSettings;
import io.treadle.rm.conf.SchedulerConf;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.log4j.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class QueuePlannerTest {
    private static final int FAILURES = 3;
    private static final long RETRY_MS = 60_000;
    private static final ResourceVector ASK = ResourceVector.of(1, 2, 1024);
    private static final Reason REASON = new Reason.Starts(1, ASK);
    private static final Plan GOOD = new Plan(List.of(new Decision.Wait("job", REASON)));

    private final Snapshot snapshot = new Snapshot(
            0,
            List.of(new NodeView(
                    "n1:1",
                    "/rack",
                    ResourceVector.of(1, 4, 4096),
                    ResourceVector.ZERO,
                    ResourceVector.ZERO,
                    List.of(),
                    true)),
            new QueueView("root.q", ResourceVector.of(8, 64, 65536), ResourceVector.ZERO),
            List.of(new JobView(
                    "job",
                    0,
                    List.of(new TaskGroup("worker", 1, 1, ASK, Set.of())),
                    List.of(),
                    Optional.empty(),
                    false,
                    Progress.NONE,
                    Set.of())),
            false);
    /** How often a round was asked for because a policy has ended. */
    private final AtomicInteger late = new AtomicInteger();

    /** One that waits for its policy however busy the machine is. */
    private final QueuePlanner planner = planner(Duration.ofMinutes(10), 300_000);

    @AfterEach
    void stop() {
        planner.stop();
    }

    @Test
    void goodPlanIsGivenOn() {
        assertEquals(Optional.of(GOOD), planner.plan(policy(s -> GOOD), snapshot, 0));
        assertFalse(planner.isPlain(0));
    }

    @Test
    void policyThatItsRoundWaitedForAsksForNoOtherRound() {
        for (int i = 0; i < 10; i++) {
            // The thread of the policy begins with the next only after all that it does for the one before.
            assertEquals(Optional.of(GOOD), planner.plan(policy(s -> GOOD), snapshot, i));
        }
        assertEquals(0, late.get());
    }

    @Test
    void tellsHowNearAPlanComesToTheBest() {
        try (LogLines log = new LogLines(QueuePlanner.class.getName(), Level.INFO)) {
            for (double planned : new double[] {90, 90.5, 95}) {
                Plan plan = new Plan(GOOD.decisions(), Optional.of(new Throughput(planned, 100)));
                assertEquals(Optional.of(plan), planner.plan(policy(s -> plan), snapshot, 0));
            }
            assertEquals(2, log.lines().size(), "a change by half a hundredth is not worth a line");
            assertTrue(log.lines().get(1).contains("(5.0 % off)"), log.lines()::toString);
        }
    }

    @Test
    void tellsHowNearTheChoiceOfJobsComesToTheBest() {
        assertEquals(Optional.empty(), planner.certificate());
        try (LogLines log = new LogLines(QueuePlanner.class.getName(), Level.INFO)) {
            for (double value : new double[] {4, 4.01, 3.2}) {
                Certificate certificate = new Certificate(value, 4.01, true);
                Plan plan = new Plan(GOOD.decisions(), Optional.empty(), Optional.of(certificate));
                planner.plan(policy(s -> plan), snapshot, 0);
                assertEquals(Optional.of(certificate), planner.certificate());
            }
            assertEquals(2, log.lines().size(), "a change by a quarter of a hundredth is not worth a line");
            assertTrue(
                    log.lines().get(1).contains("bring 3.20; no choice could bring more than 4.01"),
                    log.lines()::toString);
        }
        planner.plan(policy(s -> GOOD), snapshot, 0);
        assertEquals(Optional.empty(), planner.certificate(), "another policy tells nothing");
    }

    @Test
    void throwingPolicyPlansNothing() {
        assertEquals(Optional.empty(), fail(0));
        assertEquals(
                Optional.empty(),
                planner.plan(
                        policy(s -> {
                            throw new StackOverflowError("a policy that recurses for ever");
                        }),
                        snapshot,
                        0));
        assertFalse(planner.isPlain(0));
    }

    @Test
    void planThatBreaksARuleIsNotGivenOn() {
        Plan closedNode = new Plan(List.of(new Decision.Run(
                "job", List.of(new TaskPlacement("worker", "n2:1", ASK, List.of())), Map.of(), REASON)));
        assertEquals(Optional.empty(), planner.plan(policy(s -> closedNode), snapshot, 0));
        assertEquals(Optional.empty(), planner.plan(policy(s -> Plan.EMPTY), snapshot, 0), "a job is not decided");
    }

    @Test
    void oneJobThatThePolicyCannotDealWithDoesNotHoldUpTheOthers() {
        JobView other = new JobView(
                "other",
                0,
                snapshot.jobs().get(0).groups(),
                List.of(),
                Optional.empty(),
                false,
                Progress.NONE,
                Set.of());
        Snapshot two = new Snapshot(
                0, snapshot.nodes(), snapshot.queue(), List.of(snapshot.jobs().get(0), other), false);
        Decision starts = new Decision.Run(
                "other", List.of(new TaskPlacement("worker", "n1:1", ASK, List.of())), Map.of(), REASON);
        Decision closedNode =
                new Decision.Run("job", List.of(new TaskPlacement("worker", "n2:1", ASK, List.of())), Map.of(), REASON);
        for (int i = 0; i <= FAILURES; i++) {
            Plan plan = planner.plan(policy(s -> new Plan(List.of(closedNode, starts))), two, i)
                    .orElseThrow();
            assertEquals(Optional.of(starts), plan.of("other"));
            assertTrue(plan.of("job").orElseThrow() instanceof Decision.Wait);
            assertFalse(planner.isPlain(i));
        }
    }

    @Test
    void settingsThatAreUnusableWhileARefreshIsRefusedKeepThePolicy() {
        Policy good = policy(s -> GOOD);
        assertEquals(good, planner.policy(queue -> good));
        assertEquals(good, planner.policy(queue -> {
            throw new IllegalArgumentException("treadle.policy of queue root.q is 'nonsense'");
        }));
        assertEquals(Optional.of(GOOD), planner.plan(good, snapshot, 0));
        assertFalse(planner.isPlain(0));
    }

    @Test
    void slowPolicyPlansOnAndItsPlanComesLater() {
        QueuePlanner others = planner(Duration.ofMinutes(10), 50);
        CountDownLatch end = new CountDownLatch(1);
        Policy slow = policy(s -> {
            Uninterruptibles.awaitUninterruptibly(end);
            Uninterruptibles.sleepUninterruptibly(Duration.ofMillis(20));
            return GOOD;
        });
        assertEquals(Optional.empty(), others.plan(slow, snapshot, 0));
        assertTrue(others.isPlanning());
        assertEquals(0, late.get());
        end.countDown();
        while (late.get() == 0) {
            Thread.onSpinWait();
        }
        assertFalse(others.isBusy());
        assertTrue(others.takeWorkedMs() >= 20, "so long it has worked");
        assertEquals(0, others.takeWorkedMs());
        Optional<Plan> plan = Optional.empty();
        Snapshot later = new Snapshot(1, snapshot.nodes(), snapshot.queue(), snapshot.jobs(), false);
        while (plan.isEmpty()) {
            plan = others.plan(slow, later, 1);
        }
        assertEquals(Optional.of(GOOD), plan);
        assertEquals(Optional.of(snapshot), others.plannedFor(), "the plan is carried out for what it was made for");
        assertFalse(others.isPlanning());
        others.stop();
    }

    @Test
    void planThatCannotEvenBeCheckedIsAFailureToo() {
        Plan unknownGroup = new Plan(List.of(new Decision.Run(
                "job", List.of(new TaskPlacement("server", "n1:1", ASK, List.of())), Map.of(), REASON)));
        for (int i = 0; i < FAILURES; i++) {
            assertFalse(planner.isPlain(i));
            assertEquals(Optional.empty(), planner.plan(policy(s -> unknownGroup), snapshot, i));
        }
        assertTrue(planner.isPlain(FAILURES));
    }

    @Test
    void slowPolicyKeepsItsOneThreadAndIsTriedAgainWhenItHasEnded() throws InterruptedException {
        QueuePlanner impatient = planner(Duration.ofMillis(10), 250);
        CountDownLatch interrupted = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger started = new AtomicInteger();
        Policy slow = policy(s -> {
            started.incrementAndGet();
            boolean waiting = true;
            while (waiting) {
                try {
                    waiting = !end.await(1, TimeUnit.DAYS);
                } catch (InterruptedException e) {
                    // It goes on all the same, as a loop that never looks would.
                    interrupted.countDown();
                }
            }
            return GOOD;
        });
        assertEquals(Optional.empty(), impatient.plan(slow, snapshot, 0));
        while (started.get() == 0) {
            // An interrupt before it begins would be lost.
            Thread.onSpinWait();
        }
        for (int round = 1; round < FAILURES; round++) {
            assertFalse(impatient.isPlain(round));
            assertEquals(Optional.empty(), impatient.plan(slow, snapshot, round));
        }
        assertTrue(impatient.isPlain(FAILURES), "rounds in which it is still at it count as failures");
        assertTrue(interrupted.await(5, TimeUnit.MINUTES));
        assertEquals(1, started.get());
        assertTrue(impatient.isBusy());

        end.countDown();
        while (impatient.isBusy()) {
            Thread.onSpinWait();
        }
        Optional<Plan> next = Optional.empty();
        for (long round = 1; next.isEmpty() && round < 1000; round++) {
            // 10 ms can be too short for any policy on a busy machine.
            next = impatient.plan(policy(s -> GOOD), snapshot, round * RETRY_MS);
        }
        assertEquals(Optional.of(GOOD), next);
        impatient.stop();
    }

    @Test
    void whatFailsBesideThePolicyCountsToo() {
        for (int i = 0; i < FAILURES; i++) {
            assertFalse(planner.isPlain(i));
            planner.roundFailed(new IllegalArgumentException("no such policy"), i);
        }
        assertTrue(planner.isPlain(FAILURES));
        planner.refreshed();
        assertFalse(planner.isPlain(FAILURES), "new settings are tried at once");
    }

    @Test
    void plainAfterFailuresInARowUntilTheRetry() {
        fail(0);
        fail(1);
        assertFalse(planner.isPlain(1));
        fail(2);
        assertTrue(planner.isPlain(2));
        assertTrue(planner.isPlain(2 + RETRY_MS - 1));
        assertFalse(planner.isPlain(2 + RETRY_MS));
        assertEquals(Optional.of(GOOD), planner.plan(policy(s -> GOOD), snapshot, 2 + RETRY_MS));
        assertFalse(planner.isPlain(3 + RETRY_MS));
    }

    @Test
    void successBetweenFailuresStartsTheCountAnew() {
        fail(0);
        fail(1);
        planner.plan(policy(s -> GOOD), snapshot, 2);
        fail(3);
        fail(4);
        assertFalse(planner.isPlain(4));
        fail(5);
        assertTrue(planner.isPlain(5));
    }

    @Test
    void interruptEndsTheRoundAndStays() {
        // The policy ends only after the planner: a plan that is there already would be taken, interrupted or not.
        CountDownLatch planned = new CountDownLatch(1);
        Thread.currentThread().interrupt();
        Optional<Plan> plan = planner.plan(
                policy(s -> {
                    Uninterruptibles.awaitUninterruptibly(planned);
                    return GOOD;
                }),
                snapshot,
                0);
        planned.countDown();
        assertTrue(Thread.interrupted());
        assertEquals(Optional.empty(), plan);
    }

    private Optional<Plan> fail(long nowMs) {
        return planner.plan(
                policy(s -> {
                    throw new IllegalStateException("the policy has a bug");
                }),
                snapshot,
                nowMs);
    }

    private QueuePlanner planner(Duration timeout, long patienceMs) {
        return new QueuePlanner(
                "root.q",
                new SchedulerConf(
                        Duration.ofMillis(1),
                        Duration.ofMillis(10),
                        timeout,
                        FAILURES,
                        Duration.ofMillis(RETRY_MS),
                        0,
                        0,
                        0,
                        0,
                        Crossing.NONE,
                        BudgetSetting.NONE,
                        Duration.ofMinutes(15),
                        new PowerSettings(
                                Duration.ofMinutes(1),
                                Duration.ofMinutes(1),
                                30,
                                0,
                                new PowerOffSettings(Optional.empty(), Duration.ofMinutes(5), 1, Duration.ofMinutes(2)),
                                ""),
                        new ReservationSettings(Duration.ofSeconds(3), Duration.ofMinutes(30), 100),
                        SmdRules.DEFAULT,
                        new RefusalSettings(true, Duration.ZERO),
                        "",
                        "",
                        "",
                        ""),
                Surroundings.REAL,
                late::incrementAndGet,
                patienceMs);
    }

    private static Policy policy(Function<Snapshot, Plan> body) {
        return new Policy() {
            @Override
            public String name() {
                return "test";
            }

            @Override
            public Plan plan(Snapshot snapshot) {
                return body.apply(snapshot);
            }
        };
    }
}
