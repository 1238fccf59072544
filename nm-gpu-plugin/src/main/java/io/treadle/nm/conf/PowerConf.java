// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.conf;

import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/**
 * Settings of power caps and of the node's draw (reference: {@code docs/reference/node-settings.md}).
 *
 * @param actuator what sets caps
 * @param changeIntervalMs least time between two changes of one GPU's cap that do not lower it, ms
 * @param lockDir directory with a lock for each GPU, the same for all NodeManagers of a machine
 * @param helperSocket Unix socket of the helper
 * @param zeusdSocket Unix socket of zeusd
 * @param socketTimeoutMs how long an answer of either may take, ms
 * @param nvidiaSmiCommand words of the command that takes nvidia-smi's arguments for setting a limit; empty for nvidia-smi
 *     itself
 * @param nodeWattsCommand words of a command that prints the node's draw in W; empty for none
 * @param nodeIdleWatts draw of the node without its GPUs where nothing measures it, W
 * @param nodeShare what the node draws on top for each watt of its GPUs where nothing measures it
 */
public record PowerConf(
        PowerActuatorChoice actuator,
        long changeIntervalMs,
        Path lockDir,
        Path helperSocket,
        Path zeusdSocket,
        long socketTimeoutMs,
        List<String> nvidiaSmiCommand,
        List<String> nodeWattsCommand,
        long nodeIdleWatts,
        double nodeShare) {
    public static final String ACTUATOR = NodeConf.PREFIX + "power.actuator";
    public static final String CHANGE_INTERVAL_MS = NodeConf.PREFIX + "power.change-interval-ms";
    public static final String LOCK_DIR = NodeConf.PREFIX + "power.lock-dir";
    public static final String HELPER_SOCKET = NodeConf.PREFIX + "power.helper-socket";
    public static final String ZEUSD_SOCKET = NodeConf.PREFIX + "power.zeusd-socket";
    public static final String SOCKET_TIMEOUT_MS = NodeConf.PREFIX + "power.socket-timeout-ms";
    public static final String NVIDIA_SMI_COMMAND = NodeConf.PREFIX + "power.nvidia-smi-command";
    public static final String NODE_WATTS_COMMAND = NodeConf.PREFIX + "power.node-watts-command";
    public static final String NODE_IDLE_WATTS = NodeConf.PREFIX + "power.node-idle-watts";
    public static final String NODE_SHARE = NodeConf.PREFIX + "power.node-share";

    /**
     * @param controlDir below which locks lie where nothing else is set: nobody else can make that directory first
     * @throws SettingException for the first setting that cannot be used
     */
    static PowerConf from(Configuration conf, Path controlDir) {
        Settings settings = new Settings(conf);
        return new PowerConf(
                settings.word(ACTUATOR, PowerActuatorChoice.class, PowerActuatorChoice.AUTO),
                settings.whole(CHANGE_INTERVAL_MS, 0, 3_600_000, 10_000),
                settings.path(LOCK_DIR).orElseGet(() -> controlDir.resolve("power-locks")),
                settings.path(HELPER_SOCKET).orElse(Path.of("/run/treadle-power/helper.sock")),
                settings.path(ZEUSD_SOCKET).orElse(Path.of("/run/zeusd/zeusd.sock")),
                settings.whole(SOCKET_TIMEOUT_MS, 100, 600_000, 5_000),
                settings.words(NVIDIA_SMI_COMMAND),
                settings.words(NODE_WATTS_COMMAND),
                settings.whole(NODE_IDLE_WATTS, 0, 1_000_000, 300),
                settings.number(NODE_SHARE, 0, 10, 0.1));
    }
}
