// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.wire.ResourcesFile;
import io.treadle.core.wire.ResourcesFile.Device;
import io.treadle.core.wire.ResourcesFile.DeviceState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerGpuTest {
    private final Path control;

    WorkerGpuTest(@TempDir Path control) {
        this.control = control;
    }

    private long whole(long sliceMiB, Device... devices) throws IOException {
        Files.writeString(
                control.resolve(ResourcesFile.NAME),
                new ResourcesFile(0, 1, null, 1024, sliceMiB, 0, 0, List.of(devices)).toJson());
        return new WorkerGpu(Map.of("TREADLE_CONTROL_DIR", control.toString())).wholeMiB();
    }

    @Test
    void aWholeGpusMemoryIsWhatItsNodeSays() throws Exception {
        assertEquals(
                15360, whole(0, new Device("a", 15360, DeviceState.READY), new Device("b", 40960, DeviceState.READY)));
    }

    @Test
    void aSliceNoGpuAndANodeThatSaysNothingHaveNoWholeOne() throws Exception {
        assertEquals(0, new WorkerGpu(Map.of()).wholeMiB());
        assertEquals(0, new WorkerGpu(Map.of("TREADLE_CONTROL_DIR", control.toString())).wholeMiB());
        assertEquals(0, whole(2048, new Device("a", 2048, DeviceState.READY)));
        assertEquals(0, whole(0));
    }

    @Test
    void whatModelsMayTakeComesFromTheMaster() {
        assertEquals(OptionalLong.empty(), new WorkerGpu(Map.of()).limitMiB());
        assertEquals(
                OptionalLong.of(1500), new WorkerGpu(Map.of("TREADLE_WORKER_MODEL_MEMORY_MIB", "1500")).limitMiB());
    }
}
