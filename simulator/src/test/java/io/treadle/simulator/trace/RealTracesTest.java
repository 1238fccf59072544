// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.simulator.engine.Reference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Published files, against their own numbers of rows and sums, which were counted without these readers. */
class RealTracesTest {
    private static Trace read(String format, String file) {
        Trace trace = Traces.read("auto", Reference.file(file), Fixtures.eights(), false);
        assertEquals(format, trace.format());
        return trace;
    }

    private static double seconds(Trace trace) {
        return trace.jobs().stream().mapToDouble(job -> job.work().seconds()).sum();
    }

    private static long gpus(Trace trace) {
        return trace.jobs().stream().mapToLong(TraceJob::gpus).sum();
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1494, 374174936, 7398, 10817570000",
        "2, 5755, 575421048, 29825, 8572283000",
        "3, 992, 46489935, 9346, 8166025000",
        "4, 2638, 314808424, 5310, 7363956000"
    })
    void muri(int number, int jobs, double seconds, long gpus, long lastMs) {
        Trace trace = read("muri", "traces/philly/muri_trace" + number + ".csv.gz");
        assertEquals(jobs, trace.jobs().size());
        assertEquals(seconds, seconds(trace), 1);
        assertEquals(gpus, gpus(trace));
        assertEquals(lastMs, trace.jobs().get(jobs - 1).submitMs());
    }

    @Test
    void phillyList() {
        Trace trace = read("treadle", "traces/philly/philly_jobs.csv.gz");
        assertEquals(82_247, trace.jobs().size());
        assertEquals(1_080_390_950, seconds(trace), 0);
        assertEquals(107_235, gpus(trace));
        assertEquals(15, trace.jobs().stream().map(TraceJob::queue).distinct().count());
        assertEquals(
                3_521_082_502.0,
                trace.jobs().stream()
                        .mapToDouble(job -> job.gpus() * job.work().seconds())
                        .sum(),
                0);
    }

    @Test
    void gavel() {
        Trace trace = read("gavel", "traces/philly/gavel_msr_seed0.csv.gz");
        assertEquals(15_264, trace.jobs().size());
        assertEquals(
                "1,548 jobs timed by the speed on one GPU: the table has none for theirs",
                trace.notes().get(0));
        // The first job: 95,121 steps at the table's speed of one V100.
        assertEquals("0e4a51", trace.jobs().get(0).queue());
    }

    @Test
    void elasticFlow() {
        Trace trace = read("elasticflow", "energy/elasticflow_philly_103959.csv");
        assertEquals(876, trace.jobs().size());
        assertEquals(49_556_598, seconds(trace), 0);
        assertEquals(1_899, gpus(trace));
    }

    @ParameterizedTest
    @CsvSource({
        "default, 8152, 6086.8",
        "cpu050, 7439, 6086.8",
        "gpushare100, 8152, 3952.67",
        "gpuspec33, 8152, 6086.8",
        "multigpu50, 9061, 11358.8"
    })
    void openb(String list, int pods, double cards) {
        Trace trace = read("openb", "traces/alibaba/openb_pod_list_" + list + ".csv.gz");
        assertEquals(pods, trace.jobs().size());
        double asked = trace.jobs().stream()
                .mapToDouble(job -> job.gpus() + job.groups().get(0).ask().gpuMemoryMiB() / 1000.0)
                .sum();
        assertEquals(cards, asked, 1e-6);
    }
}
