// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.browser.Browser;
import io.treadle.browser.BrowserPrograms;
import io.treadle.simulator.result.Summary;
import io.treadle.simulator.result.SweepRow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the page of a sweep draws. */
class SweepPageTest {
    private static final int WIDE = 1280;
    private static final int PHONE = 360;
    private static final String DARK = "rgb(21, 24, 28)";
    private static final String BAD = "</script><b id=broken>";

    private static Browser browser;
    private static String address;

    /** Mean JCTs of 100 s, 200 s, … by load; half of it under the other policy; seeds 10 % apart. */
    private static List<SweepRow> rows() {
        List<SweepRow> rows = new ArrayList<>();
        for (int nodes : List.of(8, 32)) {
            for (double load : List.of(0.5, 1.0, 1.5)) {
                for (long seed = 1; seed <= 3; seed++) {
                    for (String policy : List.of(BAD, "sjf")) {
                        double mean = 200 * load * (1 + 0.1 * seed) * (policy.equals("sjf") ? 0.5 : 1);
                        rows.add(new SweepRow(
                                "nodes-" + nodes + ",load-" + load + ",seed-" + seed,
                                load,
                                seed,
                                nodes,
                                new Summary(
                                        policy, 10, mean, mean, 2 * mean, 3 * mean, 5e4, mean / 2, load / 2, 0.1, null,
                                        0, 0, 30, 1, 1, 0, 0, null, null, null, null, null, List.of(), null)));
                    }
                }
            }
        }
        return rows;
    }

    @BeforeAll
    static void start(@TempDir Path directory) throws Exception {
        Optional<BrowserPrograms> programs = BrowserPrograms.find();
        Assumptions.assumeTrue(programs.isPresent(), BrowserPrograms.MISSING);
        SweepReport.write(directory, new SweepSubject("<i>jobs</i>", "lab", "--preemption on", true), rows());
        address = directory.resolve("report.html").toUri().toString();
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
        assertEquals(
                dark,
                evaluate("getComputedStyle(document.body).backgroundColor").equals(DARK));
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
        open(PHONE, false);
        open(WIDE, true);
        open(WIDE, false);
    }

    @Test
    void drawsACurveForEachPolicyWithBandsOverSeeds() throws Exception {
        open(WIDE, false);
        // Preemptions and migrations are all 0: seven figures remain, for each of two sizes and of three loads.
        assertEquals(2 * 7, count("#load figure"));
        assertEquals(3 * 7, count("#size figure"));
        assertEquals(2, count("#load details[open] figure:first-child polyline"));
        assertEquals(2, count("#load details[open] figure:first-child .band"));
        assertEquals(
                "3",
                evaluate("document.querySelector('#load polyline').getAttribute('points').split(' ').length"),
                "a point for each load");
        assertEquals("number", evaluate("document.querySelector('#size .plot').dataset.x.split(' ')[3]"));
        assertEquals("log", evaluate("document.querySelector('#size .plot').dataset.x.split(' ')[2]"), "8 to 32 nodes");
        assertEquals(0, count("#broken"));
        assertTrue(evaluate("document.body.innerText").contains("<i>jobs</i>"));
        assertTrue(evaluate("document.querySelector('.big').innerText")
                .contains("Jobs are done soonest under sjf at all 6 loads and sizes."));
    }

    @Test
    void tableHasTheBestInBoldAndLeadsToThePoints() throws Exception {
        open(WIDE, false);
        assertEquals(2 * 3 * 2, count("#table tbody tr"));
        // Means over seeds at load 0.5: 200 × 0.5 × 1.2 = 120 s and 60 s.
        assertEquals(
                "2.0 min",
                evaluate("document.querySelector('#table tbody tr:nth-child(1) td:nth-child(4)').innerText"));
        assertEquals(
                "60.0 s",
                evaluate("document.querySelector('#table tbody tr:nth-child(2) td:nth-child(4) b').innerText"));
        assertEquals(2 * 3 * 2 * 3, count("#table a"));
        assertTrue(evaluate("document.querySelector('#table a').href")
                .endsWith("/points/nodes-8,load-0.5,seed-1/report.html"));
        assertFalse(evaluate("document.querySelector('#table').innerText").contains("NaN"));
    }

    @Test
    void pointerGoesFromLoadToLoad() throws Exception {
        open(WIDE, false);
        browser.evaluate("(() => { const p = document.querySelector('#load .plot');"
                + " const box = p.querySelector('svg').getBoundingClientRect();"
                + " p.dispatchEvent(new PointerEvent('pointermove', {clientX: box.left + 0.58 * box.width})); })()");
        String tip = evaluate("document.querySelector('#load .plot .tip').innerText");
        // The nearest is load 1, whose means are 240 s and 120 s.
        assertTrue(tip.startsWith("1\n"), tip);
        assertTrue(tip.contains("sjf 2.0 min") && tip.contains("4.0 min"), tip);
        browser.evaluate("document.querySelector('#load .plot')"
                + ".dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight'}))");
        tip = evaluate("document.querySelector('#load .plot .tip').innerText");
        assertTrue(tip.startsWith("1.5\n"), tip);
    }
}
