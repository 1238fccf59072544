// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.conf;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/**
 * When nodes are switched off, {@code yarn.scheduler.treadle.power.off.*}.
 *
 * @param command that switches a host; empty: all nodes stay on
 * @param idle for how long a host has held nothing before it is switched off
 * @param spare how many idle hosts of each kind stay on
 * @param wake how long a host has to come back
 */
public record PowerOffSettings(Optional<Path> command, Duration idle, int spare, Duration wake) {
    private static final String PREFIX = SchedulerConf.PREFIX + "power.off.";
    public static final String COMMAND = PREFIX + "command";
    public static final String IDLE_SECONDS = PREFIX + "idle-seconds";
    public static final String SPARE_NODES = PREFIX + "spare-nodes";
    public static final String WAKE_SECONDS = PREFIX + "wake-seconds";

    /** @throws IllegalArgumentException if a value cannot be used */
    static PowerOffSettings from(Configuration conf) {
        return new PowerOffSettings(
                command(conf.getTrimmed(COMMAND, "")),
                Duration.ofSeconds(SchedulerConf.number(conf, IDLE_SECONDS, 300, 1, 864_000)),
                SchedulerConf.number(conf, SPARE_NODES, 1, 0, 100_000),
                Duration.ofSeconds(SchedulerConf.number(conf, WAKE_SECONDS, 120, 1, 86_400)));
    }

    private static Optional<Path> command(String value) {
        if (value.isEmpty()) {
            return Optional.empty();
        }
        Path command = Path.of(value);
        if (!command.isAbsolute() || !Files.isExecutable(command) || Files.isDirectory(command)) {
            throw new IllegalArgumentException(
                    COMMAND + " is '" + value + "', must be the absolute path of a file that this user can execute");
        }
        return Optional.of(command);
    }
}
