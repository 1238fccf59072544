// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.simulator.engine.Compat;
import io.treadle.simulator.engine.JobRun;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The log against what the engine itself counts. */
class RunLogTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void saysWhatTheEngineSays(long seed) {
        for (String policy : List.of("fifo", "sjf", "srtf")) {
            Logs.Run run = Logs.run(3, policy, Compat.NONE, Logs.random(seed, 300));
            JobTimes times = JobTimes.of(run.log());
            for (JobRun job : run.outcome().jobs()) {
                int number = job.index();
                assertTrue(times.isEnded(number));
                assertEquals((job.endMs() - job.job().submitMs()) / 1000.0, times.jctSeconds(number), 1e-9);
                assertEquals(job.waitedMs() / 1000.0, times.waitSeconds(number), 1e-9);
                assertEquals(job.preemptions(), times.stops(number));
            }
            TimeSeries series = UsageSweep.of(run.log(), 7);
            double mean = 0;
            for (double gpus : series.usedGpus()) {
                mean += gpus / 7;
            }
            assertEquals(run.outcome().gpuUtilization(), mean / 24, 1e-9, () -> "seed " + seed);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14})
    void noGpuHoldsTwoJobs(long seed) {
        Logs.Run run = Logs.run(3, "srtf", Compat.NONE, Logs.random(seed, 300));
        RunLog log = run.log();
        Slots slots = Slots.of(log);
        Map<Integer, Integer> holder = new HashMap<>();
        Replay.walk(log, new Replay.Visitor() {
            @Override
            public void started(int one, long ms) {
                if (log.toMs(one) > ms) {
                    each(one, cell -> assertEquals(null, holder.put(cell, one)));
                }
            }

            @Override
            public void stopped(int one, long ms) {
                if (log.fromMs(one) < ms) {
                    each(one, cell -> assertEquals(one, holder.remove(cell)));
                }
            }

            private void each(int one, java.util.function.IntConsumer action) {
                int count = 0;
                for (int piece = log.firstPiece(one); piece < log.endPiece(one); piece++) {
                    for (int i = 0; i < slots.count(piece); i++, count++) {
                        action.accept(log.nodes().firstCell(log.node(piece)) + slots.slot(piece, i));
                    }
                }
                assertEquals(log.jobs().get(log.job(one)).gpus(), count);
            }
        });
        assertTrue(holder.isEmpty());
    }

    @Test
    void leasesInOnePlaceAreOneRun() {
        // One job alone for four rounds, then two that take turns with it on the only node.
        Logs.Run run = Logs.run(
                1,
                "las+proportional",
                Compat.SYNERGY,
                List.of(Logs.job("a", "", 0, 8, 3000), Logs.job("b", "", 1100, 8, 600)));
        RunLog log = run.log();
        assertEquals(0, log.job(0));
        assertEquals(0, log.fromMs(0));
        assertEquals(1_200_000, log.toMs(0));
        assertNotEquals(0, log.job(1));
        assertTrue(log.runs() < 10, () -> log.runs() + " runs");
        double held = 0;
        for (int one = 0; one < log.runs(); one++) {
            held += log.toMs(one) - log.fromMs(one);
        }
        assertEquals(3_600_000, held, "12 rounds of work");
    }

    @Test
    void stopsAndMovesAreCounted() {
        // c is shorter than what a has left and takes its node; b's node is free first, so a goes on there.
        Logs.Run run = Logs.run(
                2,
                "srtf",
                Compat.NONE,
                List.of(Logs.job("a", "", 0, 8, 1000), Logs.job("b", "", 0, 8, 500), Logs.job("c", "", 10, 8, 600)));
        JobTimes times = JobTimes.of(run.log());
        assertEquals(List.of(1, 0, 0), List.of(times.stops(0), times.stops(1), times.stops(2)));
        assertEquals(List.of(1, 0, 0), List.of(times.moves(0), times.moves(1), times.moves(2)));
        assertEquals(490, times.waitSeconds(0));
    }
}
