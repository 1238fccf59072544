// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.browser.Browser;
import io.treadle.browser.BrowserPrograms;
import io.treadle.simulator.input.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bench in small, with real JVMs. */
class SimulatorBenchTest {
    private static final BenchSizes SMALL = new BenchSizes(1, 2000, 100, List.of(200, 400), 20, List.of(10, 20), 300);

    private final Path out;
    private final List<String> said = new ArrayList<>();

    SimulatorBenchTest(@TempDir Path out) {
        this.out = out;
    }

    @Test
    void medianIsTheMiddleOne() {
        assertEquals(3, row(9, 1, 3).runSeconds());
        assertEquals(2, row(3, 1).runSeconds());
        assertEquals(1.5, row(9, 1, 3).warmSeconds());
        // 61 CPU s against 9 and a half: the least that theirs takes, over all that ours took.
        assertEquals(61 / 9.5, row(9, 1, 3).ratio().orElseThrow());
    }

    private static BenchRow row(double... seconds) {
        List<Probed> runs = new ArrayList<>();
        for (double one : seconds) {
            runs.add(new Probed(10, 30, one, one / 2, one, 9.5, 1, List.of()));
        }
        return new BenchRow("helios qssf", "qssf", 159, 256, runs, Optional.of(Published.HELIOS_OTHER));
    }

    @Test
    void onlyRowsThatSomebodyElseRanAreCompared() throws IOException {
        BenchRow alone = new BenchRow("own", "fifo", 1, 256, row(1).runs(), Optional.empty());
        List<Compared> compared = BenchFiles.compared(List.of(row(1), alone));
        assertEquals(List.of(new Compared("helios qssf", 9.5, 61, 61 / 9.5, "s")), compared);
    }

    /** Without the known lists: drawn ones take their places, and the page and the files are whole. */
    @Test
    void measuresDrawnListsWhereTheKnownOnesAreNot() throws Exception {
        String tables = new SimulatorBench(out, out.resolve("nothing"), 7, SMALL, said::add).run();
        assertTrue(tables.contains("like philly srtf"), tables);
        assertTrue(tables.contains("openb is left out"), tables);
        assertEquals(
                0,
                new ObjectMapper()
                        .readTree(out.resolve("summary.json").toFile())
                        .size());
        List<String> cost = Files.readAllLines(out.resolve("cost.csv"));
        // Three policies of one large list, two lengths and two sizes.
        assertEquals(1 + 3 * (1 + 2 + 2), cost.size());
        assertTrue(cost.get(1).startsWith("2000,100,fifo,6000,"), cost.get(1));
        looksRight();
    }

    private void looksRight() throws Exception {
        Optional<BrowserPrograms> programs = BrowserPrograms.find();
        Assumptions.assumeTrue(programs.isPresent(), BrowserPrograms.MISSING);
        try (Browser browser = Browser.start(programs.get(), Files.createDirectory(out.resolve("profile")))) {
            browser.screen(360, true);
            browser.open(out.resolve("bench.html").toUri().toString());
            assertEquals(List.of(), browser.consoleErrors());
            assertEquals(
                    6,
                    browser.evaluate("document.querySelectorAll('polyline').length")
                            .asInt());
            assertTrue(browser.evaluate("document.documentElement.scrollWidth").asInt() <= 360);
            JsonNode first = browser.evaluate("document.querySelector('#known tbody th').textContent");
            assertEquals("like philly fifo", first.asText());
        }
    }

    @Test
    void failureOfTheJvmIsTold() {
        ProbeRequest request = ProbeRequest.of(out.resolve("none.csv"), "synergy-32", "fifo");
        InputException failure = assertThrows(InputException.class, () -> ChildJvm.measure(request, 64));
        assertTrue(String.valueOf(failure.getMessage()).contains("none.csv"), failure::getMessage);
    }

    /** What lives is told before the first job and after each quarter. */
    @Test
    void weighsTheHeapAtQuarters() {
        Lists lists = new Lists(out, 3);
        Path jobs = lists.jobs("venus", 1000, 50, .5);
        Probed probed = Probe.measure(
                ProbeRequest.of(jobs, lists.cluster(50).toString(), "fifo").weighing());
        assertEquals(1000, probed.jobs());
        assertEquals(3000, probed.events());
        assertEquals(5, probed.liveHeapMb().size());
    }
}
