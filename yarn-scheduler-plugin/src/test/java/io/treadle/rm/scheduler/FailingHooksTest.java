// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.NodeRecord;
import io.treadle.rm.StandingClock;
import io.treadle.rm.bridge.GangReservation;
import io.treadle.rm.profile.NoTelemetry;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Hadoop ends the ResourceManager where its scheduler throws. What of ours throws on the scheduler's threads keeps devices from being
 * handed out unchecked, and nothing else from anybody.
 */
class FailingHooksTest {
    private final AtomicBoolean broken = new AtomicBoolean(true);
    private final AtomicBoolean clockBroken = new AtomicBoolean();

    private Surroundings surroundings() {
        NoTelemetry records = new NoTelemetry() {
            @Override
            public boolean knowsNodes() {
                return true;
            }

            @Override
            public Optional<NodeRecord> node(String hostAndPort) {
                if (broken.get()) {
                    throw new IllegalStateException("a fault of ours");
                }
                return Optional.empty();
            }
        };
        StandingClock clock = new StandingClock() {
            @Override
            public Instant instant() {
                if (clockBroken.get()) {
                    throw new IllegalStateException("a fault of ours");
                }
                return super.instant();
            }
        };
        return new Surroundings(clock, System::nanoTime, records, () -> true, false);
    }

    /** Whether a reservation still holds is asked for each ask on its node, and once more at the commit. */
    @ParameterizedTest(name = "asynchronous scheduling: {0}")
    @ValueSource(booleans = {false, true})
    void ordinaryContainersAreHandedOutWhereNothingCanBeChecked(boolean asynchronous) throws Exception {
        broken.set(false);
        try (SchedulerHarness cluster = SchedulerHarness.start(
                SchedulerHarness.settings(asynchronous, "fifo"), UnaryOperator.identity(), null, surroundings())) {
            MockNM node = cluster.node(1001, 2, 16, 8192);
            MockAM plain = cluster.startApp("plain", Map.of(), List.of(), node);
            // Of a gang, so that its round does not remove it.
            MockAM gang =
                    cluster.startApp("ml", SchedulerHarness.gang(1, 1, 1, 512).toProperties(), List.of(), node);
            clockBroken.set(true);
            cluster.scheduler()
                    .reservations()
                    .put(new GangReservation(
                            gang.getApplicationAttemptId().getApplicationId(),
                            "",
                            Map.of(node.getNodeId(), ResourceVector.of(2, 16, 8192)),
                            Long.MAX_VALUE,
                            Set.of(),
                            ResourceVector.of(2, 16, 8192)));
            long before = cluster.scheduler().failures();
            cluster.ask(plain, SchedulerHarness.asks(ResourceVector.of(0, 1, 512), 1));
            assertEquals(1, cluster.awaitContainers(plain).size());
            assertTrue(cluster.scheduler().failures() > before, "it is counted");
            clockBroken.set(false);
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling: {0}")
    @ValueSource(booleans = {false, true})
    void othersGetTheirContainersAndDevicesWaitUntilTheyCanBeChecked(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(
                SchedulerHarness.settings(asynchronous, "fifo"), UnaryOperator.identity(), null, surroundings())) {
            MockNM node = cluster.node(1001, 2, 16, 8192);
            MockAM gpus =
                    cluster.startApp("plain", Map.of(), SchedulerHarness.asks(ResourceVector.of(1, 1, 512), 2), node);
            for (int i = 0; i < 3; i++) {
                MockAM plain = cluster.startApp(
                        "plain", Map.of(), SchedulerHarness.asks(ResourceVector.of(0, 1, 512), 2), node);
                List<Container> containers = cluster.awaitContainers(plain, 2);
                cluster.launch(containers);
                cluster.complete(containers);
            }
            assertEquals(0, cluster.used().gpus());
            assertTrue(cluster.scheduler().failures() > 0, "it is counted");
            broken.set(false);
            assertEquals(2, cluster.awaitContainers(gpus, 2).size(), "devices are handed out");
        }
    }
}
