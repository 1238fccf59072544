// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;

/** Time that stands still until the simulation moves it. */
final class SimulatedTime extends Clock implements org.apache.hadoop.yarn.util.Clock {
    private long nowMs = 1_000_000_000_000L;

    void advance(long ms) {
        nowMs += ms;
    }

    long nanos() {
        return TimeUnit.MILLISECONDS.toNanos(nowMs);
    }

    @Override
    public long millis() {
        return nowMs;
    }

    @Override
    public long getTime() {
        return nowMs;
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(nowMs);
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
