// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.conf;

import java.time.Duration;
import org.apache.hadoop.conf.Configuration;

/**
 * When jobs are refused at submission because the cluster is too small for them, {@code yarn.scheduler.treadle.refuse-too-large*}.
 *
 * @param refuses whether they are refused at all; otherwise they wait, as under YARN's own scheduler
 * @param settle how long no node must have joined before the cluster is taken for complete
 */
public record RefusalSettings(boolean refuses, Duration settle) {
    public static final String REFUSE = SchedulerConf.PREFIX + "refuse-too-large";
    public static final String SETTLE_SECONDS = REFUSE + ".settle-seconds";

    /** NodeManagers that have lost their ResourceManager try every 30 s to reach it. */
    private static final int SETTLE = 45;

    /** @throws IllegalArgumentException if a value cannot be used */
    static RefusalSettings from(Configuration conf) {
        return new RefusalSettings(
                flag(conf), Duration.ofSeconds(SchedulerConf.number(conf, SETTLE_SECONDS, SETTLE, 0, 86_400)));
    }

    private static boolean flag(Configuration conf) {
        String value = conf.getTrimmed(REFUSE, "true");
        if (!value.equals("true") && !value.equals("false")) {
            throw new IllegalArgumentException(REFUSE + " is '" + value + "', must be 'true' or 'false'");
        }
        return value.equals("true");
    }
}
