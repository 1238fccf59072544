// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.plan.Decision;
import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What may start a gang makes a round due at once, though nothing is planned for ten minutes where nothing happens. */
class RoundsComeInTimeTest {
    private static YarnConfiguration settings(boolean asynchronous) {
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, "fifo");
        conf.set("yarn.scheduler.treadle.round.max-age-ms", "600000");
        conf.set("yarn.scheduler.treadle.power.caps-lease-ms", "3600000");
        conf.set("yarn.scheduler.treadle.reservation.max-seconds", "0");
        // The nodes with GPUs come after the ApplicationMasters have their places.
        conf.set("yarn.scheduler.treadle.refuse-too-large", "false");
        return conf;
    }

    /** YARN keeps the room of a container that was given back until its node says that it is gone. */
    @ParameterizedTest(name = "asynchronous scheduling: {0}")
    @ValueSource(booleans = {false, true})
    void roomThatANodeReportsIsSeen(boolean asynchronous) throws Exception {
        AtomicInteger rounds = new AtomicInteger();
        try (SchedulerHarness cluster = SchedulerHarness.start(
                settings(asynchronous), policy -> new WatchedPolicy(policy, snapshot -> rounds.incrementAndGet()))) {
            MockNM ofMasters = cluster.node(1001, 0, 8, 8192);
            MockAM plain = cluster.startApp("plain", Map.of(), List.of(), ofMasters);
            MockAM gang =
                    cluster.startApp("ml", SchedulerHarness.gang(2, 1, 1, 512).toProperties(), List.of(), ofMasters);
            MockNM node = cluster.node(1002, 2, 8, 8192);
            cluster.ask(plain, SchedulerHarness.asks(ResourceVector.of(2, 1, 512), 1));
            List<Container> held = cluster.awaitContainers(plain);
            cluster.launch(held);
            gang.allocate(SchedulerHarness.requests(SchedulerHarness.gang(2, 1, 1, 512)), List.of());
            cluster.awaitReason(
                    gang.getApplicationAttemptId().getApplicationId(),
                    "Gang 0/2: needs 2 GPUs (2 × 1), 0 free, at most 0 on one node, room for 0 of 2 tasks",
                    () -> {});
            // None is due for anything else.
            cluster.awaitTrue("rounds rest", () -> {
                int seen = rounds.get();
                LockSupport.parkNanos(500_000_000);
                return seen == rounds.get();
            });
            int before = rounds.get();
            plain.allocate(List.of(), List.of(held.get(0).getId()));
            cluster.awaitTrue("a round has come too early", () -> rounds.get() > before);
            cluster.complete(held);
            assertEquals(2, cluster.awaitContainers(gang).size());
            assertEquals(node.getNodeId(), held.get(0).getNodeId());
        }
    }

    /** Between the plan and the commit somebody else has taken the room. */
    @ParameterizedTest(name = "asynchronous scheduling: {0}")
    @ValueSource(booleans = {false, true})
    void startThatIsRefusedIsPlannedAgain(boolean asynchronous) throws Exception {
        AtomicReference<Runnable> takes = new AtomicReference<>(() -> {});
        AtomicInteger rounds = new AtomicInteger();
        try (SchedulerHarness cluster = SchedulerHarness.start(
                settings(asynchronous),
                policy -> new WatchedPolicy(policy, snapshot -> rounds.incrementAndGet(), plan -> {
                    if (plan.decisions().stream().anyMatch(Decision.Run.class::isInstance)) {
                        takes.getAndSet(() -> {}).run();
                    }
                }))) {
            MockNM ofMasters = cluster.node(1001, 0, 8, 8192);
            MockAM plain = cluster.startApp("plain", Map.of(), List.of(), ofMasters);
            MockAM gang =
                    cluster.startApp("ml", SchedulerHarness.gang(2, 1, 1, 512).toProperties(), List.of(), ofMasters);
            cluster.node(1002, 2, 8, 8192);
            takes.set(() -> {
                rounds.set(0);
                try {
                    cluster.ask(plain, SchedulerHarness.asks(ResourceVector.of(2, 1, 512), 1));
                    cluster.awaitContainers(plain);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            gang.allocate(SchedulerHarness.requests(SchedulerHarness.gang(2, 1, 1, 512)), List.of());
            cluster.awaitTrue(
                    "the gang's room is taken and it is planned again",
                    () -> cluster.used().gpus() == 2 && rounds.get() > 0);
        }
    }
}
