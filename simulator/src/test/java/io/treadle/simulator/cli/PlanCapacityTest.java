// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.browser.Browser;
import io.treadle.browser.BrowserPrograms;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code plan --find quota} with queues that share nodes. Ten jobs each of a and b, of one GPU and 100 s, all at once, on
 * 10 GPUs: a queue whose guarantee is g GPUs, rounded down, starts g of its jobs at once; the last GPU, if the guarantees
 * are together 9, goes to the larger guarantee, for both have all of theirs. All others wait 100 s. So where a has more
 * than 50 %, as many of its jobs start as its percents over ten, rounded up, and each that does not costs 10 s of mean
 * wait. But a queue that holds nothing is below its guarantee, even one of 0 GPUs: each starts at least one.
 */
class PlanCapacityTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String A_AND_B = "{name: a, capacity: 20%}, {name: b, capacity: 80%}";

    private final Path directory;
    private final StringWriter said = new StringWriter();

    PlanCapacityTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        jobs("a", "b");
        queues(10, A_AND_B);
    }

    private void jobs(String... queues) throws IOException {
        StringBuilder rows = new StringBuilder("job_id,queue,submit_s,duration_s,gpus\n");
        for (String queue : queues) {
            IntStream.range(0, 10).forEach(i -> rows.append(queue + i + "," + queue + ",0,100,1\n"));
        }
        Files.writeString(directory.resolve("jobs.csv"), rows);
    }

    private void queues(int gpus, String queues) throws IOException {
        Files.writeString(
                directory.resolve("cluster.yaml"),
                "treadle-cluster: 1\nnodes: [{name: n, count: " + gpus + ", gpus: 1}]\n"
                        + "partitions: [{name: all, nodes: [n], queues: [" + queues + "]}]\n");
    }

    private int plan(String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "plan",
                "--trace",
                directory.resolve("jobs.csv").toString(),
                "--cluster",
                directory.resolve("cluster.yaml").toString(),
                "--policy",
                "fifo",
                "--find",
                "quota",
                "--out",
                directory.resolve("out").toString()));
        for (String goalOrFlag : more) {
            if (!goalOrFlag.startsWith("-")
                    && !arguments.get(arguments.size() - 1).startsWith("--most")) {
                arguments.add("--goal");
            }
            arguments.add(goalOrFlag);
        }
        said.getBuffer().setLength(0);
        PrintWriter writer = new PrintWriter(said, true);
        return SimulatorMain.run(writer, writer, arguments.toArray(String[]::new));
    }

    private void says(String text) {
        assertTrue(said.toString().contains(text), said::toString);
    }

    /**
     * a must wait less than 45 s: 6 jobs at once, so 51 %. b less than 75 s: 3 at once, its guarantee, so 30 %. What is
     * left, 19 %, is shared as 51 : 30, so that they have 63 % and 37 %: a starts 7 and b 3.
     */
    @Test
    void twoQueuesWithGoals() throws IOException {
        assertEquals(0, plan("queue a: mean wait < 45s", "queue b: mean wait < 75s"), said::toString);
        says("The goals hold with a 20 % → 63 %, b 80 % → 37 %: a: mean wait 30.0 s, b: mean wait 70.0 s. As it is, a"
                + " 20 %, b 80 %: a: mean wait 80.0 s, b: mean wait 20.0 s.");
        JsonNode plan = JSON.readTree(directory.resolve("out/plan.json").toFile());
        assertEquals(2, plan.path("chosen").size());
        assertEquals(
                63, plan.path("chosen").path(0).path("capacities").path("a").asInt());
        assertEquals(37, plan.path("chosen").path(1).path("capacityPercent").asInt());
        assertEquals(3, plan.path("chosen").path(1).path("sureGpus").asInt());
        for (JsonNode point : plan.path("points")) {
            // What a has is what b has not, and each mean wait is known from it.
            int a = point.path("capacities").path("a").asInt();
            int starts = a == 50 ? 5 : a > 50 ? Math.min(9, (a + 9) / 10) : Math.max(1, a / 10);
            JsonNode figures = point.path("figures");
            boolean isOfA = point.path("queue").asText().equals("a");
            assertEquals(
                    isOfA ? 100 - 10 * starts : 10 * starts,
                    figures.path(isOfA ? "queue a: mean wait < 45s" : "queue b: mean wait < 75s")
                            .asDouble(),
                    point::toString);
        }
        String csv = Files.readString(directory.resolve("out/plan.csv"));
        assertTrue(csv.contains(",a,63.0,6,a=63.0 b=37.0\n"), csv);
        assertEquals(0, plan("queue a: mean wait < 45s", "queue b: mean wait < 75s"), said::toString);
        said.toString()
                .lines()
                .filter(line -> line.contains(", fifo: "))
                .forEach(line -> assertTrue(line.endsWith("(done before)"), line));
    }

    /** b has no goal and gets the rest; with 50 % a starts only 5. */
    @Test
    void oneQueueWithAGoal() throws IOException {
        assertEquals(0, plan("queue a: mean wait < 45s"), said::toString);
        says("The goals hold with a 20 % → 51 %, b 80 % → 49 %: a: mean wait 40.0 s.");
        queues(10, "{name: a, capacity: 60%}, {name: b, capacity: 40%}");
        assertEquals(0, plan("queue a: mean wait < 45s"), said::toString);
        says("a 60 % → 51 %, b 40 % → 49 %: a: mean wait 40.0 s. They hold with the capacities as they are too");
        assertEquals(0, plan("queue a: mean wait < 45s", "queue b: mean wait < 75s"), said::toString);
        says(
                "The goals hold with the capacities as they are, a 60 %, b 40 %: a: mean wait 40.0 s, b: mean wait 60.0 s.");
    }

    /** Both want more than half; all 99 splits are tried. */
    @Test
    void noSplit() throws IOException {
        assertEquals(1, plan("queue a: mean wait < 45s", "queue b: mean wait < 45s"), said::toString);
        says(
                "None of the 99 splits that were tried (all in steps of 1 % among them) meets all goals: even with a 51 %, b"
                        + " 49 % it is b: mean wait 60.0 s.");
        assertFalse(JSON.readTree(directory.resolve("out/plan.json").toFile())
                .path("found")
                .asBoolean());
    }

    /** The same ten GPUs as half of 20, for research may not hold more. */
    @Test
    void queuesBelowAnother() throws IOException {
        queues(
                20,
                "{name: research, capacity: 50%, maximum: 50%, queues: [" + A_AND_B
                        + "]}, {name: prod, capacity: 50%}");
        assertEquals(0, plan("queue a: mean wait < 45s", "queue b: mean wait < 75s"), said::toString);
        says("The goals hold with, of root.research's capacity, a 20 % → 63 %, b 80 % → 37 %: a: mean wait 30.0 s, b:");
    }

    /** No more than 4 of b's jobs may run at a time, nor may it be sure of more: a gets what b may not have. */
    @Test
    void maximaHold() throws IOException {
        queues(10, "{name: a, capacity: 20%}, {name: b, capacity: 20%, maximum: 40%}");
        assertEquals(0, plan("queue a: mean wait < 60s"), said::toString);
        says("The goals hold with a 20 % → 60 %, b 20 % → 40 %: a: mean wait 40.0 s.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mean wait < 1s|{name: a, capacity: 20%}, {name: b, capacity: 80%}|Maybe 'queue a: mean wait < 1s'.",
                "queue a: max wait < 1s|{name: r, capacity: 50%, queues: [{name: a, capacity: 100%}]}, {name: b, capacity:"
                        + " 50%}|capacity of root.r in whole percents, among 1 queues it cannot",
                "queue a: max wait < 1s|{name: a, capacity: 50%}, {name: b, capacity: 0}|among 1 queues it cannot",
                "queue a: max wait < 1s|{name: r, capacity: 0, queues: [{name: a, capacity: 0}, {name: b, capacity:"
                        + " 0}]}|queue root.r has no capacity to split",
                "queue a: max wait < 1s|{name: a, capacity: 20%, maximum: 50%}, {name: b, capacity: 20%, maximum:"
                        + " 40%}|the maxima of the queues below root allow 90 % of its capacity together",
            })
    void refusesWhatCannotBeSplit(String goal, String queues, String why) throws IOException {
        queues(10, queues);
        assertEquals(2, plan(goal), said::toString);
        says(why);
        assertFalse(Files.exists(directory.resolve("out/plan.json")));
    }

    @Test
    void refusesGoalsOfDifferentParentsAndNodes() throws IOException {
        queues(10, "{name: r, capacity: 50%, queues: [{name: a, capacity: 100%}]}, {name: b, capacity: 50%}");
        assertEquals(2, plan("queue a: max wait < 1s", "queue b: max wait < 1s"), said::toString);
        says("but the goals are of root.r.a, root.b");
        queues(10, A_AND_B);
        assertEquals(2, plan("queue a: max wait < 1s", "--most-nodes", "5"), said::toString);
        says("--most-nodes is given, but --find quota splits capacities here, no nodes");
    }

    @Test
    void pageShowsEachQueuesCurve() throws Exception {
        Optional<BrowserPrograms> programs = BrowserPrograms.find();
        Assumptions.assumeTrue(programs.isPresent(), BrowserPrograms.MISSING);
        assertEquals(0, plan("queue a: mean wait < 45s", "queue b: mean wait < 75s"), said::toString);
        try (Browser browser = Browser.start(programs.get(), Files.createDirectory(directory.resolve("profile")))) {
            browser.screen(360, true);
            browser.open(directory.resolve("out/plan.html").toUri().toString());
            assertEquals(List.of(), browser.consoleErrors());
            assertTrue(browser.evaluate("document.documentElement.scrollWidth").asInt() <= 360);
            // A curve, the goal's line, the chosen point and what there is now, for each of two queues.
            assertEquals(
                    8,
                    browser.evaluate("document.querySelectorAll('polyline').length")
                            .asInt());
            assertEquals(
                    "63 % 37 %",
                    browser.evaluate("[...document.querySelectorAll('tr.chosen th')].map(e => e.textContent).join(' ')")
                            .asText());
        }
    }
}
