// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.job.Sizing;
import io.treadle.core.job.Utility;
import io.treadle.simulator.engine.Compat;
import io.treadle.simulator.result.Summary;
import io.treadle.simulator.trace.TraceJob;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the results tell of the worth of ends. */
class UtilityTest {
    private final Path directory;

    UtilityTest(@TempDir Path directory) {
        this.directory = directory;
    }

    /** Ends an hour after its submission, where half of its weight is left whatever the decay. */
    private static TraceJob job(String id, long submitSeconds, double weight) {
        Utility utility = new Utility(weight, 2, OptionalDouble.of(1));
        return Logs.job(id, "q", submitSeconds, 8, 3600).with(new Sizing(utility, Optional.empty(), Optional.empty()));
    }

    /** On two nodes all start at once: ends are at 3600 s, and at 7200 s for c. */
    private static final List<TraceJob> JOBS =
            List.of(job("a", 0, 10), Logs.job("b", "q", 0, 8, 60), job("c", 3600, 4));

    private String page(List<TraceJob> jobs, Predicate<TraceJob> counts) throws Exception {
        Logs.Run run = Logs.run(2, "fifo", Compat.NONE, jobs);
        Report report = new Report(directory, new ReportSubject("t.csv", run.cluster(), jobs, counts, "", 1));
        report.add(Summary.of(run.outcome(), 1), run.log());
        report.write();
        return Files.readString(directory.resolve("report.html"));
    }

    @Test
    void endsAddUp() {
        Logs.Run run = Logs.run(2, "fifo", Compat.NONE, JOBS);
        Summary summary = Summary.of(run.outcome(), 1);
        assertEquals(7.0, summary.totalUtility());
        TimeSeries series = UsageSweep.of(run.log(), 4);
        PolicyFigures figures = PolicyFigures.of(
                summary,
                run.log(),
                JobTimes.of(run.log()),
                series,
                job -> true,
                RunColumns.of(run.log(), Slots.of(run.log()), new JobColumns(JOBS, 9), 1000));
        assertEquals(1800, series.stretchSeconds());
        assertArrayEquals(new double[] {0, 0, 5, 5, 7}, figures.utility());
    }

    @Test
    void thePageDrawsThemWhereThereAreAny() throws Exception {
        String page = page(JOBS, job -> true);
        assertTrue(page.contains("<section id=\"utility\"><h2>What ended jobs are worth over time</h2>"));
        assertTrue(page.contains("<td class=\"split\">7.00</td>"), "in the table of policies");
    }

    @Test
    void nothingIsSaidWhereNobodyKnows() throws Exception {
        List<TraceJob> jobs = List.of(Logs.job("a", "q", 0, 8, 60));
        assertNull(
                Summary.of(Logs.run(2, "fifo", Compat.NONE, jobs).outcome(), 1).totalUtility());
        assertFalse(page(jobs, job -> true).contains("id=\"utility\""));
    }
}
