// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.simulator.input.Table;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every finish second of Synergy's artifact. */
class SynergyOracleTest {
    @ParameterizedTest
    @CsvSource({
        "static32, FIFO+fair, fifo+proportional, first-fit",
        "static32, FIFO+place+tune, fifo+synergy-tune, consolidate",
        "static32, FIFO+tune, fifo+synergy-tune, first-fit",
        "static32, FIFO, fifo+synergy-greedy, first-fit",
        "static32, LAS+fair, las+proportional, first-fit",
        "static32, LAS+tune, las+synergy-tune, first-fit",
        "static32, SRTF+fair, srtf+proportional, first-fit",
        "static32, SRTF+tune, srtf+synergy-tune, first-fit",
        "dynamic32, FIFO+fair, fifo+proportional, first-fit",
        "dynamic32, FIFO+tune, fifo+synergy-tune, first-fit",
        "dynamic32, LAS+fair, las+proportional, first-fit",
        "dynamic32, LAS+tune, las+synergy-tune, first-fit",
        "dynamic32, SRTF, srtf+synergy-greedy, first-fit",
        "dynamic32, SRTF+fair, srtf+proportional, first-fit",
        "dynamic32, SRTF+tune, srtf+synergy-tune, first-fit",
    })
    void smallTraces(String trace, String scheduler, String policy, String placement) {
        Path file = Reference.file("synergy/" + trace + "_expected_finish.csv");
        Map<String, Long> expected = new TreeMap<>();
        Table.withHeader(file)
                .forEach(row -> expected.put(row.text("job_id"), row.whole("finish_" + scheduler, 0, 1L << 40)));
        assertSame(expected, finishes(file, "synergy-32", Runs.options(Compat.SYNERGY, placement), policy));
    }

    @ParameterizedTest
    @CsvSource({"tune, fifo+synergy-tune, 21.876600555555555", "fair, fifo+proportional, 81.08860055555556"})
    void nineJobsAnHour(String kind, String policy, double meanHours) {
        Path list = Reference.file("synergy/lists/standin_load9_20-70-10_r3_seed42.csv.gz");
        Path file = Reference.file("synergy/standin_FIFO+" + kind + "_load9_20-70-10_single_seed42.jobs.csv.gz");
        Map<String, Long> expected = new TreeMap<>();
        Table.withHeader(file).forEach(row -> {
            if (row.text("finished").equals("1")) {
                expected.put(row.text("job_id"), row.whole("finish_s", 0, 1L << 40));
            }
        });
        SimulationOptions options =
                new SimulationOptions(Compat.SYNERGY, "first-fit", false, new MeasuredJobs(4000, 5000), 300_000, -1);
        List<JobRun> jobs = Runs.run(list, "synergy-128", options, policy);
        Map<String, Long> got = new TreeMap<>();
        double seconds = 0;
        for (JobRun job : jobs) {
            if (job.isEnded()) {
                got.put(job.job().id(), job.endMs() / 1000);
                long id = Long.parseLong(job.job().id());
                seconds += id >= 4000 && id < 5000 ? (job.endMs() - job.job().submitMs()) / 1000.0 : 0;
            }
        }
        // The original stops in the middle of its last round: some that end in it have no finish there.
        got.keySet().retainAll(expected.keySet());
        assertSame(expected, got);
        assertEquals(meanHours, seconds / 1000 / 3600, 1e-12);
    }

    /** Job by job: the message of a difference between thousands of entries would fill pages. */
    private static void assertSame(Map<String, Long> expected, Map<String, Long> got) {
        assertEquals(expected.size(), got.size());
        expected.forEach((job, second) -> assertEquals(second, got.get(job), () -> "job " + job));
    }

    private static Map<String, Long> finishes(Path trace, String cluster, SimulationOptions options, String policy) {
        Map<String, Long> finishes = new TreeMap<>();
        Runs.run(trace, cluster, options, policy)
                .forEach(job -> finishes.put(job.job().id(), job.endMs() / 1000));
        return finishes;
    }
}
