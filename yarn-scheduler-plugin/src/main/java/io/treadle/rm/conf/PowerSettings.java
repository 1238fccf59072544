// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.conf;

import java.time.Duration;
import org.apache.hadoop.conf.Configuration;

/**
 * Cluster settings {@code yarn.scheduler.treadle.power.*} (reference: {@code docs/reference/scheduler-settings.md}).
 *
 * @param capsLease how long a node holds its GPUs' caps without hearing of the ResourceManager
 * @param makeWay how long a job has to give up containers that it is asked for, before they are ended
 * @param rescaleSeconds for how long a job is taken to do nothing when it gets other GPUs, s
 * @param secondsPerJoule how much sooner a job must end for one joule more, s/J
 * @param off when nodes are switched off
 * @param carbonFile with the grid's carbon intensity over time; empty for none
 */
public record PowerSettings(
        Duration capsLease,
        Duration makeWay,
        int rescaleSeconds,
        double secondsPerJoule,
        PowerOffSettings off,
        String carbonFile) {
    public static final String CAPS_LEASE_MS = SchedulerConf.PREFIX + "power.caps-lease-ms";
    public static final String MAKE_WAY_SECONDS = SchedulerConf.PREFIX + "power.make-way-seconds";
    public static final String RESCALE_SECONDS = SchedulerConf.PREFIX + "power.rescale-seconds";
    public static final String PRICE = SchedulerConf.PREFIX + "power.seconds-per-kwh";

    public static final String CARBON_FILE = SchedulerConf.PREFIX + "power.carbon-file";

    private static final double JOULES_PER_KWH = 3.6e6;

    /** @throws IllegalArgumentException if a value cannot be used */
    static PowerSettings from(Configuration conf) {
        return new PowerSettings(
                Duration.ofMillis(SchedulerConf.number(conf, CAPS_LEASE_MS, 60_000, 3_000, 3_600_000)),
                Duration.ofSeconds(SchedulerConf.number(conf, MAKE_WAY_SECONDS, 60, 1, 86_400)),
                SchedulerConf.number(conf, RESCALE_SECONDS, 30, 0, 3_600),
                SchedulerConf.number(conf, PRICE, 0, 0, 1_000_000) / JOULES_PER_KWH,
                PowerOffSettings.from(conf),
                conf.getTrimmed(CARBON_FILE, ""));
    }
}
