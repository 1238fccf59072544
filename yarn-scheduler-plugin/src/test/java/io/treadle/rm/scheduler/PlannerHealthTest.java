// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.apache.hadoop.test.MetricsAsserts.getLongGauge;
import static org.apache.hadoop.test.MetricsAsserts.getMetrics;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.Uninterruptibles;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.plan.Plan;
import io.treadle.core.policy.Policy;
import io.treadle.rm.metrics.TreadleMetrics;
import io.treadle.rm.profile.NoTelemetry;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.log4j.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever the planner thread meets, planning goes on and is seen. */
class PlannerHealthTest {
    private static final long SECOND = 1_000_000_000;

    /** A policy with trouble on the planner's own thread. */
    private record Troubled(Policy policy, Supplier<Throwable> trouble, Runnable whilePlanning) implements Policy {
        @Override
        public String name() {
            return policy.name();
        }

        @Override
        public boolean stopsJobs() {
            if (trouble.get() instanceof Error error) {
                throw error;
            }
            return policy.stopsJobs();
        }

        @Override
        public boolean choosesGpus() {
            return policy.choosesGpus();
        }

        @Override
        public Plan plan(Snapshot snapshot) {
            whilePlanning.run();
            return policy.plan(snapshot);
        }
    }

    private volatile Throwable trouble = new Throwable();

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void errorOnThePlannerThreadEndsNothingButItsRound(boolean asynchronous) throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, "fifo+synergy-tune");
        // The policy is to plan again at once: this is about the thread.
        conf.setInt("yarn.scheduler.treadle.policy.failures", 1000);
        try (SchedulerHarness cluster =
                SchedulerHarness.start(conf, policy -> new Troubled(policy, () -> trouble, () -> {}))) {
            MockNM node = cluster.node(1001, 4, 18, 16384);
            trouble = new OutOfMemoryError("Java heap space");
            MockAM am = cluster.startGang(SchedulerHarness.gang(2, 1, 1, 512), node);
            cluster.awaitTrue(
                    "the failure is seen", () -> cluster.scheduler().planner().failures() > 0);
            assertEquals(
                    "plan queue root.ml: java.lang.OutOfMemoryError: Java heap space",
                    cluster.scheduler().planner().lastFailure());
            trouble = new Throwable();
            assertEquals(2, cluster.awaitContainers(am).size());
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void slowPolicyHoldsUpItsOwnQueueAlone(boolean asynchronous) throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, "fifo+synergy-tune");
        conf.set("yarn.scheduler.capacity.root.plain.treadle.policy", "srtf+synergy-tune");
        conf.set("yarn.scheduler.capacity.root.plain.ordering-policy", "io.treadle.rm.gang.GangOrderingPolicy");
        conf.setInt("yarn.scheduler.treadle.policy.timeout-ms", 60_000);
        try (SchedulerHarness cluster = SchedulerHarness.start(
                conf,
                policy -> policy.name().startsWith("fifo")
                        ? new Troubled(policy, () -> trouble, () -> Uninterruptibles.awaitUninterruptibly(end))
                        : policy)) {
            MockNM node = cluster.node(1001, 4, 18, 16384);
            MockAM slow = cluster.startGang(SchedulerHarness.gang(2, 1, 1, 512), node);
            var spec = SchedulerHarness.gang(2, 1, 1, 512);
            MockAM quick = cluster.startApp("plain", spec.toProperties(), SchedulerHarness.requests(spec), node);
            assertEquals(2, cluster.awaitContainers(quick).size(), "its queue's policy is quick");
            assertEquals(List.of(), slow.allocate(List.of(), List.of()).getAllocatedContainers());
            end.countDown();
            assertEquals(2, cluster.awaitContainers(slow).size());
        } finally {
            end.countDown();
        }
    }

    /** Nothing but the time that passes is told to the ResourceManager. */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void queueOfAPlannerThatIsStuckGoesOnAsPlainCapacityAndIsSeen(boolean asynchronous) throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        AtomicBoolean hangs = new AtomicBoolean();
        AtomicLong later = new AtomicLong();
        Surroundings surroundings = new Surroundings(
                Clock.systemUTC(), () -> System.nanoTime() + later.get(), new NoTelemetry(), () -> true, false);
        UnaryOperator<Policy> hanging = policy -> new Troubled(
                policy,
                () -> {
                    if (hangs.get()) {
                        Uninterruptibles.awaitUninterruptibly(end);
                    }
                    return trouble;
                },
                () -> {});
        try (SchedulerHarness cluster = SchedulerHarness.start(
                SchedulerHarness.settings(asynchronous, "fifo+synergy-tune"), hanging, null, surroundings)) {
            MockNM node = cluster.node(1001, 4, 18, 16384);
            hangs.set(true);
            var spec = SchedulerHarness.gang(2, 1, 1, 512);
            MockAM gang = cluster.startGang(spec, node);
            cluster.awaitTrue(
                    "the planner hangs",
                    () -> cluster.scheduler().planner().activity().equals("plan"));
            later.set(31 * SECOND);
            cluster.awaitTrue(
                    "the metric says so", () -> getLongGauge("PlannerStuckSeconds", getMetrics("TreadleMetrics")) > 0);
            assertTrue(cluster.scheduler().planner().stuck(), "the page reads this");
            assertEquals(List.of(), gang.allocate(List.of(), List.of()).getAllocatedContainers());

            later.set(62 * SECOND);
            List<Container> granted = new ArrayList<>();
            cluster.awaitTrue("CapacityScheduler serves the gang", () -> {
                granted.addAll(cluster.pull(gang));
                return granted.size() == 2;
            });
            hangs.set(false);
            end.countDown();
            cluster.awaitTrue(
                    "the planner goes on", () -> !cluster.scheduler().planner().stuck());
            MockAM next = cluster.startGang(spec, node);
            assertEquals(2, cluster.awaitContainers(next).size(), "whole");
        } finally {
            end.countDown();
        }
    }

    @Test
    void partThatNeverEndsIsSeenAndInterrupted() throws Exception {
        AtomicLong nanos = new AtomicLong();
        TreadleMetrics metrics = TreadleMetrics.register();
        PlannerHealth health = new PlannerHealth(metrics, nanos::get, Duration.ofSeconds(30));
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch heard = new CountDownLatch(1);
        Thread planner = new Thread(() -> health.part("keep histories of jobs", () -> {
            begun.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                heard.countDown();
            }
        }));
        planner.setDaemon(true);
        try (LogLines log = new LogLines(PlannerHealth.class.getName(), Level.INFO)) {
            planner.start();
            begun.await();
            while (planner.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            nanos.set(29 * SECOND);
            health.look(planner);
            assertFalse(health.report().stuck());
            nanos.set(31 * SECOND);
            health.look(planner);
            health.look(planner);
            assertTrue(health.report().stuck());
            assertFalse(health.isStuck(), "its queues are still planned");
            assertEquals(1, log.lines().size(), log.lines()::toString);
            assertTrue(
                    log.lines().get(0).contains("busy for 31 s to keep histories of jobs")
                            && log.lines().get(0).contains("CountDownLatch.await"),
                    log.lines()::toString);
            nanos.set(61 * SECOND);
            assertTrue(health.isStuck(), "its queues behave as plain capacity");
            health.look(planner);
            assertTrue(heard.await(120, TimeUnit.SECONDS), "it is interrupted");
            planner.join(30_000);
            health.look(planner);
            assertEquals("", health.report().activity());
            assertEquals(
                    "The planner goes on: 'keep histories of jobs' has ended",
                    log.lines().get(log.lines().size() - 1));
        } finally {
            DefaultMetricsSystem.shutdown();
        }
    }

    @Test
    void partThatFailsIsCountedAndTheNextOneRuns() {
        TreadleMetrics metrics = TreadleMetrics.register();
        PlannerHealth health = new PlannerHealth(metrics, System::nanoTime, Duration.ofSeconds(30));
        try {
            for (Throwable failure : List.of(new OutOfMemoryError("heap"), new NoClassDefFoundError("A"))) {
                health.part("update metrics", () -> {
                    throw (Error) failure;
                });
            }
            health.part("update metrics", () -> {});
            assertEquals(2, health.report().failures());
            assertEquals(
                    "update metrics: java.lang.NoClassDefFoundError: A",
                    health.report().lastFailure());
        } finally {
            DefaultMetricsSystem.shutdown();
        }
    }
}
