// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PowerRecordsTest {
    static final NodeCaps CAPS = new NodeCaps(1_767_225_600_000L, 30_000, Map.of("GPU-a", 250.0, "GPU-b", 312.5));
    static final NodeRecord NODE = new NodeRecord(
            "h:1",
            5,
            List.of(new NodeRecord.Device(
                    "GPU-1",
                    0,
                    "T4",
                    15360,
                    true,
                    NodeRecord.Health.OK,
                    1.5,
                    70,
                    12,
                    100,
                    40,
                    9,
                    List.of("c1"),
                    Optional.of(new DevicePower(1410, List.of("power-cap"), 60, 55.5, "nvml", "refused", 100, 400)))),
            Optional.of(new NodePower(812.5, "rapl", 7, 60, 10, Map.of("c1", 20L, "c2", 25L), 5)));

    @Test
    void recordsComeBackAsTheyWent() {
        assertEquals(CAPS, NodeCaps.fromJson("caps", CAPS.toJson()));
        assertEquals(NODE, NodeRecord.fromJson("node", NODE.toJson()));
    }

    @Test
    void capsAreWrittenAsTheSpecHasThem() {
        assertEquals(
                "{\"schema\":1,\"epoch\":1767225600000,\"leaseMs\":30000,\"caps\":{\"GPU-a\":250.0,\"GPU-b\":312.5}}",
                CAPS.toJson());
    }

    @Test
    void nodeThatSaysNothingOfPowerIsAsBefore() {
        NodeRecord old = new NodeRecord("h:1", 5, List.of());
        assertTrue(!old.toJson().contains("power"), old.toJson());
        assertEquals(
                old, NodeRecord.fromJson("node", "{\"schema\":1,\"node\":\"h:1\",\"updatedMs\":5,\"devices\":[]}"));
    }

    @Test
    void noCapsIsARecordToo() {
        NodeCaps none = new NodeCaps(1, 1_000, Map.of());
        assertEquals(none, NodeCaps.fromJson("caps", none.toJson()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"schema\":1 | \"schema\":2 | caps has schema 2, this Treadle reads up to 1",
                "\"epoch\":1767225600000 | \"epoch\":0 | field 'epoch' is 0",
                "\"epoch\":1767225600000 | \"epoch\":null | field 'epoch' is missing",
                "\"leaseMs\":30000 | \"leaseMs\":5 | field 'leaseMs' is 5",
                "\"leaseMs\":30000 | \"leaseMs\":9999999999 | field 'leaseMs' is 9999999999",
                "\"GPU-a\":250.0 | \"GPU-a\":0 | caps.caps: field 'GPU-a' is 0",
                "\"GPU-a\":250.0 | \"GPU-a\":-250 | field 'GPU-a' is -250",
                "\"GPU-a\":250.0 | \"GPU-a\":\"250\" | field 'GPU-a' is \"250\"",
                "\"GPU-a\":250.0 | \"GPU-a\":1e9 | must be a number from 1.0 to 100000.0",
                "{\"GPU-a\":250.0,\"GPU-b\":312.5} | [250] | caps.caps must be a JSON object",
            })
    void wrongFieldIsNamedWithItsValue(String good, String bad, String message) {
        String text = CAPS.toJson();
        assertTrue(text.contains(good.strip()), () -> good + " is not in " + text);
        WireFormatException refused = assertThrows(
                WireFormatException.class, () -> NodeCaps.fromJson("caps", text.replace(good.strip(), bad.strip())));
        assertTrue(String.valueOf(refused.getMessage()).contains(message.strip()), refused::getMessage);
    }

    @Test
    void sharedGpusSayByWhatTheyAreSplit() {
        NodePower power = new NodePower(
                1, "model", 0, 9, 2, Map.of("c1", 7L), 0, Map.of("A", SharedBy.UTILIZATION, "B", SharedBy.MEMORY));
        String text = new NodeRecord("h:1", 5, List.of(), Optional.of(power)).toJson();
        String shared = ",\"shared\":[{\"uuid\":\"A\",\"by\":\"utilization\"},{\"uuid\":\"B\",\"by\":\"memory\"}]";
        assertTrue(text.contains(shared), text);
        assertEquals(Optional.of(power), NodeRecord.fromJson("node", text).power());
        assertEquals(
                Map.of(),
                NodeRecord.fromJson("node", text.replace(shared, ""))
                        .power()
                        .orElseThrow()
                        .shared(),
                "a record of before");
        WireFormatException refused = assertThrows(
                WireFormatException.class,
                () -> NodeRecord.fromJson("node", text.replace("\"by\":\"memory\"", "\"by\":\"luck\"")));
        assertTrue(
                String.valueOf(refused.getMessage()).contains("field 'by' is 'luck', must be one of"),
                refused::getMessage);
    }

    @Test
    void energyThatGoesBackIsRefused() {
        String text = NODE.toJson().replace("\"gpuMillijoules\":60", "\"gpuMillijoules\":-60");
        WireFormatException refused = assertThrows(WireFormatException.class, () -> NodeRecord.fromJson("node", text));
        assertTrue(String.valueOf(refused.getMessage()).contains("node.power: field 'gpuMillijoules' is -60"));
    }
}
