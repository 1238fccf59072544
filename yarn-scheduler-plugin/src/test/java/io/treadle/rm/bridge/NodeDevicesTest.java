// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.treadle.core.cluster.DeviceView;
import io.treadle.core.job.DeviceShare;
import io.treadle.core.wire.NodeRecord;
import io.treadle.core.wire.NodeRecord.Health;
import io.treadle.rm.AllResourceTypes;
import io.treadle.rm.profile.NoTelemetry;
import io.treadle.rm.profile.Telemetry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A node with GPUs A and B of 16 GiB and C of 8 GiB. */
class NodeDevicesTest {
    private static final long GIB = 1024;

    private final List<NodeRecord.Device> devices =
            new ArrayList<>(List.of(device("A", 16, Health.OK), device("B", 16, Health.OK), device("C", 8, Health.OK)));
    private final List<RMContainer> containers = new ArrayList<>();

    @BeforeEach
    void declareGpus() {
        Configuration conf = new Configuration(false);
        conf.set(YarnConfiguration.RESOURCE_TYPES, "yarn.io/gpu");
        ResourceUtils.resetResourceTypes(conf);
    }

    @AfterEach
    void forgetGpus() {
        AllResourceTypes.forget();
    }

    @Test
    void unknownWhereThePluginHasNotSpoken() {
        assertEquals(Optional.empty(), NodeDevices.of(node(), new NoTelemetry()));
    }

    @Test
    void allFreeOnAnEmptyNode() {
        assertEquals(
                List.of(view("A", 16, 0, true), view("B", 16, 0, true), view("C", 8, 0, true)), read().views(Set.of()));
        assertEquals(Optional.of(Set.of("treadle.dev.A.all", "treadle.dev.B.all")), read().freeWhole(2, Set.of()));
        assertEquals(Optional.of(Set.of()), read().freeWhole(0, Set.of()));
    }

    @Test
    void wholeAndSliceAreReadFromTheTags() {
        ContainerId whole = container(1, 1, "treadle.dev.A.all", "a-tag-of-the-user");
        ContainerId slice = container(2, 0, "treadle.dev.B.2048");
        container(3, 0, "treadle.dev.B.1024");
        NodeDevices read = read();
        assertEquals(List.of(new DeviceShare("A", 16 * GIB, true)), read.heldBy(whole));
        assertEquals(List.of(new DeviceShare("B", 2048, false)), read.heldBy(slice));
        assertEquals(
                List.of(view("A", 16, 16 * GIB, true), view("B", 16, 3072, true), view("C", 8, 0, true)),
                read.views(Set.of()));
    }

    @Test
    void whatPlannedContainersHoldIsLeftToThePlanner() {
        ContainerId planned = container(1, 1, "treadle.dev.A.all");
        container(2, 0, "treadle.dev.B.2048");
        assertEquals(
                List.of(view("A", 16, 0, true), view("B", 16, 2048, true), view("C", 8, 0, true)),
                read().views(Set.of(planned)));
    }

    @Test
    void takenSlicedAndLostCardsAreNoWholeCards() {
        devices.set(2, device("C", 8, Health.LOST));
        container(1, 0, "treadle.dev.B.2048");
        assertEquals(Optional.of(Set.of("treadle.dev.A.all")), read().freeWhole(1, Set.of()));
        assertEquals(Optional.empty(), read().freeWhole(2, Set.of()));
        container(2, 1, "treadle.dev.A.all");
        assertEquals(Optional.empty(), read().freeWhole(1, Set.of()));
    }

    @Test
    void devicesOfAnUntaggedContainerAreThoseThatItsNodeReports() {
        ContainerId untagged = container(1, 1);
        devices.set(1, device("B", 16, Health.OK, untagged.toString()));
        assertEquals(List.of(new DeviceShare("B", 16 * GIB, true)), read().heldBy(untagged));
    }

    @Test
    void unknownWhereNobodyKnowsWhichCardsAContainerHolds() {
        ContainerId untagged = container(1, 2);
        devices.set(1, device("B", 16, Health.OK, untagged.toString()));
        assertEquals(Optional.empty(), NodeDevices.of(node(), telemetry()), "one of two cards is known");
    }

    @Test
    void tagsThatAreNoneOfOursHoldNothing() {
        ContainerId container = container(1, 0, "treadle.dev.A.half", "treadle.dev.", "gpu");
        assertEquals(List.of(), read().heldBy(container));
    }

    @Test
    void tagsOfSharesReadBackAsTheyWere() {
        List<DeviceShare> shares =
                List.of(new DeviceShare("A", 16 * GIB, true), new DeviceShare("GPU-1.2", 512, false));
        assertEquals(Set.of("treadle.dev.A.all", "treadle.dev.GPU-1.2.512"), NodeDevices.tagsOf(shares));
    }

    private NodeDevices read() {
        return NodeDevices.of(node(), telemetry()).orElseThrow();
    }

    private FiCaSchedulerNode node() {
        FiCaSchedulerNode node = mock(FiCaSchedulerNode.class);
        when(node.getNodeID()).thenReturn(NodeId.newInstance("n1", 1));
        when(node.getCopiedListOfRunningContainers()).thenReturn(containers);
        return node;
    }

    private ContainerId container(int number, long gpus, String... tags) {
        ContainerId id = ContainerId.newContainerId(
                ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1), number);
        Resource size = Resource.newInstance(1024, 1);
        size.setResourceValue("yarn.io/gpu", gpus);
        RMContainer container = mock(RMContainer.class);
        when(container.getContainerId()).thenReturn(id);
        when(container.getAllocatedResource()).thenReturn(size);
        when(container.getAllocationTags()).thenReturn(Set.of(tags));
        containers.add(container);
        return id;
    }

    private Telemetry telemetry() {
        return new NoTelemetry() {
            @Override
            public boolean knowsNodes() {
                return true;
            }

            @Override
            public Optional<NodeRecord> node(String hostAndPort) {
                return hostAndPort.equals("n1:1")
                        ? Optional.of(new NodeRecord(hostAndPort, 0, devices))
                        : Optional.empty();
            }
        };
    }

    private static NodeRecord.Device device(String uuid, long memoryGiB, Health health, String... containers) {
        return new NodeRecord.Device(
                uuid, 0, "T4", memoryGiB * GIB, true, health, 0, 0, 0, 0, 0, 0, List.of(containers));
    }

    private static DeviceView view(String uuid, long memoryGiB, long usedMiB, boolean usable) {
        return new DeviceView(uuid, "T4", memoryGiB * GIB, usedMiB, usable);
    }
}
