// SPDX-License-Identifier: Apache-2.0
package io.treadle.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.simulator.bench.Compared;
import io.treadle.simulator.bench.Machine;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TelemetryResultTest {
    private static final long SECOND = 1_000_000_000;
    private static final long MS = 1_000_000;
    private static final Machine MACHINE = new Machine("a processor", 2, "a JVM", 0);

    /** In 100 s: 300 ms of CPU with the plugin, 100 ms in as long without. */
    private static final TelemetryResult RESULT = new TelemetryResult(
            MACHINE,
            8,
            new CpuTimes(
                    100 * SECOND,
                    300 * MS,
                    Map.of(
                            "treadle-devices-bench", 80 * MS,
                            "treadle-files-bench", 10 * MS,
                            "main-SendThread(127.0.0.1:1)", 40 * MS,
                            "main-EventThread", 20 * MS,
                            "main", 7 * MS)),
            new CpuTimes(100 * SECOND, 100 * MS, Map.of("main", 5 * MS)),
            100);

    @Test
    void theProcessIsHeldBesideAnIdleOneAndThreadsAreToldByName() {
        assertEquals(0.2, RESULT.percent(), 1e-12);
        assertEquals(0.15, RESULT.threadsPercent(), 1e-12);
        List<TelemetryResult.Part> parts = RESULT.parts();
        double[] known = {0.08, 0.01, 0.06};
        assertEquals(known.length, parts.size());
        for (int i = 0; i < known.length; i++) {
            assertEquals(known[i], parts.get(i).percent(), 1e-12, parts.get(i).name());
        }
    }

    @Test
    void heldBesideTheGoal() {
        String name = "telemetry of 8 simulated GPUs at 1 Hz: ";
        List<Compared> rows = RESULT.compared();
        assertEquals(
                List.of(name + "threads of the plugin", name + "process beside one without"),
                rows.stream().map(Compared::name).toList());
        assertEquals(0.5 / 0.15, rows.get(0).ratio(), 1e-9);
        assertEquals(0.5 / 0.2, rows.get(1).ratio(), 1e-9);
        assertEquals(
                rows.subList(0, 1),
                new TelemetryResult(MACHINE, 8, RESULT.node(), RESULT.node(), 100).compared(),
                "nothing between the processes, no ratio");
        assertFalse(RESULT.isMissed());
        CpuTimes much = new CpuTimes(100 * SECOND, 600 * MS, Map.of("treadle-devices-bench", 500 * MS));
        assertTrue(new TelemetryResult(MACHINE, 8, much, RESULT.idle(), 100).isMissed(), "just the goal is too much");
    }

    @Test
    void whatWasTakenBeforeDoesNotCount() {
        CpuTimes before = new CpuTimes(5, 10, Map.of("a", 3L, "gone", 9L));
        CpuTimes now = new CpuTimes(25, 40, Map.of("a", 8L, "new", 6L));
        assertEquals(new CpuTimes(20, 30, Map.of("a", 5L, "new", 6L)), now.since(before));
    }

    @Test
    void threadsOfThisProcessAreSeen() {
        CpuTimes before = CpuTimes.now();
        long sum = 0;
        while (CpuTimes.now()
                        .since(before)
                        .threads()
                        .getOrDefault(Thread.currentThread().getName(), 0L)
                < 20 * MS) {
            sum++;
        }
        CpuTimes taken = CpuTimes.now().since(before);
        // The three are read one after the other, and the process's in steps of 10 ms.
        assertTrue(sum > 0 && taken.process() >= 10 * MS && taken.wall() >= 10 * MS, taken.toString());
    }
}
