// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class RoundTimesTest {
    @Test
    void snapshotsAndPoliciesAreSummedUpOverTheQueuesOfOneRound() {
        RoundTimes times = new RoundTimes();
        assertEquals("result", times.ofSnapshot(() -> takes(20, "result")));
        times.ofSnapshot(() -> takes(20, ""));
        times.ofPolicy(() -> takes(5, ""));
        assertTrue(times.snapshotMs() >= 40, () -> times.snapshotMs() + " ms");
        assertTrue(times.policyMs() >= 5, () -> times.policyMs() + " ms");
        times.roundBegins();
        assertEquals(0, times.snapshotMs());
        assertEquals(0, times.policyMs());
    }

    private static String takes(long ms, String result) {
        long until = System.nanoTime() + ms * 1_000_000;
        while (System.nanoTime() < until) {
            LockSupport.parkNanos(until - System.nanoTime());
        }
        return result;
    }
}
