// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.service.ServiceStateException;
import org.junit.jupiter.api.Test;

/** A stop that is cut off in what is Treadle's stops CapacityScheduler all the same. */
class StoppedAnywayTest {
    @Test
    void threadsOfCapacitySchedulerEnd() throws Exception {
        Set<Thread> before = schedulingThreads();
        try (SchedulerHarness cluster = SchedulerHarness.start(SchedulerHarness.settings(true, "fifo"))) {
            Set<Thread> own = new HashSet<>(schedulingThreads());
            own.removeAll(before);
            assertFalse(own.isEmpty());
            // A thread that waits for the planner to end, as a stop does, is interrupted by this.
            Thread.currentThread().interrupt();
            assertThrows(ServiceStateException.class, cluster.scheduler()::stop);
            for (Thread thread : own) {
                thread.join(60_000);
            }
            own.removeIf(thread -> !thread.isAlive());
            assertEquals(Set.of(), own);
        }
    }

    private static Set<Thread> schedulingThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getClass().getName().endsWith("AsyncScheduleThread"))
                .collect(Collectors.toSet());
    }
}
