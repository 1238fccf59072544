// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that goes when it is told to. */
public final class FakeClock extends Clock {
    private long ms = 1_000_000;

    public void advance(long byMs) {
        ms += byMs;
    }

    @Override
    public long millis() {
        return ms;
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(ms);
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
