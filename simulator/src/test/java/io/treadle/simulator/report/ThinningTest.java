// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.simulator.engine.Compat;
import io.treadle.simulator.trace.TraceJob;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class ThinningTest {
    @Test
    void quantilesAreThoseOfTheSummary() {
        Quantiles four = new Quantiles(new double[] {4, 1, 3, 2});
        assertEquals(2.5, four.at(0.5).orElseThrow());
        assertEquals(3.85, four.at(0.95).orElseThrow(), 1e-12);
        assertTrue(new Quantiles(new double[0]).at(0.5).isEmpty());
    }

    @Test
    void curvesKeepTheirEnds() {
        double[] many = DoubleStream.iterate(0, x -> x + 1).limit(10_001).toArray();
        assertArrayEquals(new double[] {0, 2500, 5000, 7500, 10_000}, new Quantiles(many).thinned(5));
        assertArrayEquals(new double[] {1, 2}, new Quantiles(new double[] {2, 1}).thinned(5));
        assertArrayEquals(new double[] {7}, new Quantiles(new double[] {7}).thinned(5));
    }

    @Test
    void curvesOverTimeAreMeansOverStretches() {
        // All 8 GPUs for the first half of 100 s, then 2: b waits for a.
        Logs.Run run =
                Logs.run(1, "fifo", Compat.NONE, List.of(Logs.job("a", "", 0, 8, 50), Logs.job("b", "", 0, 2, 50)));
        TimeSeries series = UsageSweep.of(run.log(), 4);
        assertArrayEquals(new double[] {8, 8, 2, 2}, series.usedGpus());
        assertArrayEquals(new double[] {1, 1, 0, 0}, series.pending());
        assertArrayEquals(new double[] {1, 1, 1, 1}, series.running());
        assertArrayEquals(new double[] {8, 8, 2, 2}, series.usedGpusPerUsedNode());
        assertArrayEquals(new double[] {12.5, 37.5, 62.5, 87.5}, series.seconds());
        assertArrayEquals(new double[] {5}, UsageSweep.of(run.log(), 1).usedGpus());
        assertEquals(0, series.busiestMs());
    }

    @Test
    void theShortestRunsGoFirst() {
        List<TraceJob> jobs = Logs.random(3, 2000);
        Logs.Run run = Logs.run(3, "srtf", Compat.NONE, jobs);
        Slots slots = Slots.of(run.log());
        JobColumns all = new JobColumns(jobs, 5000);
        RunColumns whole = RunColumns.of(run.log(), slots, all, Integer.MAX_VALUE);
        assertEquals(run.log().runs(), whole.kept());
        assertEquals(0, whole.dropped());
        int room = whole.packed().length() / 2;
        RunColumns half = RunColumns.of(run.log(), slots, all, room);
        assertTrue(half.packed().length() <= room);
        assertTrue(half.kept() > whole.kept() / 4, () -> half.kept() + " of " + whole.kept());
        assertEquals(whole.kept(), half.kept() + half.dropped());
        long longer = 0;
        for (int one = 0; one < run.log().runs(); one++) {
            longer += run.log().toMs(one) - run.log().fromMs(one) >= half.leastSeconds() * 1000 ? 1 : 0;
        }
        assertEquals(longer, half.kept());
    }

    @Test
    void jobsOfMostGpuTimeAreKept() {
        JobColumns two = new JobColumns(
                List.of(
                        Logs.job("small", "", 0, 1, 10),
                        Logs.job("wide", "", 0, 8, 10),
                        Logs.job("long", "", 0, 1, 1000)),
                2);
        assertEquals(2, two.kept());
        assertEquals(List.of(-1, 0, 1), List.of(two.number(0), two.number(1), two.number(2)));
    }

    @Test
    void axesNameRoundNumbers() {
        assertEquals(
                List.of("0", "500", "1,000", "1,500", "2,000"),
                Axis.number(1620).ticks().stream().map(Axis.Tick::name).toList());
        assertEquals(
                List.of("1 min", "10 min", "1 h"),
                Axis.logTime(30, 4000).ticks().stream().map(Axis.Tick::name).toList());
        assertEquals(
                List.of("0", "10 d", "20 d", "30 d", "40 d", "50 d", "60 d", "70 d"),
                Axis.time(75 * 86_400.0).ticks().stream().map(Axis.Tick::name).toList());
        // 1e13 s are 115,740,741 d.
        assertEquals(4, Axis.time(1e13).ticks().size(), "also where a job takes longer than anybody lives");
        assertEquals(0.5, Axis.logTime(1, 100).at(10), 1e-12);
        assertEquals(1, Axis.share().at(7));
    }
}
