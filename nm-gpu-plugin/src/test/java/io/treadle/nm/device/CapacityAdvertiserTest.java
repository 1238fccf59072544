// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.nm.NodeFixture;
import io.treadle.nm.TestConf;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.nodemanager.util.NodeManagerHardwareUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CapacityAdvertiserTest {
    private static final List<GpuDevice> DEVICES =
            List.of(new GpuDevice("A", 0, "A100", 40960, 400), new GpuDevice("T", 1, "T4", 15360, 70.4));

    @BeforeEach
    void types() {
        NodeFixture.declareTypes();
    }

    @Test
    void capacityIsTheSumOfTheDevices() {
        assertEquals(
                Map.of(
                        "yarn.io/gpu", "2",
                        "treadle.io/gpu-memory", "56320Mi",
                        "treadle.io/power", "770",
                        "treadle.io/storage-bandwidth", "2000"),
                NodeCapacity.of(DEVICES, TestConf.of("host-watts", "300"), OptionalLong.of(2000)));
    }

    @Test
    void budgetOfTheAdminIsThePower() {
        assertEquals(
                "500",
                NodeCapacity.of(
                                DEVICES,
                                TestConf.of("power-budget-watts", "500", "host-watts", "300"),
                                OptionalLong.empty())
                        .get("treadle.io/power"));
    }

    @Test
    void nodeManagerReadsWhatIsAdvertised() throws Exception {
        Configuration hadoop = NodeFixture.declareTypes();
        CapacityAdvertiser.advertise(NodeCapacity.of(DEVICES, TestConf.of(), OptionalLong.empty()), hadoop);
        var resource = NodeManagerHardwareUtils.getNodeResources(hadoop);
        assertEquals(2, resource.getResourceValue("yarn.io/gpu"));
        assertEquals(56320, resource.getResourceValue("treadle.io/gpu-memory"));
        assertEquals(470, resource.getResourceValue("treadle.io/power"));
        assertEquals(0, resource.getResourceValue("treadle.io/storage-bandwidth"));
        assertNull(hadoop.get("yarn.nodemanager.resource-type.treadle.io/storage-bandwidth"), "nobody knows it");
    }

    @Test
    void adminsOwnValueWinsAndUndeclaredTypesAreLeftOut() {
        Configuration hadoop = NodeFixture.declareTypes();
        hadoop.set("yarn.nodemanager.resource-type.yarn.io/gpu", "1");
        CapacityAdvertiser.advertise(Map.of("yarn.io/gpu", "2", "other.io/thing", "7"), hadoop);
        assertEquals("1", hadoop.get("yarn.nodemanager.resource-type.yarn.io/gpu"));
        assertNull(hadoop.get("yarn.nodemanager.resource-type.other.io/thing"));
    }

    @Test
    void printedNodeResourcesXmlIsReadByHadoop() {
        String xml = NodeCapacity.toXml(NodeCapacity.of(DEVICES, TestConf.of(), OptionalLong.empty()));
        Configuration read = new Configuration(false);
        read.addResource(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
        assertEquals("56320Mi", read.get("yarn.nodemanager.resource-type.treadle.io/gpu-memory"));
        assertTrue(xml.startsWith("<?xml"));
    }
}
