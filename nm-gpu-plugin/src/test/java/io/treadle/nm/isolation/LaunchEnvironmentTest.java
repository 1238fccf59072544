// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.isolation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.wire.DeviceVendor;
import io.treadle.nm.device.Grant;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LaunchEnvironmentTest {
    private static final Path CONTROL = Path.of("/control/c1");

    @Test
    void namesDevicesButNoLostOnes() {
        List<Grant> grants = List.of(
                new Grant("GPU-a", 100, true, Grant.State.READY),
                new Grant("GPU-b", 100, true, Grant.State.LOST),
                new Grant("GPU-c", 100, true, Grant.State.PENDING));
        assertEquals(
                Map.of(
                        "TREADLE_CONTROL_DIR", "/control/c1",
                        "TREADLE_DEVICE_VARIABLES", "CUDA_VISIBLE_DEVICES",
                        "CUDA_VISIBLE_DEVICES", "GPU-a,GPU-c"),
                new LaunchEnvironment(Optional.of(DeviceVendor.NVIDIA), 0).of(CONTROL, grants, Optional.empty()));
    }

    @Test
    void containerWithoutGpusSeesNoneOnAGpuNode() {
        assertEquals(
                Map.of(
                        "TREADLE_CONTROL_DIR", "/control/c1",
                        "TREADLE_DEVICE_VARIABLES", "CUDA_VISIBLE_DEVICES",
                        "CUDA_VISIBLE_DEVICES", ""),
                new LaunchEnvironment(Optional.of(DeviceVendor.NVIDIA), 0).of(CONTROL, List.of(), Optional.empty()));
    }

    @Test
    void cpuNodeLeavesCudaAloneAndTellsTheVcoreShare() {
        assertEquals(
                Map.of(
                        "TREADLE_CONTROL_DIR", "/control/c1",
                        "TREADLE_CPU_CGROUP", "/cg/c1",
                        "TREADLE_VCORE_CORES", "0.03"),
                new LaunchEnvironment(Optional.empty(), 0.03).of(CONTROL, List.of(), Optional.of(Path.of("/cg/c1"))));
    }
}
