// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.nm.Thrown;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeConfTest {
    @Test
    void defaults() {
        Configuration hadoop = new Configuration(false);
        hadoop.set(NodeConf.NODE_NAME, "n1");
        NodeConf conf = NodeConf.from(hadoop);
        assertEquals(
                new NodeConf(
                        ProviderChoice.AUTO,
                        "n1",
                        "libnvidia-ml.so.1",
                        "nvidia-smi",
                        "rocm-smi",
                        10_000,
                        "",
                        0,
                        Optional.empty(),
                        Optional.empty(),
                        List.of("CUDA_VISIBLE_DEVICES"),
                        DockerDevicesChoice.AUTO,
                        Path.of(System.getProperty("java.io.tmpdir"), "treadle-n1"),
                        0,
                        Optional.empty(),
                        2_000,
                        10_000,
                        0,
                        0,
                        0,
                        false,
                        256,
                        10,
                        List.of(),
                        "",
                        10_000,
                        Optional.empty(),
                        new PowerConf(
                                PowerActuatorChoice.AUTO,
                                10_000,
                                Path.of(System.getProperty("java.io.tmpdir"), "treadle-n1", "power-locks"),
                                Path.of("/run/treadle-power/helper.sock"),
                                Path.of("/run/zeusd/zeusd.sock"),
                                5_000,
                                List.of(),
                                List.of(),
                                300,
                                0.1)),
                conf);
    }

    @Test
    void everySetting() {
        Configuration hadoop = new Configuration(false);
        hadoop.set(NodeConf.DEVICE_PROVIDER, "nvidia-smi");
        hadoop.set(NodeConf.NODE_NAME, "rack1:n.2");
        hadoop.set(NodeConf.NVML_LIBRARY, "/opt/libnvidia-ml.so.1");
        hadoop.set(NodeConf.NVIDIA_SMI, "/opt/nvidia-smi");
        hadoop.set(NodeConf.ROCM_SMI, "/opt/rocm-smi");
        hadoop.set(NodeConf.NVIDIA_SMI_TIMEOUT_MS, "5000");
        hadoop.set(NodeConf.SIMULATED_DEVICES, "1xT4:15360:70");
        hadoop.set(NodeConf.SIMULATED_NOISE, "0.02");
        hadoop.set(PowerConf.ACTUATOR, "nvidia-smi");
        hadoop.set(PowerConf.CHANGE_INTERVAL_MS, "2000");
        hadoop.set(PowerConf.LOCK_DIR, "/run/locks");
        hadoop.set(PowerConf.HELPER_SOCKET, "/run/h.sock");
        hadoop.set(PowerConf.ZEUSD_SOCKET, "/run/z.sock");
        hadoop.set(PowerConf.SOCKET_TIMEOUT_MS, "700");
        hadoop.set(PowerConf.NVIDIA_SMI_COMMAND, "sudo -n  /usr/local/sbin/treadle-power");
        hadoop.set(PowerConf.NODE_WATTS_COMMAND, "/usr/local/bin/watts --now");
        hadoop.set(PowerConf.NODE_IDLE_WATTS, "450");
        hadoop.set(PowerConf.NODE_SHARE, "0.05");
        hadoop.set(NodeConf.SIMULATED_LOST_FILE, "/tmp/lost");
        hadoop.set(NodeConf.DEVICES_FILE, "file:///etc/devices.json");
        hadoop.set(NodeConf.DEVICES_VARIABLES, "ASCEND_RT_VISIBLE_DEVICES, OTHER");
        hadoop.set(NodeConf.DOCKER_DEVICES, "device-files");
        hadoop.set(NodeConf.CONTROL_DIR, "/var/treadle");
        hadoop.set(NodeConf.VCORE_CORES, "0.03");
        hadoop.set(NodeConf.CGROUP_ROOT, "/cg");
        hadoop.set(NodeConf.TELEMETRY_INTERVAL_MS, "500");
        hadoop.set(NodeConf.PUBLISH_INTERVAL_MS, "3000");
        hadoop.set(NodeConf.POWER_BUDGET_WATTS, "2800");
        hadoop.set(NodeConf.HOST_WATTS, "300");
        hadoop.set(NodeConf.STORAGE_BANDWIDTH_MBPS, "2000");
        hadoop.set(NodeConf.STORAGE_MEASURE, "true");
        hadoop.set(NodeConf.STORAGE_MEASURE_MIB, "64");
        hadoop.set(NodeConf.STORAGE_MEASURE_SECONDS, "5");
        hadoop.set("yarn.nodemanager.local-dirs", "file:///data/1/nm,/data/2/nm");
        hadoop.set(NodeConf.ZK_ADDRESS, "zk1:2181");
        hadoop.set(NodeConf.ZK_TIMEOUT_MS, "4000");
        hadoop.set(NodeConf.ZK_DIGEST_FILE, "/etc/digest");
        assertEquals(
                new NodeConf(
                        ProviderChoice.NVIDIA_SMI,
                        "rack1:n.2",
                        "/opt/libnvidia-ml.so.1",
                        "/opt/nvidia-smi",
                        "/opt/rocm-smi",
                        5_000,
                        "1xT4:15360:70",
                        0.02,
                        Optional.of(Path.of("/tmp/lost")),
                        Optional.of(Path.of("/etc/devices.json")),
                        List.of("ASCEND_RT_VISIBLE_DEVICES", "OTHER"),
                        DockerDevicesChoice.DEVICE_FILES,
                        Path.of("/var/treadle"),
                        0.03,
                        Optional.of(Path.of("/cg")),
                        500,
                        3_000,
                        2_800,
                        300,
                        2_000,
                        true,
                        64,
                        5,
                        List.of(Path.of("/data/1/nm"), Path.of("/data/2/nm")),
                        "zk1:2181",
                        4_000,
                        Optional.of(Path.of("/etc/digest")),
                        new PowerConf(
                                PowerActuatorChoice.NVIDIA_SMI,
                                2_000,
                                Path.of("/run/locks"),
                                Path.of("/run/h.sock"),
                                Path.of("/run/z.sock"),
                                700,
                                List.of("sudo", "-n", "/usr/local/sbin/treadle-power"),
                                List.of("/usr/local/bin/watts", "--now"),
                                450,
                                0.05)),
                NodeConf.from(hadoop));
    }

    @ParameterizedTest
    @CsvSource({
        "device-provider, nvlm",
        "node-name, ../n1",
        "vcore-cores, lots",
        "vcore-cores, -1",
        "telemetry-interval-ms, 2s",
        "telemetry-interval-ms, 0",
        "power-budget-watts, 2.5",
        "control-dir, relative/dir",
        "storage-measure, yes",
        "simulated-noise, 2",
        "power.actuator, dcgm",
        "power.change-interval-ms, -1",
        "power.lock-dir, locks",
        "power.node-share, much",
        "storage-measure-mib, 0",
        "storage-measure-seconds, 301",
    })
    void badValueIsNamedWithItsKey(String name, String value) {
        Configuration hadoop = new Configuration(false);
        hadoop.set(NodeConf.PREFIX + name, value);
        String message = Thrown.message(SettingException.class, () -> NodeConf.from(hadoop));
        assertTrue(
                message.startsWith(NodeConf.PREFIX + name + " is '" + value + "', must be "), () -> "said: " + message);
    }

    @Test
    void controlDirectoryLiesUnderTheFirstLocalDir() {
        Configuration hadoop = new Configuration(false);
        hadoop.set("yarn.nodemanager.local-dirs", "file:///data/1/nm, /data/2/nm");
        NodeConf conf = NodeConf.from(hadoop);
        assertEquals(Path.of("/data/1/nm/treadle"), conf.controlDir());
        assertEquals(
                Path.of("/data/1/nm/treadle/power-locks"),
                conf.power().lockDir(),
                "not where anybody could make a directory of that name first");
    }

    @Test
    void nodeNameFallsBackToHostAndConfiguredPort() {
        Configuration hadoop = new Configuration(false);
        hadoop.set("yarn.nodemanager.address", "0.0.0.0:45454");
        assertTrue(NodeConf.from(hadoop).nodeName().endsWith(":45454"));
    }
}
