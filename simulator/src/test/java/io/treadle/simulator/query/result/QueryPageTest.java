// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.query.result;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.browser.Browser;
import io.treadle.browser.BrowserPrograms;
import io.treadle.core.query.Model;
import io.treadle.core.query.QueryTask;
import io.treadle.core.query.WorkflowGraph;
import io.treadle.simulator.query.engine.QueryRun;
import io.treadle.simulator.query.engine.QuerySettings;
import io.treadle.simulator.query.engine.QuerySimulation;
import io.treadle.simulator.query.engine.Request;
import io.treadle.simulator.query.input.Mix;
import io.treadle.simulator.query.input.PoissonRequests;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the page of simulated queries draws. */
class QueryPageTest {
    private static final int WIDE = 1280;
    private static final int PHONE = 360;
    private static final int WORKERS = 70;
    private static final String BAD = "</script><b id=broken>";

    private static Browser browser;
    private static String address;

    private static String page(List<Request> requests, int workers, int warmup) {
        List<QueryRun> runs = Stream.of("compass", "hash")
                .map(policy -> QuerySimulation.run(requests, policy, QuerySettings.usual(workers), ended -> {}))
                .toList();
        List<QuerySummary> summaries = runs.stream()
                .map(run -> QuerySummary.of(run, warmup, Optional.empty()))
                .toList();
        return new QueryPage(runs, summaries, warmup).html("<i>settings</i>");
    }

    private static List<Request> requests(int count) {
        WorkflowGraph one = new WorkflowGraph(
                BAD, List.of(new QueryTask(0, "t", List.of(new Model(0, BAD, 9e6)), 50, 1, 1, List.of())));
        WorkflowGraph other = new WorkflowGraph(
                "plain", List.of(new QueryTask(0, "t", List.of(new Model(1, "m", 9e6)), 20, 1, 1, List.of())));
        return PoissonRequests.draw(Mix.even(List.of(one, other)), 20, count, WORKERS, 5);
    }

    @BeforeAll
    static void start(@TempDir Path directory) throws Exception {
        Optional<BrowserPrograms> programs = BrowserPrograms.find();
        Assumptions.assumeTrue(programs.isPresent(), BrowserPrograms.MISSING);
        Path file = directory.resolve("report.html");
        Files.writeString(file, page(requests(400), WORKERS, 50));
        address = file.toUri().toString();
        browser = Browser.start(programs.get(), Files.createDirectory(directory.resolve("profile")));
    }

    @AfterAll
    static void stop() throws Exception {
        if (browser != null) {
            browser.close();
        }
    }

    private static void open(int width, boolean dark) throws Exception {
        browser.screen(width, dark);
        browser.openReady(address);
        for (String asked : browser.requests()) {
            assertTrue(asked.startsWith("file:"), address + " asks for " + asked);
        }
        assertEquals(List.of(), browser.consoleErrors());
        int needed = Integer.parseInt(evaluate("document.documentElement.scrollWidth"));
        assertTrue(needed <= width, "needs " + needed + " pixels of " + width);
    }

    private static String evaluate(String expression) throws Exception {
        return browser.evaluate(expression).asText();
    }

    private static int count(String selector) throws Exception {
        return Integer.parseInt(evaluate("document.querySelectorAll(\"" + selector + "\").length"));
    }

    @Test
    void fitsPhonesAndDarkScreens() throws Exception {
        open(PHONE, true);
        open(WIDE, false);
    }

    @Test
    void drawsLatenciesCoursesAndWorkers() throws Exception {
        open(WIDE, false);
        assertEquals(3, count("#latencies figure"), "all requests and two workflows");
        assertEquals(2, count("#latencies figure:first-child polyline"));
        assertEquals(3, count("#course figure"));
        assertEquals(64, count("#workers-compass .strip"));
        assertTrue(evaluate("document.querySelector('#workers-compass .note').innerText")
                .contains("The first 64 of 70 workers."));
        assertTrue(count("#workers-hash .strip rect") > 0);
        assertEquals(64, count("#caches-hash tbody tr"));
        assertEquals(2, count("#policies tbody tr"));
        assertEquals("350", evaluate("document.querySelector('#policies tbody td').innerText"));
        assertTrue(evaluate("document.querySelector('.big').innerText")
                .matches("compass answers a query within .* ms on average, the soonest of 2 policies\\."));
    }

    @Test
    void namesAreTextWhateverTheyAre() throws Exception {
        open(WIDE, false);
        assertEquals(0, count("#broken"));
        assertTrue(evaluate("document.body.innerText").contains(BAD));
        assertTrue(evaluate("document.body.innerText").contains("<i>settings</i>"));
        assertFalse(evaluate("document.body.innerText").contains("NaN"));
    }

    /** Distributions reach the whole at the longest latency, and say what they say. */
    @Test
    void aSingleRequestIsAPageToo() {
        String html = page(requests(1), 1, 0);
        assertTrue(html.contains("of 2 policies"), html);
        assertFalse(html.contains("NaN"), html);
    }
}
