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
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The command as a person runs it. */
class PlanCommandTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String HEAD = "job_id,queue,submit_s,duration_s,gpus\n";

    private final Path directory;
    private final StringWriter said = new StringWriter();

    PlanCommandTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        // Ten jobs of a node and 100 s each, all at once: on n nodes the last waits (ceil(10 / n) - 1) × 100 s.
        jobs(HEAD + tenAtOnce("ml"));
        nodes("vc,node_num\nml,2\n");
    }

    private void jobs(String text) throws IOException {
        Files.writeString(directory.resolve("jobs.csv"), text);
    }

    private void nodes(String text) throws IOException {
        Files.writeString(directory.resolve("nodes.csv"), text);
    }

    private static String tenAtOnce(String queue) {
        StringBuilder rows = new StringBuilder();
        IntStream.range(0, 10).forEach(i -> rows.append(queue + i + "," + queue + ",0,100,8\n"));
        return rows.toString();
    }

    private int plan(String... more) {
        return treadle("plan", "out", more);
    }

    private int treadle(String command, String out, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                command,
                "--trace",
                directory.resolve("jobs.csv").toString(),
                "--cluster",
                directory.resolve("nodes.csv").toString(),
                "--out",
                directory.resolve(out).toString()));
        arguments.addAll(List.of(more));
        said.getBuffer().setLength(0);
        PrintWriter writer = new PrintWriter(said, true);
        return SimulatorMain.run(writer, writer, arguments.toArray(String[]::new));
    }

    private JsonNode result() throws IOException {
        return JSON.readTree(directory.resolve("out/plan.json").toFile());
    }

    /** With five nodes the last wait 100 s, with four 200 s. */
    @Test
    void smallestNumberOfNodesAndItsCost() throws IOException {
        assertEquals(0, plan("--policy", "fifo", "--goal", "max wait < 200s", "--price", "2.0"), said::toString);
        JsonNode chosen = result().path("chosen").path(0);
        assertEquals(5, chosen.path("nodes").asInt());
        assertEquals(100, chosen.path("figures").path("max wait < 200s").asDouble());
        // 40 GPUs at 2; busy for 200 s, in which ten jobs end.
        assertEquals(80, chosen.path("perHour").asDouble());
        assertEquals(80 * 730, chosen.path("perMonth").asDouble());
        assertEquals(80.0 * 200 / 3600 / 10, chosen.path("perJob").asDouble(), 1e-12);
        assertEquals(2, chosen.path("perUsedGpuHour").asDouble(), 1e-12);
        assertTrue(
                said.toString().contains("5 nodes (40 GPUs) are enough under fifo: max wait 100.0 s; cost 80.00"),
                said::toString);
        assertTrue(Files.readString(directory.resolve("out/plan.csv"))
                .contains("\n5,,fifo,40,max wait < 200s,100.0,true,true,1.0,200.0,10,80.0,"));
    }

    @Test
    void whatIsSimulatedIsNotRepeated() throws IOException {
        assertEquals(0, plan("--policy", "fifo", "--goal", "max wait < 200s"), said::toString);
        assertFalse(said.toString().contains("done before"), said::toString);
        String first = Files.readString(directory.resolve("out/plan.json"));
        assertEquals(0, plan("--policy", "fifo", "--goal", "max wait < 200s"));
        assertEquals(first, Files.readString(directory.resolve("out/plan.json")));
        said.toString()
                .lines()
                .filter(line -> line.contains(", fifo: "))
                .forEach(line -> assertTrue(line.endsWith("(done before)"), line));
        assertEquals(0, plan("--policy", "fifo", "--goal", "mean wait < 1min"), "other goals of the same simulations");
        assertTrue(said.toString().contains("done before"), said::toString);
        jobs(HEAD + tenAtOnce("ml") + "late,ml,5,100,8\n");
        assertEquals(0, plan("--policy", "fifo", "--goal", "max wait < 200s"));
        assertFalse(said.toString().contains("done before"), "other jobs");
    }

    @Test
    void saysWhereNoSizeIsEnough() throws IOException {
        assertEquals(1, plan("--policy", "fifo", "--goal", "max wait < 200s", "--most-nodes", "4"), said::toString);
        assertTrue(
                said.toString()
                        .contains("No size up to 4 nodes (--most-nodes) meets the goals: with 4 max wait 3.3 min."),
                said::toString);
        assertFalse(result().path("found").asBoolean());
        assertEquals(1, plan("--policy", "fifo", "--goal", "max jct < 99s"), "no size makes a job of 100 s shorter");
    }

    /** A job that is larger than a size is no error of the list, but too much for that size. */
    @Test
    void sizesThatCannotRunAJobAreTooSmall() throws IOException {
        jobs(HEAD + "big,ml,0,100,40\n");
        assertEquals(0, plan("--policy", "fifo", "--goal", "max wait < 1s", "--nodes", "8"), said::toString);
        assertEquals(5, result().path("chosen").path(0).path("nodes").asInt());
        assertTrue(said.toString().contains("job 'big' asks for 40 GPUs"), said::toString);
    }

    /** The load factor is that of the cluster as it is: on more nodes the same jobs come at the same times. */
    @Test
    void loadFactorDoesNotGrowWithTheCluster() throws IOException {
        // 2 × 800 GPU-seconds over 16 GPUs × 100 s are a load of 1; at a load of 2 the second comes after 50 s.
        jobs(HEAD + "a,ml,0,100,8\nb,ml,100,100,8\n");
        assertEquals(0, plan("--policy", "fifo", "--goal", "max wait < 1s", "--load-factor", "2"), said::toString);
        assertEquals(2, result().path("chosen").path(0).path("nodes").asInt());
        assertTrue(said.toString().contains("1 node, fifo: max wait 50.0 s"), said::toString);
    }

    /** All sizes by the simulate command: where more always helps the smallest of them, else one that is honest. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void agreesWithAllSizesTried(long seed) throws IOException {
        Random random = new Random(seed);
        StringBuilder rows = new StringBuilder(HEAD);
        int at = 0;
        for (int i = 0; i < 60; i++) {
            at += random.nextInt(60);
            rows.append(i + ",ml," + at + "," + (1 + random.nextInt(400)) + "," + (1 + random.nextInt(12)) + "\n");
        }
        jobs(rows.toString());
        List<Integer> good = new ArrayList<>();
        for (int nodes = 2; nodes <= 16; nodes++) {
            assertEquals(
                    0, treadle("simulate", "n" + nodes, "--policy", "sjf", "--report", "off", "--nodes", "" + nodes));
            double wait = JSON.readTree(
                            directory.resolve("n" + nodes + "/summary.json").toFile())
                    .path(0)
                    .path("avgQueueSeconds")
                    .asDouble();
            if (wait < 60) {
                good.add(nodes);
            }
        }
        assertEquals(0, plan("--policy", "sjf", "--goal", "mean wait < 1min"), said::toString);
        int chosen = result().path("chosen").path(0).path("nodes").asInt();
        boolean isMonotone = IntStream.rangeClosed(good.get(0), 16).allMatch(good::contains);
        assertTrue(good.contains(chosen), "seed " + seed + ": " + chosen + " of " + good);
        if (isMonotone) {
            assertEquals(good.get(0), chosen, "seed " + seed);
        }
    }

    /** On one node the short one first: it waits nothing and the long one 10 s; in their order the short one waits 100 s. */
    @Test
    void policiesThatMeetTheGoals() throws IOException {
        jobs(HEAD + "long,ml,0,100,8\nshort,ml,0,10,8\n");
        nodes("vc,node_num\nml,1\n");
        assertEquals(0, plan("--policy", "fifo,sjf", "--find", "policy", "--goal", "mean wait < 20s"), said::toString);
        assertEquals("sjf", result().path("chosen").path(0).path("policy").asText());
        assertTrue(said.toString().contains("sjf meets the goals on 1 node: mean wait 5.0 s"), said::toString);
        assertEquals(1, plan("--policy", "fifo,sjf", "--find", "policy", "--goal", "mean wait < 2s"));
        assertTrue(said.toString().contains("None of the policies"), said::toString);
    }

    /** As above five nodes for a; b's ten jobs must not wait at all, which takes ten. */
    @Test
    void splitBetweenQueues() throws IOException {
        jobs(HEAD + tenAtOnce("a") + tenAtOnce("b") + tenAtOnce("c"));
        nodes("vc,node_num\na,9\nb,7\nc,3\n");
        String[] goals = {"--goal", "queue a: max wait < 200s", "--goal", "queue b: max wait < 1s"};
        assertEquals(0, plan(concat(goals, "--policy", "fifo", "--find", "quota")), said::toString);
        assertTrue(
                said.toString()
                        .contains("The goals hold with a 5 nodes, b 10 nodes; partitions without a goal keep their 3:"
                                + " 1 of 16 are left over."),
                said::toString);
        nodes("vc,node_num\na,6\nb,6\nc,3\n");
        assertEquals(1, plan(concat(goals, "--policy", "fifo", "--find", "quota")), said::toString);
        assertTrue(said.toString().contains("3 more than the 12 there are"), said::toString);
        assertEquals(2, plan("--policy", "fifo", "--find", "quota", "--goal", "max wait < 1s"));
        assertTrue(said.toString().contains("needs goals of queues"), said::toString);
    }

    private static String[] concat(String[] some, String... more) {
        List<String> all = new ArrayList<>(List.of(some));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--find|luck|--find is 'luck', must be nodes, policy or quota",
                "--most-nodes|0|--most-nodes is '0', must be at least 1",
                "--policy|fifo,sjf|takes one",
                "--policy|bogus|unknown order 'bogus'",
                "--find|quota|needs a cluster with a partition for each queue",
                "--goal|queue x: max wait < 1h|no job is of queue 'x', the trace has 'ml'",
                "--price|A100=2|--price names model 'A100', which cluster nodes.csv does not have: it names none",
                "--price|A100=|--price is 'A100=', must be MODEL=PRICE or a PRICE",
                "--price|cheap|--price is 'cheap', must be",
                "--price|2,3|is the second for GPUs without one of their own",
                "--parallel|0|--parallel is '0', must be from 1",
            })
    void refusesWhatCannotBeUsed(String option, String value, String why) {
        List<String> arguments = new ArrayList<>(List.of("--goal", "max wait < 1h", option, value));
        if (!option.equals("--policy")) {
            arguments.addAll(List.of("--policy", "fifo"));
        }
        assertEquals(2, plan(arguments.toArray(String[]::new)), said::toString);
        assertTrue(said.toString().contains(why), said::toString);
        assertFalse(Files.exists(directory.resolve("out/plan.json")));
    }

    /** Of the two queues only the jobs of one are measured. */
    @Test
    void refusesAGoalOfAQueueOfWhichNothingIsMeasured() throws IOException {
        jobs(HEAD + "0,ml,0,100,8\n1,late,0,100,8\n");
        nodes("sn,cpu_milli,memory_mib,gpu,model\nx,96000,100000,8,V100\n");
        assertEquals(0, plan("--policy", "fifo", "--goal", "queue ml: max wait < 1h", "--jobs", "0:1"), said::toString);
        assertEquals(2, plan("--policy", "fifo", "--goal", "queue late: max wait < 1h", "--jobs", "0:1"));
        assertTrue(said.toString().contains("none of the queue's jobs is measured (--jobs) and ends"), said::toString);
    }

    @Test
    void modelsHaveTheirOwnPrices() throws IOException {
        Files.writeString(
                directory.resolve("nodes.csv"),
                "sn,cpu_milli,memory_mib,gpu,model\nx,96000,100000,8,V100\ny,96000,100000,8,A100\n");
        jobs("job_id,queue,submit_s,duration_s,gpus\nj,,0,100,8\n");
        String[] same = {"--policy", "fifo", "--find", "policy", "--goal", "max wait < 1s"};
        assertEquals(0, plan(concat(same, "--price", "A100=2.5,V100=1")), said::toString);
        assertEquals(8 * 3.5, result().path("chosen").path(0).path("perHour").asDouble());
        assertEquals(0, plan(concat(same, "--price", "A100=2.5,1.5")), said::toString);
        assertEquals(8 * 4.0, result().path("chosen").path(0).path("perHour").asDouble());
        assertEquals(2, plan(concat(same, "--price", "A100=2.5")));
        assertTrue(said.toString().contains("--price says nothing of model V100"), said::toString);
        assertEquals(2, plan(concat(same, "--price", "H100=2.5,1")));
        assertTrue(said.toString().contains("it has A100, V100"), said::toString);
    }

    @Test
    void pageShowsTheCurveAndTheChosenSize() throws Exception {
        Optional<BrowserPrograms> programs = BrowserPrograms.find();
        Assumptions.assumeTrue(programs.isPresent(), BrowserPrograms.MISSING);
        jobs(HEAD + tenAtOnce("ml") + "\"</script><b id=broken>\",ml,0,100,8\n");
        assertEquals(
                0,
                plan("--policy", "fifo", "--goal", "max wait < 200s", "--goal", "utilization > 20%"),
                said::toString);
        try (Browser browser = Browser.start(programs.get(), Files.createDirectory(directory.resolve("profile")))) {
            for (int width : new int[] {1280, 360}) {
                browser.screen(width, width == 360);
                browser.open(directory.resolve("out/plan.html").toUri().toString());
                assertEquals(List.of(), browser.consoleErrors());
                assertTrue(
                        browser.evaluate("document.documentElement.scrollWidth").asInt() <= width);
                browser.requests().forEach(asked -> assertTrue(asked.startsWith("file:"), asked));
            }
            assertEquals(
                    "rgb(21, 24, 28)",
                    browser.evaluate("getComputedStyle(document.body).backgroundColor")
                            .asText());
            // A curve, a goal's line and the chosen point for each of two goals.
            assertEquals(
                    6,
                    browser.evaluate("document.querySelectorAll('polyline').length")
                            .asInt());
            assertEquals(
                    "6",
                    browser.evaluate("document.querySelector('tr.chosen th').textContent")
                            .asText());
            String opening = browser.evaluate("document.querySelector('.big').textContent")
                    .asText();
            assertTrue(opening.startsWith("6 nodes (48 GPUs) are enough under fifo"), opening);
            assertEquals("complete", browser.evaluate("document.readyState").asText());
        }
    }
}
