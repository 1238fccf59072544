// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.wire.NodeRecord;
import io.treadle.rm.power.ClusterDraw;
import io.treadle.rm.profile.NoTelemetry;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.MockNodes;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.junit.jupiter.api.Test;

/** Every few seconds, on clusters of any size, beside CapacityScheduler, which takes the same locks. */
class StartingDrawTest {
    private static final NodeRecord.Device GPU = new NodeRecord.Device(
            "GPU-0", 0, "A100", 40960, true, NodeRecord.Health.OK, 250, 400, 0, 0, 30, 0, List.of());

    @Test
    void containersOfNodesWithoutGpusAreNotLookedAt() {
        assertEquals(0, looks(true, Optional.empty()));
        assertEquals(0, looks(true, Optional.of(List.of())));
        assertEquals(1, looks(true, Optional.of(List.of(GPU))));
    }

    @Test
    void nodesAreNotLookedAtBeforeOneHasSpoken() {
        assertEquals(0, looks(false, Optional.of(List.of(GPU))));
    }

    /** Of the containers of one node. */
    private static int looks(boolean spoken, Optional<List<NodeRecord.Device>> devices) {
        AtomicInteger looks = new AtomicInteger();
        FiCaSchedulerNode node = new FiCaSchedulerNode(MockNodes.newNodeInfo(1, Resource.newInstance(8192, 8)), false) {
            @Override
            public synchronized List<RMContainer> getCopiedListOfRunningContainers() {
                looks.incrementAndGet();
                return super.getCopiedListOfRunningContainers();
            }
        };
        SchedulerAccess scheduler = (SchedulerAccess) Proxy.newProxyInstance(
                SchedulerAccess.class.getClassLoader(),
                new Class<?>[] {SchedulerAccess.class},
                (proxy, method, arguments) -> {
                    assertEquals("nodes", method.getName());
                    return List.of(node);
                });
        NoTelemetry telemetry = new NoTelemetry() {
            @Override
            public boolean knowsNodes() {
                return spoken;
            }

            @Override
            public Optional<NodeRecord> node(String hostAndPort) {
                return devices.map(all -> new NodeRecord(hostAndPort, 1, all, Optional.empty()));
            }
        };
        ClusterDraw drawn = new ClusterDraw(800, 0, 0, Map.of("root.ml", 250.0), Map.of(), List.of());
        StartingDraw starting = new StartingDraw(scheduler, telemetry, owner -> Optional.empty(), Clock.systemUTC());
        assertEquals(250, starting.with(drawn).under("root.ml"));
        return looks.get();
    }
}
