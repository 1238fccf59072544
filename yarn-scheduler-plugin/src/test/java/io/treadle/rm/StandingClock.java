// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that stands until a test sets it; it begins at 0 s. */
public class StandingClock extends Clock {
    private volatile long seconds;

    /** @param now since the epoch, s */
    public void set(long now) {
        seconds = now;
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochSecond(seconds);
    }
}
