// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CpuUseTest {
    private final CpuUse use = new CpuUse();
    private double now;
    private double cpuSeconds;

    /** It uses so many cores for so long, and is looked at every so often. */
    private void run(double seconds, double every, double cores, long vcores, double coresPerVcore) {
        for (double end = now + seconds; now < end; ) {
            now += every;
            cpuSeconds += cores * every;
            use.look(now, cpuSeconds, vcores, coresPerVcore);
        }
    }

    private void run(double seconds, double cores, long vcores) {
        run(seconds, 1, cores, vcores, 1);
    }

    /** Seen first at 1 s, it is looked at from 6 s on: windows end at 16 and at 26 s. */
    @Test
    void twoWindowsAboveItsSizeAreNoChance() {
        run(15, 6, 4);
        assertEquals(0, use.vcores());
        run(1, 6, 4);
        assertEquals(6, use.vcores());
        run(9, 6, 4);
        assertFalse(use.isAboveSize());
        run(1, 6, 4);
        assertTrue(use.isAboveSize());
        run(10, 4, 4);
        assertFalse(use.isAboveSize(), "a window at its size");
        assertEquals(4, use.vcores());
    }

    /** 1.3 times 4 are 5.2. */
    @Test
    void aLittleMoreIsNothing() {
        run(200, 5, 4);
        assertEquals(5, use.vcores());
        assertFalse(use.isAboveSize());
    }

    /** What was begun with 8 vcores is ended with 2, in the 5 seconds that do not count. */
    @Test
    void aNewSizeHasItsOwnWindows() {
        run(16, 8, 8);
        run(5, 8, 2);
        run(200, 2, 2);
        assertEquals(2, use.vcores());
        run(10, 8, 2);
        assertFalse(use.isAboveSize());
        run(6, 8, 3);
        assertFalse(use.isAboveSize(), "the second window is of another size");
        run(20, 8, 3);
        assertTrue(use.isAboveSize());
    }

    /** Where a vcore is half a core, 3 cores are 6 vcores. */
    @Test
    void coresAreToldInVcores() {
        run(30, 1, 3, 4, 0.5);
        assertEquals(6, use.vcores());
        assertTrue(use.isAboveSize());
    }

    /** What it used before the first look that counts is of no window. */
    @ParameterizedTest
    @ValueSource(doubles = {0.5, 2, 4, 7, 30})
    void howOftenItIsLookedAtChangesNothing(double every) {
        run(every, every, 4, 4, 1);
        for (int i = 0; i < 200; i++) {
            run(every, every, 4, 4, 1);
            assertTrue(use.vcores() == 0 || use.vcores() == 4, () -> "uses " + use.vcores());
        }
        assertEquals(4, use.vcores());
    }

    /** A worker that is started anew counts from zero. */
    @Test
    void aNewProcessBeginsAnew() {
        run(26, 6, 4);
        cpuSeconds = -4;
        run(1, 4, 4);
        assertFalse(use.isAboveSize());
        run(200, 4, 4);
        assertEquals(4, use.vcores());
        assertFalse(use.isAboveSize());
    }
}
