// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.conf.ClientConf;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class PageIntervalTest {
    private final AtomicLong seconds = new AtomicLong();

    private int readsWithin(long from, long to) {
        seconds.set(0);
        PageInterval interval = PageInterval.of(
                ClientConf.from(new Configuration(false)), () -> TimeUnit.SECONDS.toNanos(seconds.get()));
        int reads = 0;
        for (long second = 0; second < to; second++) {
            seconds.set(second);
            reads += interval.takeDue() && second >= from ? 1 : 0;
        }
        return reads;
    }

    @Test
    void aYoungJobIsReadEachSecond() {
        assertEquals(20, readsWithin(0, 20));
    }

    @Test
    void aJobThatIsFollowedForADayIsReadOnceAMinute() {
        int reads = readsWithin(0, 86_400);
        assertTrue(reads < 1_600, "pages read in a day: " + reads);
        assertEquals(60, readsWithin(20 * 3_600, 21 * 3_600), 1);
    }
}
