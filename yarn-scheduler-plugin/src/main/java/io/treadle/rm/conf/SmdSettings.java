// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.conf;

import io.treadle.core.policy.smd.SmdRules;
import org.apache.hadoop.conf.Configuration;

/**
 * Cluster settings {@code yarn.scheduler.treadle.smd.*} of the policies that choose numbers of workers and parameter servers
 * (reference: {@code docs/reference/scheduler-settings.md}).
 */
public final class SmdSettings {
    private static final String PREFIX = SchedulerConf.PREFIX + "smd.";
    static final String EPSILON = PREFIX + "epsilon";
    static final String TRIM_DELTA = PREFIX + "trim-delta";
    static final String GUESS_SIZE = PREFIX + "guess-size";
    static final String STEPS = PREFIX + "steps";
    static final String CAPACITY_FACTOR = PREFIX + "capacity-factor";
    static final String STICKY = PREFIX + "sticky";
    static final String MAX_WAIT_SECONDS = PREFIX + "max-wait-seconds";
    static final String BACKFILL = PREFIX + "backfill";
    static final String INTERVAL_MS = PREFIX + "interval-ms";

    private SmdSettings() {}

    /** @throws IllegalArgumentException if a value cannot be used */
    static SmdRules from(Configuration conf) {
        SmdRules usual = SmdRules.DEFAULT;
        return new SmdRules(
                decimal(conf, EPSILON, usual.epsilon(), 0.001, 1),
                decimal(conf, TRIM_DELTA, usual.trimDelta(), 0, 0.99),
                SchedulerConf.number(conf, GUESS_SIZE, usual.guesses(), 0, 3),
                SchedulerConf.number(conf, STEPS, (int) usual.steps(), 1, 999_999_999),
                decimal(conf, CAPACITY_FACTOR, usual.capacityFactor(), 0.01, 1),
                decimal(conf, STICKY, usual.sticky(), 0, 9),
                SchedulerConf.number(conf, MAX_WAIT_SECONDS, (int) usual.maxWaitSeconds(), 1, 31_536_000),
                flag(conf, BACKFILL, usual.backfill()),
                SchedulerConf.number(conf, INTERVAL_MS, (int) usual.intervalMs(), 100, 3_600_000));
    }

    private static double decimal(Configuration conf, String key, double otherwise, double least, double most) {
        String value = conf.getTrimmed(key, "");
        if (value.isEmpty()) {
            return otherwise;
        }
        if (value.matches("[0-9]{1,9}(\\.[0-9]{1,9})?")) {
            double number = Double.parseDouble(value);
            if (number >= least && number <= most) {
                return number;
            }
        }
        throw new IllegalArgumentException(
                key + " is '" + value + "', must be a number from " + shown(least) + " to " + shown(most));
    }

    private static String shown(double number) {
        return number == (long) number ? Long.toString((long) number) : Double.toString(number);
    }

    private static boolean flag(Configuration conf, String key, boolean otherwise) {
        String value = conf.getTrimmed(key, "");
        if (!value.isEmpty() && !value.equals("true") && !value.equals("false")) {
            throw new IllegalArgumentException(key + " is '" + value + "', must be true or false");
        }
        return value.isEmpty() ? otherwise : Boolean.parseBoolean(value);
    }
}
