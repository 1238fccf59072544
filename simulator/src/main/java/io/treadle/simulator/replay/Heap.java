// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.replay;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;

/** The most heap that was in use, garbage counted with what lives. */
final class Heap {
    private Heap() {}

    static void reset() {
        ManagementFactory.getMemoryPoolMXBeans().forEach(MemoryPoolMXBean::resetPeakUsage);
    }

    static double peakMb() {
        long bytes = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .mapToLong(pool -> pool.getPeakUsage().getUsed())
                .sum();
        return Math.round(bytes / 1048.576) / 1000.0;
    }
}
