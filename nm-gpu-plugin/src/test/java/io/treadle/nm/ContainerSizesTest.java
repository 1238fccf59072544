// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.wire.DeviceTag;
import io.treadle.core.wire.ResourcesFile;
import io.treadle.nm.device.DeviceAsk;
import io.treadle.nm.device.Grant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceInformation;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ContainerSizesTest {
    @BeforeEach
    void types() {
        NodeFixture.declareTypes();
    }

    @Test
    void everySizeIsReadInItsUnit() {
        Resource resource = NodeFixture.resource(
                4, Map.of("yarn.io/gpu", 2L, "treadle.io/power", 250L, "treadle.io/storage-bandwidth", 300L));
        resource.setResourceInformation(
                "treadle.io/gpu-memory", ResourceInformation.newInstance("treadle.io/gpu-memory", "Gi", 3));
        assertEquals(
                new ContainerSizes(7, 4, 2048, 2, 3072, 250, 300),
                ContainerSizes.of(NodeFixture.token(1, 7, resource)));
    }

    @Test
    void fileShowsGrantsInTheirStates() {
        ContainerSizes sizes = ContainerSizes.of(NodeFixture.token(1, 7, NodeFixture.resource(4, Map.of())));
        ResourcesFile file = sizes.toFile(List.of(
                new Grant("a", 100, false, Grant.State.READY),
                new Grant("b", 200, true, Grant.State.PENDING),
                new Grant("c", 300, true, Grant.State.LOST)));
        assertEquals(
                List.of(
                        new ResourcesFile.Device("a", 100, ResourcesFile.DeviceState.READY),
                        new ResourcesFile.Device("b", 200, ResourcesFile.DeviceState.PENDING),
                        new ResourcesFile.Device("c", 300, ResourcesFile.DeviceState.LOST)),
                file.devices());
        assertEquals(7, file.version());
    }

    @Test
    void askNamesWholeDevicesOrASliceNeverBoth() {
        assertEquals(
                new DeviceAsk(2, 0, List.of()),
                ask(Map.of("yarn.io/gpu", 2L, "treadle.io/gpu-memory", 81920L), Set.of("users-own")));
        assertEquals(
                new DeviceAsk(0, 9000, List.of(DeviceTag.slice("GPU-a", 9000))),
                ask(Map.of("treadle.io/gpu-memory", 9000L), Set.of("users-own", "treadle.dev.GPU-a.9000")));
    }

    @Test
    void oneTagThatCannotBeReadLeavesTheChoiceToTheNode() {
        assertEquals(
                new DeviceAsk(2, 0, List.of()),
                ask(Map.of("yarn.io/gpu", 2L), Set.of("treadle.dev.GPU-a.all", "treadle.dev.GPU-b")));
    }

    @Test
    void moreGpusThanAnIntHoldsAreNotFew() {
        assertEquals(
                Integer.MAX_VALUE,
                ask(Map.of("yarn.io/gpu", (1L << 32) + 1), Set.of()).gpus());
    }

    private static DeviceAsk ask(Map<String, Long> types, Set<String> tags) {
        return ContainerSizes.ask(NodeFixture.tokenWithTags(1, 0, NodeFixture.resource(1, types), tags));
    }
}
