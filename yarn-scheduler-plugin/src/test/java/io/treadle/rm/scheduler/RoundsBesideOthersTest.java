// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.Uninterruptibles;
import io.treadle.core.resource.ResourceVector;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a round is costly, applications that come, go and give back do not keep the planner busy for a gang that waits. */
class RoundsBesideOthersTest {
    /** So long takes a round at the least. */
    private static final Duration ROUND = Duration.ofMillis(300);
    /** And so long it is until the next one, if nothing happens to a gang. */
    private static final long REST_NANOS = Duration.ofSeconds(5).toNanos();

    private final AtomicInteger rounds = new AtomicInteger();

    @ParameterizedTest(name = "asynchronous scheduling: {0}")
    @ValueSource(booleans = {false, true})
    void costlyRoundsDoNotFollowWhatOtherApplicationsDo(boolean asynchronous) throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, "fifo");
        conf.set("yarn.scheduler.treadle.policy.timeout-ms", "60000");
        conf.set("yarn.scheduler.treadle.reservation.max-seconds", "0");
        try (SchedulerHarness cluster = SchedulerHarness.start(
                conf,
                policy -> new WatchedPolicy(policy, snapshot -> {
                    rounds.incrementAndGet();
                    Uninterruptibles.sleepUninterruptibly(ROUND);
                }))) {
            // A gang takes what is idle beside its GPUs.
            cluster.node(1001, 2, 16, 32_768);
            MockNM node = cluster.node(1002, 0, 128, 32_768);
            cluster.startGang(SchedulerHarness.gang(2, 1, 1, 512), node);
            cluster.awaitTrue("the gang is planned", () -> rounds.get() > 0);
            MockAM waits = cluster.startGang(SchedulerHarness.gang(2, 1, 1, 512), node);
            int before = rounds.get();
            cluster.awaitTrue("a gang that asks is planned", () -> rounds.get() > before);

            long begun = System.nanoTime();
            int first = rounds.get();
            for (int i = 0; i < 15; i++) {
                MockAM plain = cluster.startApp(
                        "plain", Map.of(), SchedulerHarness.asks(ResourceVector.of(0, 1, 64), 4), node);
                cluster.awaitContainers(plain).forEach(container -> release(plain, container.getId()));
                cluster.resourceManager.killApp(plain.getApplicationAttemptId().getApplicationId());
                cluster.resourceManager.drainEvents();
                Uninterruptibles.sleepUninterruptibly(ROUND);
            }
            int later = rounds.get() - first;
            long most = 1 + (System.nanoTime() - begun) / REST_NANOS;
            // One more may have been due for what had happened to the gangs before.
            assertTrue(later <= most + 1, () -> later + " rounds");

            ApplicationId id = waits.getApplicationAttemptId().getApplicationId();
            int known = rounds.get();
            cluster.resourceManager.killApp(id);
            cluster.startGang(SchedulerHarness.gang(1, 1, 1, 512), node);
            cluster.awaitTrue("a gang that comes is planned", () -> rounds.get() > known);
        }
    }

    private static void release(MockAM plain, ContainerId container) {
        try {
            plain.allocate(List.of(), List.of(container));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
