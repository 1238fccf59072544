// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.synergy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.browser.Browser;
import io.treadle.browser.BrowserPrograms;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.input.Table;
import io.treadle.simulator.sweep.SweepWatcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bench in small: real simulations, of few jobs. */
class SynergyBenchTest {
    private static final int SEEDS = 2;
    private static Path out;
    private static Path deployments;
    private static SynergyBench.Report report;

    @BeforeAll
    static void run(@TempDir Path directory) throws IOException {
        out = directory.resolve("out");
        deployments = directory;
        // 36,000 s each at their share of 32 GPUs, which is as fast as they can; the second list's comes an hour later.
        String header = "job_id,model,arrival_s,total_iterations,gpus\n";
        Files.writeString(directory.resolve("static32.csv"), header + "0,gnmt,0,300000,1\n1,lstm,0,100,1\n");
        Files.writeString(directory.resolve("dynamic32.csv"), header + "0,gnmt,3600,300000,1\n");
        report = bench(SweepWatcher.NONE);
    }

    private static SynergyBench.Report bench(SweepWatcher watcher) {
        return new SynergyBench(out, 42, SEEDS, SynergySizes.QUICK, Optional.of(deployments))
                .run(2, false, watcher, line -> {});
    }

    private static JsonNode summary() throws IOException {
        return new ObjectMapper().readTree(out.resolve("summary.json").toFile());
    }

    @Test
    void everyComparisonHasANameOfItsOwnAndARatioThatFollows() throws IOException {
        Set<String> names = new HashSet<>();
        for (JsonNode row : summary()) {
            assertTrue(names.add(row.get("name").asText()), row.get("name").asText());
            assertEquals(
                    row.get("theirs").asDouble() / row.get("ours").asDouble(),
                    row.get("ratio").asDouble(),
                    1e-9);
            assertTrue(Set.of("h", "ms").contains(row.get("unit").asText()));
        }
        assertTrue(names.contains("fifo 9/h (20,70,10), ours: mean JCT of synergy-balanced beside synergy-tune"));
    }

    /**
     * Seven jobs an hour on 128 GPUs leave room for all at the beginning: at its share each of the first takes its
     * iterations and not a moment more, in our simulator; in Synergy's rounds it waits for the next, does whole
     * iterations in each, and ends with one.
     */
    @Test
    void whereThereIsRoomForAllTheMeanIsThatOfTheWork() throws IOException {
        double[] seconds = new double[2];
        Table.withHeader(out.resolve("lists/7-per-hour,50-0-50,single,seed-42.csv.gz"))
                .forEach(row -> {
                    long id = row.whole("job_id", 0, 1 << 20);
                    if (id >= 100 && id < 200) {
                        double iteration = Double.parseDouble(row.text("iter_time_s"));
                        long iterations = row.whole("total_iterations", 0, 1 << 30);
                        long arrival = row.whole("arrival_s", 0, 1 << 30);
                        double perRound = Math.floor(300 / iteration);
                        seconds[0] += iterations * iteration;
                        seconds[1] += (Math.ceil(arrival / 300.0) + Math.ceil(iterations / perRound)) * 300 - arrival;
                    }
                });
        // Times of ours are whole ms, rounded up.
        assertEquals(seconds[0] / 100, mean("ours"), .001);
        assertEquals(seconds[1] / 100, mean("theirs"), 1e-9);
    }

    private static double mean(String rules) throws IOException {
        return Files.readAllLines(out.resolve("runs.csv")).stream()
                .filter(line -> line.startsWith("fifo,7,50-0-50,single,42,16,24," + rules + ",proportional,100,"))
                .mapToDouble(line -> Double.parseDouble(line.split(",")[10]))
                .findFirst()
                .orElseThrow();
    }

    /** Both take ten hours. */
    @Test
    void deploymentsAreRead() throws IOException {
        List<String> lines = Files.readAllLines(out.resolve("bench.md"));
        assertTrue(
                lines.contains("| static32 fifo: makespan | ours | 10.000 | 10.000 | 10.000 | 10.000 | – | – |"),
                () -> String.join("\n", lines));
        assertTrue(
                lines.contains("| dynamic32 srtf: mean JCT | ours | 10.000 | 10.000 | 10.000 | 10.000 | – | – |"),
                () -> String.join("\n", lines));
    }

    @Test
    void deploymentsMustBeThere(@TempDir Path directory) {
        assertEquals(
                "--deployments is '" + directory
                        + "', must be a directory with lists of jobs named static32… and dynamic32…: there is no static32….",
                assertThrows(InputException.class, () -> DeploymentStudy.in(directory))
                        .getMessage());
        assertThrows(InputException.class, () -> DeploymentStudy.in(directory.resolve("none")));
    }

    @Test
    void nothingIsRunTwice() {
        List<Integer> told = new ArrayList<>();
        SynergyBench.Report again = bench(new SweepWatcher() {
            @Override
            public void begins(int runs, int done) {
                told.addAll(List.of(runs, done));
            }
        });
        assertEquals(2, told.size());
        assertEquals(told.get(0), told.get(1));
        assertEquals(untilRounds(report.tables()), untilRounds(again.tables()));
    }

    /** What was timed differs from time to time. */
    private static String untilRounds(String tables) {
        return tables.substring(0, tables.indexOf("What a round costs"));
    }

    @Test
    void figuresOfFewJobsAreHeldToNothing() {
        assertEquals(List.of(), report.wrong());
        assertFalse(report.tables().contains("come out equal"), report.tables());
    }

    @Test
    void markdownHasTheTables() throws IOException {
        List<String> lines = Files.readAllLines(out.resolve("bench.md"));
        int head = lines.indexOf(
                "| work | simulated | proportional | synergy-greedy | synergy-tune | synergy-balanced | synergy-opt | bound | tune ÷ balanced | proportional ÷ balanced | artifact |");
        assertTrue(head > 0, () -> String.join("\n", lines));
        assertEquals("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |", lines.get(head + 1));
        assertTrue(lines.get(head + 2).startsWith("| fifo 9/h (20,70,10) | Synergy's rounds, first fit | "));
        assertTrue(lines.get(head + 2).endsWith(" | 21.88 |"), lines.get(head + 2));
    }

    @Test
    void pageLooksRight() throws Exception {
        Optional<BrowserPrograms> programs = BrowserPrograms.find();
        Assumptions.assumeTrue(programs.isPresent(), BrowserPrograms.MISSING);
        try (Browser browser = Browser.start(programs.get(), Files.createDirectory(out.resolve("profile")))) {
            browser.screen(360, true);
            browser.open(out.resolve("bench.html").toUri().toString());
            assertEquals(List.of(), browser.consoleErrors());
            assertTrue(browser.evaluate("document.documentElement.scrollWidth").asInt() <= 360);
            // Three allocations over four numbers of CPUs.
            assertEquals(
                    3,
                    browser.evaluate("document.querySelectorAll('#cpus-plots polyline').length")
                            .asInt());
            assertEquals(
                    "fifo 9/h (20,70,10)",
                    browser.evaluate("document.querySelector('#mean tbody th').textContent")
                            .asText());
        }
    }
}
