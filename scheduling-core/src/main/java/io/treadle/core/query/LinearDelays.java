// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.query;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Delays that are a latency and the time by bandwidth.
 *
 * @param linkKbPerMs of the link between host and GPU, which is MB/s
 * @param networkKbPerMs likewise
 * @param networkLatencyMs of each transfer
 */
public record LinearDelays(double linkKbPerMs, double networkKbPerMs, double networkLatencyMs) implements DelayModel {
    public LinearDelays {
        check("bandwidth of the link, MB/s,", linkKbPerMs, Double.MIN_NORMAL);
        check("bandwidth of the network, MB/s,", networkKbPerMs, Double.MIN_NORMAL);
        check("latency of the network, ms,", networkLatencyMs, 0);
    }

    private static void check(String what, double value, double least) {
        checkArgument(value >= least && Double.isFinite(value), "%s is %s, must be above 0", what, value);
    }

    @Override
    public double networkMs(double kb) {
        return kb / networkKbPerMs + networkLatencyMs;
    }

    @Override
    public double linkMs(double kb) {
        return kb / linkKbPerMs;
    }
}
