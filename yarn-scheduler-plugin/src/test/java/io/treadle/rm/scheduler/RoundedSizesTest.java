// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.rm.bridge.YarnResources;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerUpdateType;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.UpdateContainerRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Gangs have the sizes that YARN would round their asks to, and a node never holds more than it has. */
class RoundedSizesTest {
    private static YarnConfiguration settings(boolean asynchronous, String policy, int memoryMiB, int vcores) {
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, policy);
        conf.setInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB, memoryMiB);
        conf.setInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_VCORES, vcores);
        conf.set("yarn.scheduler.treadle.node.spare-memory-mb", "0");
        return conf;
    }

    /** Four tasks of 1400 MiB fit on a node of 6000 MiB, four of 1536 MiB do not. */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void decreaseNeverMakesMemoryGrow(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(settings(asynchronous, "fifo+synergy-tune", 256, 1))) {
            MockNM masters = cluster.node(1001, 0, 8, 8192);
            cluster.node(1002, 4, 8, 6000);
            cluster.node(1003, 4, 8, 6000);
            MockAM am = cluster.startGang(SchedulerHarness.gang(6, 1, 2, 1400), masters);
            List<Container> members = cluster.awaitContainers(am);
            assertEquals(6, members.size());
            members.forEach(c -> assertEquals(1536, c.getResource().getMemorySize()));
            cluster.launch(members);
            askForOneVcore(cluster, am, members);
            for (Container member : members) {
                RMContainer now = cluster.scheduler().getRMContainer(member.getId());
                assertEquals(1536, now.getAllocatedResource().getMemorySize(), "memory stays what it was");
            }
            assertNothingIsOverCommitted(cluster);
        }
    }

    /** A gang that fits by its asks and not by their rounded sizes waits: it would over-commit the nodes. */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void gangThatFitsOnlyBeforeItIsRoundedIsNotGranted(boolean asynchronous) throws Exception {
        YarnConfiguration conf = settings(asynchronous, "fifo+synergy-tune", 256, 1);
        conf.set("yarn.scheduler.treadle.refuse-too-large", "false");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM masters = cluster.node(1001, 0, 8, 8192);
            cluster.node(1002, 4, 8, 6000);
            MockAM am = cluster.startGang(SchedulerHarness.gang(4, 1, 1, 1400), masters);
            ApplicationId id = am.getApplicationAttemptId().getApplicationId();
            cluster.awaitTrue("it says that each task needs as much as YARN rounds to", () -> {
                cluster.heartbeat();
                String reason =
                        cluster.scheduler().gangs().find(id).orElseThrow().reason();
                return reason.startsWith("Gang 0/4: each task needs 1 GPU, 1 vcore, 1536 MiB");
            });
            MockNM more = cluster.node(1003, 1, 2, 2048);
            assertEquals(4, cluster.awaitContainers(am).size(), more.getNodeId() + " has room for the fourth");
            assertNothingIsOverCommitted(cluster);
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}, {1}, steps of {2} MiB and {3} vcores")
    @CsvSource({
        "false, fifo+synergy-tune, 192, 1",
        "true, srtf+synergy-balanced, 1000, 2",
        "false, las+synergy-greedy, 777, 3",
        "true, fifo+proportional, 256, 2",
    })
    void randomSizesAreMultiplesAndFit(boolean asynchronous, String policy, int memoryMiB, int vcores)
            throws Exception {
        YarnConfiguration conf = settings(asynchronous, policy, memoryMiB, vcores);
        conf.set("yarn.scheduler.treadle.refuse-too-large", "false");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            Random random = new Random(memoryMiB);
            MockNM masters = cluster.node(1001, 0, 64, 65_536);
            cluster.node(1002, 4, 30 + random.nextInt(20), 20_000 + random.nextInt(9999));
            cluster.node(1003, 4, 30 + random.nextInt(20), 20_000 + random.nextInt(9999));
            for (int job = 0; job < 8; job++) {
                int tasks = 1 + random.nextInt(4);
                ResourceVector ask =
                        ResourceVector.of(1, 3 + random.nextInt(3), memoryMiB + random.nextInt(2 * memoryMiB));
                GangSpec spec = SchedulerHarness.gang(tasks, 1, ask.vcores(), ask.memoryMiB());
                MockAM am = cluster.startGang(spec, masters);
                List<Container> members = cluster.awaitContainers(am);
                assertEquals(tasks, members.size());
                for (Container member : members) {
                    Resource size = member.getResource();
                    assertTrue(ask.fitsIn(YarnResources.vector(size)), () -> ask + " got " + size);
                    assertEquals(0, size.getMemorySize() % memoryMiB, size::toString);
                    assertEquals(0, size.getVirtualCores() % vcores, size::toString);
                }
                assertNothingIsOverCommitted(cluster);
                cluster.launch(members);
                askForOneVcore(cluster, am, members);
                for (Container member : members) {
                    Resource now =
                            cluster.scheduler().getRMContainer(member.getId()).getAllocatedResource();
                    assertTrue(
                            YarnResources.vector(now).fitsIn(YarnResources.vector(member.getResource())),
                            () -> member.getResource() + " became " + now);
                }
                assertNothingIsOverCommitted(cluster);
                am.allocate(List.of(), members.stream().map(Container::getId).toList());
                cluster.complete(members);
                am.unregisterAppAttempt();
                cluster.heartbeat();
            }
        }
    }

    /** As a profiler does; returns once the scheduler's books have it. */
    private static void askForOneVcore(SchedulerHarness cluster, MockAM am, List<Container> members) throws Exception {
        List<UpdateContainerRequest> requests = new ArrayList<>();
        for (Container member : members) {
            Resource less = Resource.newInstance(member.getResource());
            less.setVirtualCores(1);
            requests.add(UpdateContainerRequest.newInstance(
                    member.getVersion(), member.getId(), ContainerUpdateType.DECREASE_RESOURCE, less, null));
        }
        am.sendContainerResizingRequest(requests);
        cluster.heartbeat();
        am.allocate(List.of(), List.of());
        cluster.heartbeat();
    }

    private static void assertNothingIsOverCommitted(SchedulerHarness cluster) {
        for (FiCaSchedulerNode node : cluster.scheduler().access().nodes()) {
            ResourceVector free = YarnResources.vector(node.getUnallocatedResource());
            assertTrue(ResourceVector.ZERO.fitsIn(free), () -> node.getNodeID() + " has " + free + " free");
        }
    }
}
