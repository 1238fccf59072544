// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.browser.Browser;
import io.treadle.browser.BrowserPrograms;
import io.treadle.simulator.cluster.ClusterReader;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.engine.Compat;
import io.treadle.simulator.engine.MeasuredJobs;
import io.treadle.simulator.engine.Simulation;
import io.treadle.simulator.engine.SimulationOptions;
import io.treadle.simulator.result.Summary;
import io.treadle.simulator.trace.TraceJob;
import io.treadle.simulator.trace.Traces;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the report draws, and what it does when it is used. */
class ReportPageTest {
    private static final int WIDE = 1280;
    private static final int PHONE = 360;
    private static final String DARK = "rgb(21, 24, 28)";
    private static final String BAD = "</script><b id=broken>";
    private static final List<String> POLICIES = List.of("fifo", "srtf");
    /** Under srtf, c takes a's node at 10 s, and a goes on at 500 s where the badly named job was. */
    private static final String JOBS =
            """
            job_id,queue,submit_s,gpus,duration_s,deadline_s
            a,prod,0,8,1000,1200
            %s,prod,0,8,500,
            c,prod,10,8,600,
            d,<i>lab</i>,20,3,900,
            """
                    .formatted(BAD);

    private static final String CLUSTER = "vc,node_num\nprod,2\n<i>lab</i>,1\n";

    private static Browser browser;
    private static String address;

    @BeforeAll
    static void start(@TempDir Path directory) throws Exception {
        Optional<BrowserPrograms> programs = BrowserPrograms.find();
        Assumptions.assumeTrue(programs.isPresent(), BrowserPrograms.MISSING);
        Path trace = Files.writeString(directory.resolve("jobs.csv"), JOBS);
        Path nodes = Files.writeString(directory.resolve("nodes.csv"), CLUSTER);
        SimCluster cluster = ClusterReader.read(nodes.toString());
        List<TraceJob> jobs = Traces.read("auto", trace, cluster);
        SimulationOptions options =
                new SimulationOptions(Compat.NONE, "consolidate", true, MeasuredJobs.ALL, 300_000, 0);
        Report report =
                new Report(directory, new ReportSubject("jobs.csv", cluster, jobs, job -> true, "", POLICIES.size()));
        for (String policy : POLICIES) {
            RunLog log = new RunLog(cluster, jobs);
            report.add(Summary.of(new Simulation(cluster, jobs, options).run(policy, ended -> {}, log), 1), log);
        }
        report.write();
        address = directory.resolve("report.html").toUri().toString();
        browser = Browser.start(programs.get(), Files.createDirectory(directory.resolve("profile")));
    }

    @AfterAll
    static void stop() throws Exception {
        if (browser != null) {
            browser.close();
        }
    }

    @BeforeEach
    void openPage() throws Exception {
        open(WIDE, false);
    }

    /** Holds the page against what all pages must be. */
    private static void open(int width, boolean dark) throws Exception {
        browser.screen(width, dark);
        browser.openReady(address);
        for (String asked : browser.requests()) {
            // A blob holds the page's own bytes.
            assertTrue(asked.startsWith("file:") || asked.startsWith("blob:"), address + " asks for " + asked);
        }
        assertEquals(List.of(), browser.consoleErrors());
        int needed = Integer.parseInt(evaluate("document.documentElement.scrollWidth"));
        assertTrue(needed <= width, "needs " + needed + " pixels of " + width);
        assertEquals(
                dark,
                evaluate("getComputedStyle(document.body).backgroundColor").equals(DARK));
    }

    private interface Condition {
        boolean holds() throws Exception;
    }

    /** The page's script reads its data as it gets to it. */
    private static void await(String what, Condition condition) throws Exception {
        for (int i = 0; i < 600 && !condition.holds(); i++) {
            Thread.sleep(50);
        }
        assertTrue(condition.holds(), "waited in vain for: " + what);
    }

    private static String evaluate(String expression) throws Exception {
        return browser.evaluate(expression).asText();
    }

    private static int count(String selector) throws Exception {
        return Integer.parseInt(evaluate("document.querySelectorAll(\"" + selector + "\").length"));
    }

    private static void choose(int policy) throws Exception {
        browser.evaluate("(() => { const s = document.getElementById('policy'); s.value = " + policy
                + "; s.dispatchEvent(new Event('change')); })()");
        await("the policy", () -> evaluate("document.getElementById('status').textContent")
                .contains("running"));
    }

    /** To a share of the time from the first submission, 0 s, to the last end of all policies; gives the status. */
    private static String slide(double share) throws Exception {
        return evaluate("(() => { const s = document.getElementById('moment'); s.value = " + share
                + " * s.max; s.dispatchEvent(new Event('input'));"
                + " return document.getElementById('status').textContent; })()");
    }

    private static void awaitStory(String text) throws Exception {
        await("story with " + text, () -> evaluate("document.getElementById('story').innerText")
                .contains(text));
    }

    @Test
    void fitsPhonesAndDarkScreens() throws Exception {
        open(PHONE, true);
        open(PHONE, false);
        open(WIDE, true);
    }

    @Test
    void drawsEachPolicy() throws Exception {
        assertEquals(2, count("#policies tbody tr"));
        // Those of every page, effective use, two of fairness and one of deadlines.
        assertEquals(17, count("#policies tbody tr:first-child > *"));
        assertTrue(count("#policies td b") > 0);
        assertEquals(2, count("#completion polyline"));
        assertEquals(2, count("#fairness polyline"));
        assertEquals(2, count("#deadlines polyline"));
        assertEquals(8, count("#time polyline"));
        assertEquals(4, count("#queues .bars li"), "two queues under two policies");
        assertEquals(4, count("#by-size li"));
        assertFalse(evaluate("document.querySelector('#completion polyline').getAttribute('points')")
                .isEmpty());
        assertEquals(0, count("#broken"));
        assertEquals(0, count("main i:not([style])"), "names with tags are text");
        assertTrue(evaluate("document.body.innerText").contains("<i>lab</i>"));
    }

    @Test
    void sliderAndButtonsMoveTheGrid() throws Exception {
        String early = slide(0.05);
        String late = slide(0.7);
        assertTrue(early.contains("19 of 24 GPUs in use, 3 jobs running, 1 waiting"), early);
        assertTrue(late.contains("8 of 24 GPUs in use, 1 job running, 0 waiting"), late);
        assertEquals("8", evaluate("document.getElementById('grid').dataset.busy"));
        browser.evaluate("document.getElementById('back').click()");
        assertFalse(late.equals(evaluate("document.getElementById('status').textContent")));
        browser.evaluate("document.getElementById('play').click()");
        assertEquals("Pause", evaluate("document.getElementById('play').textContent"));
        String at = evaluate("document.getElementById('moment').getAttribute('aria-valuetext')");
        await("time to pass", () -> !evaluate("document.getElementById('moment').getAttribute('aria-valuetext')")
                .equals(at));
        browser.evaluate("document.getElementById('play').click()");
        assertEquals("Play", evaluate("document.getElementById('play').textContent"));
    }

    @Test
    void clickTellsAJobsStory() throws Exception {
        choose(1);
        slide(0.05);
        // The first GPU of all, below the partition's name.
        browser.evaluate("(() => { const c = document.getElementById('grid'), box = c.getBoundingClientRect();"
                + " c.dispatchEvent(new MouseEvent('click', {clientX: box.left + 4, clientY: box.top + 24})); })()");
        awaitStory("Job " + BAD);
        assertEquals(0, count("#broken"));
        assertEquals(1, count("#story tbody tr"));
    }

    @Test
    void keysTellItToo() throws Exception {
        slide(0.05);
        browser.evaluate("(() => { const c = document.getElementById('grid'); c.focus();"
                + " for (const key of ['ArrowRight', 'ArrowDown', 'ArrowDown', 'Enter'])"
                + " c.dispatchEvent(new KeyboardEvent('keydown', {key})); })()");
        // Below the two nodes of the first partition is the only one of the other.
        awaitStory("Job d");
    }

    @Test
    void searchTellsOfStopsAndMoves() throws Exception {
        choose(1);
        browser.evaluate("(() => { document.getElementById('job').value = 'a';"
                + " document.getElementById('find').requestSubmit(); })()");
        awaitStory("Job a");
        awaitStory("stopped");
        awaitStory("prod-1 × 8");
        awaitStory("prod-0 × 8");
        assertEquals(2, count("#story tbody tr"));
        assertTrue(evaluate("document.getElementById('story').innerText")
                .contains("fifo: done 16.7 min after submission"));
        // To its second start, at which it came from the other node.
        browser.evaluate("document.querySelector('#story tbody tr:last-child button').click()");
        assertEquals("1", evaluate("document.getElementById('grid').dataset.arrows"));
    }
}
