// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WaitedForTest {
    private static final long AFTERWARDS_MS = 30_000;

    /**
     * @param seconds when somebody looked, and what was waited for then
     * @param kept what is kept at the last look
     */
    @ParameterizedTest
    @CsvSource({
        // For three seconds, and not before.
        "0:4, 0",
        "0:4 2:4, 0",
        "0:4 3:4, 4",
        "0:4 1:4 2:4 3:4, 4",
        // Seen seldom it is not known what was between.
        "0:0 5:4, 0",
        "0:0 5:4 10:4, 4",
        // The least of the time: others that come and go are served without it.
        "0:1 1:64 2:1 3:1, 1",
        "0:4 1:0 2:4 3:4, 0",
        "0:4 1:0 2:4 3:4 5:4, 4",
        // As much is kept for half a minute.
        "0:4 3:4 4:0 32:0, 4",
        "0:4 3:4 4:0 33:0, 0",
        "0:4 3:4 4:0 33:0 34:2 37:2, 2",
        // More is kept as soon as it was waited for long enough.
        "0:4 3:4 4:9 7:9, 9"
    })
    void keepsWhatWasWaitedForAllTheTime(String seconds, long kept) {
        WaitedFor waited = WaitedFor.NOTHING;
        for (String look : seconds.split(" ")) {
            String[] parts = look.split(":");
            waited = waited.seen(Long.parseLong(parts[1]), AFTERWARDS_MS, 1_000 * (1_000 + Long.parseLong(parts[0])));
        }
        assertEquals(kept, waited.kept());
    }

    @Test
    void remembersNoMoreThanItNeeds() {
        WaitedFor waited = WaitedFor.NOTHING;
        for (int i = 0; i < 1_000; i++) {
            waited = waited.seen(1, AFTERWARDS_MS, i * 100L);
        }
        assertTrue(waited.amounts().size() <= 32, () -> "it remembers 100 s");
    }
}
