// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.SleepingNodesRecord.Host;
import io.treadle.core.wire.SleepingNodesRecord.Node;
import io.treadle.core.wire.SleepingNodesRecord.Stage;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SleepingNodesRecordTest {
    @Test
    void isWrittenAsTheSpecHasItAndComesBack() {
        SleepingNodesRecord record = new SleepingNodesRecord(Map.of(
                "n1",
                new Host(Stage.OFF, 3600, List.of(new Node("gpu", new ResourceVector(8, 64, 65_536, 0, 2000, 3200))))));
        assertEquals(
                "{\"schema\":1,\"hosts\":{\"n1\":{\"stage\":\"off\",\"peakWatts\":3600.0,\"nodeManagers\":["
                        + "{\"partition\":\"gpu\",\"gpus\":8,\"vcores\":64,\"memoryMiB\":65536,"
                        + "\"gpuMemoryMiB\":0,\"storageMBps\":2000,\"watts\":3200}]}}}",
                record.toJson());
        assertEquals(record, SleepingNodesRecord.fromJson("sleeping", record.toJson()));
        assertEquals(SleepingNodesRecord.EMPTY, SleepingNodesRecord.fromJson("sleeping", "{\"schema\":1,\"later\":7}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"schema\":2}",
                "{\"schema\":1,\"hosts\":{\"n1\":{\"stage\":\"off\",\"nodeManagers\":[{\"vcores\":-1,\"memoryMiB\":1}]}}}",
                "{\"schema\":1,\"hosts\":{\"n1\":{\"stage\":\"gone\",\"nodeManagers\":[{\"vcores\":1,\"memoryMiB\":1}]}}}",
                "{\"schema\":1,\"hosts\":{\"n1\":{\"stage\":\"off\",\"nodeManagers\":[]}}}",
                "{\"schema\":1,\"hosts\":{\"-oProxyCommand=id\":{\"stage\":\"off\",\"nodeManagers\":[{\"vcores\":1,\"memoryMiB\":1}]}}}",
                "{\"schema\":1,\"hosts\":{\"a b\":{\"stage\":\"off\",\"nodeManagers\":[{\"vcores\":1,\"memoryMiB\":1}]}}}",
                "{\"schema\":1,\"hosts\":{\"a;id\":{\"stage\":\"off\",\"nodeManagers\":[{\"vcores\":1,\"memoryMiB\":1}]}}}",
                "{\"schema\":1,\"hosts\":{\"\":{\"stage\":\"off\",\"nodeManagers\":[{\"vcores\":1,\"memoryMiB\":1}]}}}",
                "x"
            })
    void whatCannotBeMeantIsRefused(String text) {
        assertThrows(WireFormatException.class, () -> SleepingNodesRecord.fromJson("sleeping", text));
    }
}
