// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.ProfileDataset;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.ZkPaths;
import io.treadle.rm.bridge.SchedulerAccess;
import io.treadle.rm.bridge.SharedStorageLimit;
import io.treadle.rm.bridge.YarnResources;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.SchedulingMode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ContainerAllocationProposal;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ResourceCommitRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.SchedulerContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Two nodes that could draw 400 MB/s each from a file system that gives 500: whoever asks, no more is ever given out. */
@ParameterizedClass(name = "asynchronous scheduling {0}")
@ValueSource(booleans = {false, true})
class SharedStorageTest {
    private final boolean asynchronous;

    SharedStorageTest(boolean asynchronous) {
        this.asynchronous = asynchronous;
    }

    private static final long LIMIT = 500;
    /** Without a cache 600 MB/s are 4000 samples/s; one worker was read to at 2000 MB/s. */
    private static final ProfileDataset DATA = new ProfileDataset(600_000_000_000L, 4_000_000, 5000, 2000, 100);

    @AutoClose
    private final TestZooKeeper zooKeeper = new TestZooKeeper();

    @Test
    void sharesOfAllNodesAndWhatOthersLeave() throws Exception {
        try (SchedulerHarness cluster = start()) {
            List<MockNM> nodes = List.of(node(cluster, 1001), node(cluster, 1002));
            MockAM first = cluster.startGang(SchedulerHarness.gang(1, 2, 1, 512), nodes.get(0));
            Container alone = cluster.awaitContainers(first).get(0);
            cluster.launch(List.of(alone));
            tell(first);
            await(cluster, "alone it has all that its node draws", first, () -> storage(cluster, alone) == 400);

            // 500 MB/s ÷ 4 GPUs: 250 for two of them.
            MockAM second = cluster.startGang(SchedulerHarness.gang(1, 2, 1, 512), nodes.get(1));
            List<Container> got = new ArrayList<>();
            await(cluster, "the second starts", first, () -> {
                got.addAll(cluster.pull(second));
                return !got.isEmpty();
            });
            cluster.launch(got);
            tell(second);
            await(cluster, "both have their shares", first, () -> {
                cluster.pull(second);
                return storage(cluster, alone) == 250 && storage(cluster, got.get(0)) == 250;
            });
        }
    }

    /** An application that no policy of ours plans: YARN itself would give it the node's 400. */
    @Test
    void plainApplicationsAreCountedToo() throws Exception {
        try (SchedulerHarness cluster = start()) {
            MockNM one = node(cluster, 1001);
            node(cluster, 1002);
            ResourceRequest asks = ResourceRequest.newBuilder()
                    .priority(Priority.newInstance(5))
                    .resourceName(ResourceRequest.ANY)
                    .capability(
                            YarnResources.resource(ResourceVector.of(0, 1, 256).withStorageMBps(200)))
                    .numContainers(4)
                    .relaxLocality(true)
                    .build();
            MockAM plain = cluster.startApp("plain", Map.of(), List.of(asks), one);
            List<Container> got = new ArrayList<>();
            cluster.awaitTrue("two of four fit", () -> {
                got.addAll(cluster.pull(plain));
                return got.size() == 2;
            });
            for (int i = 0; i < 10; i++) {
                got.addAll(cluster.pull(plain));
            }
            assertEquals(2, got.size(), "200 MB/s each");
            // What it gives back another container gets.
            cluster.launch(got);
            plain.allocate(List.of(), List.of(got.get(0).getId()));
            cluster.complete(List.of(got.get(0)));
            List<Container> later = new ArrayList<>();
            cluster.awaitTrue("the third starts", () -> {
                later.addAll(cluster.pull(plain));
                return later.size() == 1;
            });
            assertEquals(400, cluster.handedOut().storageMBps());
        }
    }

    /** It is asked under the scheduler's lock for each container of each application. */
    @Test
    void whoAsksForNoneCostsNoLookAtTheNodes() throws Exception {
        try (SchedulerHarness cluster = start()) {
            MockNM node = node(cluster, 1001);
            MockAM am = cluster.startApp("plain", Map.of(), List.of(), node);
            AtomicInteger looks = new AtomicInteger();
            SharedStorageLimit limit =
                    new SharedStorageLimit(counting(cluster.scheduler().access(), looks), LIMIT);
            assertTrue(limit.hasRoomFor(request(cluster, am, node, 0)));
            assertEquals(0, looks.get());
            assertTrue(limit.hasRoomFor(request(cluster, am, node, LIMIT)));
            assertFalse(limit.hasRoomFor(request(cluster, am, node, LIMIT + 1)));
            assertEquals(2, looks.get());
        }
    }

    private static ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode> request(
            SchedulerHarness cluster, MockAM am, MockNM node, long megabytesPerSecond) {
        SchedulerAccess access = cluster.scheduler().access();
        var container = new SchedulerContainer<>(
                access.app(am.getApplicationAttemptId().getApplicationId()).orElseThrow(),
                access.node(node.getNodeId()).orElseThrow(),
                (RMContainer) null,
                "",
                true);
        var proposal = new ContainerAllocationProposal<>(
                container,
                List.of(),
                null,
                NodeType.OFF_SWITCH,
                NodeType.OFF_SWITCH,
                SchedulingMode.RESPECT_PARTITION_EXCLUSIVITY,
                YarnResources.resource(ResourceVector.of(0, 1, 256).withStorageMBps(megabytesPerSecond)));
        return new ResourceCommitRequest<>(List.of(proposal), List.of(), List.of());
    }

    private static SchedulerAccess counting(SchedulerAccess access, AtomicInteger looks) {
        return (SchedulerAccess) Proxy.newProxyInstance(
                SchedulerAccess.class.getClassLoader(),
                new Class<?>[] {SchedulerAccess.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("nodes")) {
                        looks.incrementAndGet();
                    }
                    return method.invoke(access, arguments);
                });
    }

    private SchedulerHarness start() {
        Configuration conf = zooKeeper.settings(asynchronous, "fifo+synergy-balanced");
        conf.set("yarn.scheduler.treadle.shared-storage-mbps", String.valueOf(LIMIT));
        return SchedulerHarness.start(conf);
    }

    private static MockNM node(SchedulerHarness cluster, int port) throws Exception {
        MockNM node = cluster.resourceManager.registerNode(
                "127.0.0.1:" + port,
                YarnResources.resource(ResourceVector.of(2, 10, 8192).withStorageMBps(400)));
        cluster.watch(node);
        return node;
    }

    /** It was measured where nothing held it back. */
    private void tell(MockAM am) throws Exception {
        String job = am.getApplicationAttemptId().getApplicationId().toString();
        ProfileRecord profile = new ProfileRecord(
                        job,
                        "",
                        "",
                        4,
                        ProfileRecord.Phase.READY,
                        1,
                        List.of(new ProfileRecord.Point(1, 512, 4000, 5), new ProfileRecord.Point(4, 512, 4000, 5)),
                        1)
                .withDataset(Optional.of(DATA));
        zooKeeper.write(ZkPaths.profile(job), profile.toJson());
    }

    private static void await(SchedulerHarness cluster, String what, MockAM am, BooleanSupplier condition)
            throws InterruptedException {
        cluster.awaitTrue(what, () -> {
            cluster.pull(am);
            assertTrue(cluster.handedOut().storageMBps() <= LIMIT, () -> cluster.handedOut()
                    .describe());
            return condition.getAsBoolean();
        });
    }

    private static long storage(SchedulerHarness cluster, Container container) {
        return YarnResources.vector(
                        cluster.scheduler().getRMContainer(container.getId()).getAllocatedResource())
                .storageMBps();
    }
}
