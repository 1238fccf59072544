// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.service.ServiceStateException;
import org.junit.jupiter.api.Test;

/** A stop that is cut off in what is Treadle's stops CapacityScheduler all the same. */
class StoppedAnywayTest {
    @Test
    void threadsOfCapacitySchedulerEnd() throws Exception {
        Set<Thread> before = threads(any -> true);
        try (SchedulerHarness cluster = SchedulerHarness.start(SchedulerHarness.settings(true, "fifo"))) {
            Set<Thread> walking = threads(thread ->
                    !before.contains(thread) && thread.getClass().getName().endsWith("AsyncScheduleThread"));
            assertFalse(walking.isEmpty());
            Thread planner = threads(thread ->
                            !before.contains(thread) && thread.getName().equals("treadle-planner"))
                    .iterator()
                    .next();
            // No thread ends while another holds its monitor: the stop has to wait for the planner, and that wait is
            // interrupted.
            synchronized (planner) {
                Thread.currentThread().interrupt();
                assertThrows(ServiceStateException.class, cluster.scheduler()::stop);
            }
            for (Thread thread : walking) {
                thread.join(60_000);
            }
            walking.removeIf(thread -> !thread.isAlive());
            assertEquals(Set.of(), walking);
        }
    }

    private static Set<Thread> threads(Predicate<Thread> wanted) {
        return Thread.getAllStackTraces().keySet().stream().filter(wanted).collect(Collectors.toSet());
    }
}
