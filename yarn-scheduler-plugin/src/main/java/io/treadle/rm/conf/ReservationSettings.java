// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.conf;

import java.time.Duration;
import org.apache.hadoop.conf.Configuration;

/**
 * Settings of room that is reserved for waiting gangs.
 *
 * @param after how long a gang that is owed room waits before room is reserved for it
 * @param atMost how long room stays reserved, and how long the gang then has none reserved; zero: no room is ever reserved
 * @param mostPercent how much of a partition is reserved at most, for all gangs together; what a gang's queue is guaranteed is a
 *     limit as well
 */
public record ReservationSettings(Duration after, Duration atMost, int mostPercent) {
    public static final String AFTER_MS = SchedulerConf.PREFIX + "reservation.after-ms";
    public static final String MAX_SECONDS = SchedulerConf.PREFIX + "reservation.max-seconds";
    public static final String MAX_PERCENT = SchedulerConf.PREFIX + "reservation.max-percent";

    static ReservationSettings from(Configuration conf) {
        return new ReservationSettings(
                Duration.ofMillis(SchedulerConf.number(conf, AFTER_MS, 3000, 0, 3_600_000)),
                Duration.ofSeconds(SchedulerConf.number(conf, MAX_SECONDS, 1800, 0, 604_800)),
                SchedulerConf.number(conf, MAX_PERCENT, 100, 0, 100));
    }
}
