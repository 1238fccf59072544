// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.replay;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;

/** How much heap is in use. */
public final class Heap {
    private static final double MB = 1 << 20;

    private Heap() {}

    /** From now on {@link #peakMb} counts. */
    public static void reset() {
        ManagementFactory.getMemoryPoolMXBeans().forEach(MemoryPoolMXBean::resetPeakUsage);
    }

    /** What lives; takes the time of a full collection. */
    public static double liveMb() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / MB;
    }

    /** The most that was in use, garbage counted with what lives. */
    public static double peakMb() {
        long bytes = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .mapToLong(pool -> pool.getPeakUsage().getUsed())
                .sum();
        return Math.round(bytes / 1048.576) / 1000.0;
    }
}
