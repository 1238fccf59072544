// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.job.DeviceShare;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.DeviceTag;
import io.treadle.rm.KnownDevices;
import io.treadle.rm.bridge.GangCommitter;
import io.treadle.rm.bridge.GangReservations;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.sleep.Sleeping;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A gang is committed in several holds of the lock: nobody gets a device in between that its plan has chosen. */
class FormingDevicesTest {
    private static final int GPUS = 24;
    private static final int TASKS = 20;
    private static final int MEMORY_MIB = 40960;
    private static final ResourceVector TASK = ResourceVector.of(1, 1, 64);

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void eachContainerHasADeviceOfItsOwn(boolean asynchronous) throws Exception {
        try (TestZooKeeper zooKeeper = new TestZooKeeper()) {
            YarnConfiguration conf = zooKeeper.settings(asynchronous, "fifo+synergy-tune");
            // The test grants the gang itself.
            conf.set("yarn.scheduler.treadle.round.min-gap-ms", "60000");
            try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
                MockNM node = cluster.node(1001, GPUS, GPUS + 8, 16384);
                zooKeeper.devices(cluster, node, "A100", GPUS);
                MockAM am = cluster.startGang(SchedulerHarness.gang(TASKS, 1, 1, 64), node);
                MockAM plain = cluster.startApp("plain", Map.of(), List.of(), node);
                Gang gang = cluster.scheduler()
                        .gangs()
                        .find(am.getApplicationAttemptId().getApplicationId())
                        .orElseThrow();
                CountedHolds holds =
                        new CountedHolds(cluster.scheduler().access()).afterMembers(1, () -> getsOne(cluster, plain));
                GangCommitter committer =
                        new GangCommitter(holds.access(), known(), Sleeping.NONE, new GangReservations());
                assertEquals(Optional.empty(), committer.commit(gang, tasks(node)));
                assertEquals(TASKS + 1, devices(cluster, node).size());
            }
        }
    }

    private static List<TaskPlacement> tasks(MockNM node) {
        return IntStream.range(0, TASKS)
                .mapToObj(i -> new TaskPlacement(
                        "worker",
                        node.getNodeId().toString(),
                        TASK,
                        List.of(new DeviceShare("A100-" + i, MEMORY_MIB, true))))
                .toList();
    }

    private static void getsOne(SchedulerHarness cluster, MockAM plain) {
        try {
            cluster.ask(plain, SchedulerHarness.asks(TASK, 1));
            assertEquals(1, cluster.awaitContainers(plain).size());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Of all containers of the node. */
    private static Set<String> devices(SchedulerHarness cluster, MockNM node) {
        FiCaSchedulerNode known =
                cluster.scheduler().access().node(node.getNodeId()).orElseThrow();
        return known.getCopiedListOfRunningContainers().stream()
                .filter(container -> !container.isAMContainer())
                .flatMap(container -> container.getAllocationTags().stream())
                .flatMap(tag -> DeviceTag.parse(tag).stream())
                .map(DeviceTag::uuid)
                .collect(Collectors.toSet());
    }

    /** As ZooKeeper has them. */
    private static KnownDevices known() {
        return KnownDevices.of(
                IntStream.range(0, GPUS).mapToObj(i -> "A100-" + i).toArray(String[]::new));
    }
}
