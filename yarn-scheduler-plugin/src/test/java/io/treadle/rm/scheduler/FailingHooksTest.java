// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.NodeRecord;
import io.treadle.rm.profile.NoTelemetry;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    private Surroundings surroundings() {
        NoTelemetry records = new NoTelemetry() {
            @Override
            public Optional<NodeRecord> node(String hostAndPort) {
                if (broken.get()) {
                    throw new IllegalStateException("a fault of ours");
                }
                return Optional.empty();
            }
        };
        return new Surroundings(Clock.systemUTC(), System::nanoTime, records, () -> true, false);
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
                List<Container> containers = new ArrayList<>();
                cluster.awaitTrue("a plain application gets its containers", () -> {
                    try {
                        containers.addAll(cluster.pull(plain));
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                    return containers.size() == 2;
                });
                cluster.launch(containers);
                cluster.complete(containers);
            }
            assertEquals(0, cluster.used().gpus());
            assertTrue(cluster.scheduler().failures() > 0, "it is counted");
            broken.set(false);
            List<Container> devices = new ArrayList<>();
            cluster.awaitTrue("devices are handed out", () -> {
                try {
                    devices.addAll(cluster.pull(gpus));
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
                return devices.size() == 2;
            });
        }
    }
}
