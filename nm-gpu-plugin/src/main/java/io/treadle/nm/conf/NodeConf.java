// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.conf;

import io.treadle.core.wire.DeviceVendor;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/**
 * Settings of the node plugin (reference: {@code docs/reference/node-settings.md}).
 *
 * @param provider where devices come from
 * @param nodeName name of this node in simulated UUIDs and cgroup paths; stable over restarts
 * @param nvmlLibrary NVML's shared library: a name for the loader, or an absolute path
 * @param nvidiaSmi the {@code nvidia-smi} command
 * @param rocmSmi the {@code rocm-smi} command
 * @param nvidiaSmiTimeoutMs how long one call of either may take, ms
 * @param simulatedDevices {@code count x model : MiB : watts, …}; empty for none
 * @param simulatedNoise standard deviation of the simulated draw as a share of it
 * @param simulatedLostFile file that lists UUIDs of simulated devices that are lost, one a line
 * @param devicesFile JSON file of devices for the provider {@code file}
 * @param devicesVariables environment variables that name the devices of the provider {@code file}
 * @param dockerDevices how devices get into Docker containers
 * @param controlDir directory that holds one control directory a container
 * @param vcoreCores share of a real core that one vcore stands for; 0 = not limited by Treadle
 * @param cgroupRoot mount point of the CPU cgroup controller; empty = found by looking
 * @param telemetryIntervalMs time between two readings of the devices, ms
 * @param publishIntervalMs longest time between two node records in ZooKeeper, ms
 * @param powerBudgetWatts power that the node advertises, W; 0 = sum of the devices' limits and {@code hostWatts}
 * @param hostWatts the host's own share of that sum, W
 * @param storageBandwidthMBps storage bandwidth that the node advertises, MB/s; 0 = none
 * @param storageMeasure whether it is measured at the first start where it is not set
 * @param storageMeasureMiB size of the file that is written and read for that, MiB
 * @param storageMeasureSeconds how long that may take on one file system, s
 * @param localDirs the NodeManager's local directories
 * @param zooKeeper {@code hadoop.zk.address}; empty = no ZooKeeper
 * @param zooKeeperSessionMs {@code hadoop.zk.timeout-ms}, ms
 * @param zkDigestFile file with the secret that ResourceManager and nodes share in ZooKeeper
 * @param power caps of the GPUs and the node's draw
 */
public record NodeConf(
        ProviderChoice provider,
        String nodeName,
        String nvmlLibrary,
        String nvidiaSmi,
        String rocmSmi,
        long nvidiaSmiTimeoutMs,
        String simulatedDevices,
        double simulatedNoise,
        Optional<Path> simulatedLostFile,
        Optional<Path> devicesFile,
        List<String> devicesVariables,
        DockerDevicesChoice dockerDevices,
        Path controlDir,
        double vcoreCores,
        Optional<Path> cgroupRoot,
        long telemetryIntervalMs,
        long publishIntervalMs,
        long powerBudgetWatts,
        long hostWatts,
        long storageBandwidthMBps,
        boolean storageMeasure,
        long storageMeasureMiB,
        long storageMeasureSeconds,
        List<Path> localDirs,
        String zooKeeper,
        int zooKeeperSessionMs,
        Optional<Path> zkDigestFile,
        PowerConf power) {
    public static final String PREFIX = "yarn.nodemanager.treadle.";
    public static final String DEVICE_PROVIDER = PREFIX + "device-provider";
    public static final String NODE_NAME = PREFIX + "node-name";
    public static final String NVML_LIBRARY = PREFIX + "nvml-library";
    public static final String NVIDIA_SMI = PREFIX + "nvidia-smi";
    public static final String ROCM_SMI = PREFIX + "rocm-smi";
    public static final String NVIDIA_SMI_TIMEOUT_MS = PREFIX + "nvidia-smi-timeout-ms";
    public static final String SIMULATED_DEVICES = PREFIX + "simulated-devices";
    public static final String SIMULATED_NOISE = PREFIX + "simulated-noise";
    public static final String SIMULATED_LOST_FILE = PREFIX + "simulated-lost-file";
    public static final String DEVICES_FILE = PREFIX + "devices-file";
    public static final String DEVICES_VARIABLES = PREFIX + "devices-variables";
    public static final String DOCKER_DEVICES = PREFIX + "docker-devices";
    public static final String CONTROL_DIR = PREFIX + "control-dir";
    public static final String VCORE_CORES = PREFIX + "vcore-cores";
    public static final String CGROUP_ROOT = PREFIX + "cgroup-root";
    public static final String TELEMETRY_INTERVAL_MS = PREFIX + "telemetry-interval-ms";
    public static final String PUBLISH_INTERVAL_MS = PREFIX + "publish-interval-ms";
    public static final String POWER_BUDGET_WATTS = PREFIX + "power-budget-watts";
    public static final String HOST_WATTS = PREFIX + "host-watts";
    public static final String STORAGE_BANDWIDTH_MBPS = PREFIX + "storage-bandwidth-mbps";
    public static final String STORAGE_MEASURE = PREFIX + "storage-measure";
    public static final String STORAGE_MEASURE_MIB = PREFIX + "storage-measure-mib";
    public static final String STORAGE_MEASURE_SECONDS = PREFIX + "storage-measure-seconds";
    /** The cluster's own key: ResourceManager and nodes read the same one. */
    public static final String ZK_DIGEST_FILE = "yarn.treadle.zk-digest-file";

    public static final String ZK_ADDRESS = "hadoop.zk.address";
    public static final String ZK_TIMEOUT_MS = "hadoop.zk.timeout-ms";

    private static final String LOCAL_DIRS = "yarn.nodemanager.local-dirs";
    private static final String NM_ADDRESS = "yarn.nodemanager.address";

    /** @throws SettingException for the first setting that cannot be used */
    public static NodeConf from(Configuration conf) {
        Settings settings = new Settings(conf);
        String nodeName = nodeName(settings);
        List<Path> localDirs = localDirs(conf);
        Path controlDir = settings.path(CONTROL_DIR).orElseGet(() -> defaultControlDir(localDirs, nodeName));
        return new NodeConf(
                settings.word(DEVICE_PROVIDER, ProviderChoice.class, ProviderChoice.AUTO),
                nodeName,
                settings.text(NVML_LIBRARY, "libnvidia-ml.so.1"),
                settings.text(NVIDIA_SMI, "nvidia-smi"),
                settings.text(ROCM_SMI, "rocm-smi"),
                settings.whole(NVIDIA_SMI_TIMEOUT_MS, 100, 600_000, 10_000),
                settings.text(SIMULATED_DEVICES),
                settings.number(SIMULATED_NOISE, 0, 0.5, 0),
                settings.path(SIMULATED_LOST_FILE),
                settings.path(DEVICES_FILE),
                variables(conf),
                settings.word(DOCKER_DEVICES, DockerDevicesChoice.class, DockerDevicesChoice.AUTO),
                controlDir,
                settings.number(VCORE_CORES, 0, 1024, 0),
                settings.path(CGROUP_ROOT),
                settings.whole(TELEMETRY_INTERVAL_MS, 100, 3_600_000, 2_000),
                settings.whole(PUBLISH_INTERVAL_MS, 100, 3_600_000, 10_000),
                settings.whole(POWER_BUDGET_WATTS, 0, 1_000_000, 0),
                settings.whole(HOST_WATTS, 0, 1_000_000, 0),
                settings.whole(STORAGE_BANDWIDTH_MBPS, 0, 100_000_000, 0),
                settings.yesOrNo(STORAGE_MEASURE, false),
                settings.whole(STORAGE_MEASURE_MIB, 4, 65_536, 256),
                settings.whole(STORAGE_MEASURE_SECONDS, 1, 300, 10),
                localDirs,
                settings.text(ZK_ADDRESS),
                (int) settings.whole(ZK_TIMEOUT_MS, 1_000, Integer.MAX_VALUE, 10_000),
                settings.path(ZK_DIGEST_FILE),
                PowerConf.from(conf, controlDir));
    }

    private static List<String> variables(Configuration conf) {
        String[] names = conf.getTrimmedStrings(DEVICES_VARIABLES);
        for (String name : names) {
            if (!name.matches("[A-Za-z_][A-Za-z0-9_]{0,255}")) {
                throw new SettingException(
                        DEVICES_VARIABLES, name, "names of environment variables, as in ASCEND_RT_VISIBLE_DEVICES");
            }
        }
        return names.length == 0 ? DeviceVendor.NVIDIA.variables() : List.of(names);
    }

    private static String nodeName(Settings settings) {
        String name = settings.text(NODE_NAME);
        if (name.isEmpty()) {
            String address = settings.text(NM_ADDRESS, "0.0.0.0:0");
            String port = address.substring(address.lastIndexOf(':') + 1);
            // Port 0 means any: then the local directories tell NodeManagers on one machine apart.
            return hostName() + ":"
                    + (port.equals("0")
                            ? Integer.toHexString(settings.text(LOCAL_DIRS).hashCode())
                            : port);
        }
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9._:-]{0,127}")) {
            throw new SettingException(
                    NODE_NAME, name, "letters, digits, '.', '_', ':' and '-', at most 128, as in node-1");
        }
        return name;
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    private static List<Path> localDirs(Configuration conf) {
        List<Path> absolute = new ArrayList<>();
        for (String dir : conf.getTrimmedStrings(LOCAL_DIRS)) {
            Path path = Path.of(dir.startsWith("file:") ? dir.substring("file:".length()) : dir);
            if (path.isAbsolute()) {
                absolute.add(path);
            }
        }
        return List.copyOf(absolute);
    }

    /** The NodeManager's local directories can be entered by every container's user, whatever the executor. */
    private static Path defaultControlDir(List<Path> localDirs, String nodeName) {
        return localDirs.isEmpty()
                ? Path.of(System.getProperty("java.io.tmpdir", "/tmp"), "treadle-" + nodeName.replace(':', '-'))
                        .toAbsolutePath()
                : localDirs.get(0).resolve("treadle");
    }
}
