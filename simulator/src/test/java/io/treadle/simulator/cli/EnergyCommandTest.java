// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Budgets and power as a person asks for them: two nodes of 8 A100, which draw 7,300 W at most. */
class EnergyCommandTest {
    private static final List<String> MODELS = List.of("resnet50", "bert", "vgg16", "gpt2");

    private final Path directory;
    private final StringWriter said = new StringWriter();

    EnergyCommandTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        Files.writeString(directory.resolve("nodes.csv"), "vc,node_num\nml,2\n");
        Files.writeString(
                directory.resolve("drawing.yaml"),
                "treadle-cluster: 1\nnodes: [{name: n, count: 2, gpus: 8}]\npower: {gpuWatts: 400}\n");
        Files.writeString(
                directory.resolve("queues.yaml"),
                "treadle-cluster: 1\nnodes: [{name: n, count: 2, gpus: 8}]\npower: {gpuWatts: 400}\n"
                        + "partitions:\n  - name: all\n    nodes: [n]\n    queues:\n"
                        + "      - {name: ml, capacity: 100%}\n");
        Files.writeString(
                directory.resolve("dark.yaml"),
                Files.readString(directory.resolve("queues.yaml")).replace("power: {gpuWatts: 400}\n", ""));
        Files.writeString(
                directory.resolve("teams.yaml"),
                Files.readString(directory.resolve("queues.yaml"))
                        .replace(
                                "{name: ml, capacity: 100%}",
                                "{name: ml, capacity: 60%, powerBudget: 2kW}\n      - {name: nlp, capacity: 40%}"));
        Files.writeString(directory.resolve("grid.csv"), "seconds,gramsPerKwh\n0,100\n3600,160\n");
        Files.writeString(directory.resolve("jobs.csv"), jobs(1));
    }

    /** 40 jobs of known models, and a few of 1 to 3 GPUs of which nothing is known: these draw 400 W each. */
    private static String jobs(long seed) {
        Random random = new Random(seed);
        StringBuilder rows = new StringBuilder("job_id,queue,user,submit_s,duration_s,gpus,model,batch\n");
        long submit = 0;
        for (int i = 0; i < 40; i++) {
            submit += random.nextInt(120);
            rows.append(i)
                    .append(i % 4 == 3 ? ",ml,bo," : ",ml,ana,")
                    .append(submit)
                    .append(',')
                    .append(60 + random.nextInt(1200))
                    .append(',')
                    .append(i % 10 == 9 ? 3 : 1 << random.nextInt(i % 10 == 8 ? 2 : 4))
                    .append(i % 10 == 8 ? ",," : "," + MODELS.get(i % 4) + ",64")
                    .append('\n');
        }
        return rows.toString();
    }

    private int simulate(String cluster, String... more) {
        return run("simulate", cluster, more);
    }

    private int run(String command, String cluster, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                command,
                "--trace",
                directory.resolve("jobs.csv").toString(),
                "--cluster",
                directory.resolve(cluster).toString(),
                "--out",
                directory.resolve("out").toString()));
        for (String argument : more) {
            arguments.add(argument.replace("DIR", directory.toString()));
        }
        said.getBuffer().setLength(0);
        PrintWriter writer = new PrintWriter(said, true);
        return SimulatorMain.run(writer, writer, arguments.toArray(String[]::new));
    }

    private JsonNode summary(int policy) throws IOException {
        return new ObjectMapper()
                .readTree(directory.resolve("out/summary.json").toFile())
                .get(policy);
    }

    @Test
    void aBudgetOfPartOfThePeakIsKeptTo() throws IOException {
        assertEquals(0, simulate("nodes.csv", "--power", "a100", "--policy", "powerflow"), said::toString);
        double free = summary(0).get("peakWatts").asDouble();
        assertEquals(
                0,
                simulate("nodes.csv", "--power", "a100", "--budget", "share:0.5", "--policy", "powerflow"),
                said::toString);
        double kept = summary(0).get("peakWatts").asDouble();
        assertTrue(free > 0.6 * 7300, "the jobs draw " + free + " W without a budget");
        assertTrue(kept <= 1.02 * 0.5 * 7300, "the jobs draw " + kept + " W under a budget of 3,650 W");
        double kwh = summary(0).get("energyKwh").asDouble();
        assertTrue(said.toString().contains(String.format(Locale.ROOT, "  %.2f kWh  ", kwh)), said::toString);
        assertFalse(said.toString().contains("below the floor"), said::toString);
    }

    /** What both partitions draw together is below the limit, not what each does. */
    @Test
    void partitionsShareABudget() throws IOException {
        Files.writeString(
                directory.resolve("two.yaml"),
                "treadle-cluster: 1\nnodes: [{name: n, count: 2, gpus: 8}]\npower: {gpuWatts: 400}\npartitions:\n"
                        + "  - {name: a, nodes: [n-0], queues: [ml]}\n  - {name: b, nodes: [n-1], queues: [nlp]}\n");
        Files.writeString(directory.resolve("jobs.csv"), jobs(1).replace(",ml,bo,", ",nlp,bo,"));
        assertEquals(0, simulate("two.yaml", "--policy", "powerflow"), said::toString);
        double free = summary(0).get("peakWatts").asDouble();
        assertEquals(0, simulate("two.yaml", "--budget", "share:0.6", "--policy", "powerflow"), said::toString);
        double kept = summary(0).get("peakWatts").asDouble();
        assertTrue(free > 1.1 * 0.6 * 7300, "without a budget " + free + " W");
        assertTrue(kept <= 1.02 * 0.6 * 7300, "under a budget of 4,380 W " + kept + " W");
    }

    /** Jobs of which nothing is known draw 400 W a GPU: three of them at most in one job, so that they can run. */
    @Test
    void queuesHaveBudgetsOfTheirOwn() throws IOException {
        Files.writeString(directory.resolve("jobs.csv"), jobs(1).replace(",ml,bo,", ",nlp,bo,"));
        String[] options = {"--queue-budget", "nlp=1500W", "--check", "--policy", "powerflow"};
        assertEquals(0, simulate("teams.yaml", options), said::toString);
        JsonNode queues = summary(0).get("queueDraws");
        assertEquals("root.ml", queues.get(0).get("queue").asText());
        assertEquals("root.nlp", queues.get(1).get("queue").asText());
        double gpuKwh = 0;
        for (int i = 0; i < 2; i++) {
            double budget = queues.get(i).get("budgetWatts").asDouble();
            assertEquals(i == 0 ? 2000 : 1500, budget);
            double most = queues.get(i).get("mostWatts").asDouble();
            assertTrue(most > 0.5 * budget && most <= budget, queues.toString());
            assertTrue(queues.get(i).get("meanWatts").asDouble() < most, queues.toString());
            gpuKwh += queues.get(i).get("energyKwh").asDouble();
        }
        assertTrue(gpuKwh > 0 && gpuKwh < summary(0).get("energyKwh").asDouble(), queues.toString());
        String page = Files.readString(directory.resolve("out/report.html"));
        assertTrue(
                page.contains("<th scope=\"row\">root.nlp</th><td>1,500 W</td>"),
                () -> page.substring(page.indexOf("<section id=\"energy\">")));
        Files.writeString(directory.resolve("jobs.csv"), jobs(1));
        assertEquals(0, simulate("queues.yaml", "--policy", "powerflow"), said::toString);
        assertFalse(summary(0).has("queueDraws"), "no queue has a budget");
    }

    @Test
    void budgetsThatContradictEachOtherAreSaid() {
        assertEquals(
                0,
                simulate("teams.yaml", "--queue-budget", "root.nlp=90%", "--budget", "watts:4000", "--policy", "fifo"),
                said::toString);
        assertTrue(
                said.toString()
                        .contains(
                                "power budgets of queues are 5,600 W together, the cluster may draw 4,000 W: they share"
                                        + " that"),
                said::toString);
    }

    /** The page tells what was drawn, and tells it again of policies that are done. */
    @Test
    void thePageTellsWhatWasDrawn() throws IOException {
        Path report = directory.resolve("out/report.html");
        assertEquals(0, simulate("nodes.csv", "--policy", "fifo"), said::toString);
        assertFalse(Files.readString(report).contains("id=\"energy\""), "nobody knows what these nodes draw");
        String[] options = {"--budget", "share:0.7", "--policy", "powerflow,fifo+zeus"};
        assertEquals(0, simulate("drawing.yaml", options), said::toString);
        String page = Files.readString(report);
        String section =
                page.substring(page.indexOf("<section id=\"energy\">"), page.indexOf("<section id=\"cluster\""));
        double kwh = summary(0).get("energyKwh").asDouble();
        assertTrue(
                section.contains(String.format(Locale.ROOT, kwh < 10 ? "<td>%.2f kWh</td>" : "<td>%.1f kWh</td>", kwh)),
                section);
        // 0.7 of 7,300 W; the two policies have one line.
        assertTrue(section.contains("<td>5,110 W</td>"), section);
        assertEquals(2, section.split("class=\"limit\"", -1).length, section);
        assertTrue(section.contains("Energy by user") && !section.contains("Energy by queue"), section);
        assertEquals(0, simulate("drawing.yaml", options), said::toString);
        assertTrue(said.toString().contains("powerflow: done before"), said::toString);
        assertEquals(page, Files.readString(report));
    }

    @Test
    void theGridSaysWhatABudgetOfCo2Is() throws IOException {
        // 500 g/h are 5,000 W at 100 g/kWh, and 3,125 W at 160.
        assertEquals(
                0,
                simulate("drawing.yaml", "--budget", "carbon:500", "--carbon", "DIR/grid.csv", "--policy", "powerflow"),
                said::toString);
        assertFalse(said.toString().contains("below the floor"), said::toString);
        double peak = summary(0).get("peakWatts").asDouble();
        assertTrue(peak > 0.8 * 5000 && peak <= 1.02 * 5000, "the jobs draw " + peak + " W of 5,000 W");
        assertEquals(
                0,
                simulate("drawing.yaml", "--budget", "carbon:200", "--carbon", "DIR/grid.csv", "--policy", "fifo"),
                said::toString);
        assertTrue(
                said.toString()
                        .contains(
                                "--budget carbon:200 is 1,250 W at times, below the floor of 2,332 W: the floor is used"),
                said::toString);
    }

    /** Idle nodes draw 1,780 W: 552 W are left, too few for two GPUs that draw 400 W each; all others run. */
    @Test
    void jobsThatCouldNeverRunUnderTheBudgetEndTheRun() {
        assertEquals(2, simulate("drawing.yaml", "--budget", "share:0.25", "--policy", "powerflow"), said::toString);
        assertTrue(
                said.toString()
                        .contains("--budget is 'share:0.25': 7 jobs would wait for ever, job '8' first. Of 2,332 W that"
                                + " all nodes may draw they draw 1,780 W with idle GPUs"),
                said::toString);
    }

    @Test
    void nodesThatNobodyUsesAreSwitchedOff() throws IOException {
        assertEquals(0, simulate("drawing.yaml", "--policy", "fifo+zeus"), said::toString);
        double on = summary(0).get("energyKwh").asDouble();
        assertEquals(0, simulate("drawing.yaml", "--policy", "fifo+zeus", "--power-off", "0/60/0"), said::toString);
        assertTrue(summary(0).get("energyKwh").asDouble() < on, "all nodes on: " + on + " kWh");
        assertEquals(2, simulate("nodes.csv", "--policy", "fifo", "--power-off", "on"), said::toString);
        assertTrue(said.toString().contains("--power-off is '300/120/1', but nobody knows what"), said::toString);
        assertEquals(2, simulate("drawing.yaml", "--policy", "fifo", "--power-off", "5 minutes"), said::toString);
        assertTrue(said.toString().contains("--power-off is '5 minutes', must be off, on, or"), said::toString);
    }

    @Test
    void aBudgetBelowTheFloorIsSaidOnce() {
        assertEquals(0, simulate("drawing.yaml", "--budget", "share:0.1", "--policy", "srtf,fifo"), said::toString);
        String line = "--budget share:0.1 is 730 W, below the floor of 2,332 W: the floor is used";
        assertEquals(2, said.toString().split(line, -1).length, said::toString);
        assertEquals(0, simulate("drawing.yaml", "--budget", "window:24/24h", "--policy", "fifo"), said::toString);
        assertTrue(said.toString().contains("--budget window:24/24h is 1,000 W, below the floor"), said::toString);
        assertEquals(0, simulate("drawing.yaml", "--budget", "total:1", "--policy", "fifo"), said::toString);
        assertFalse(said.toString().contains("below the floor"), said::toString);
    }

    @Test
    void otherBudgetsPowersAndGridsAreOtherRuns() throws IOException {
        String[][] options = {
            {},
            {"--power", "a100"},
            {"--power", "v100"},
            {"--power", "450/55/401"},
            {"--power", "a100", "--budget", "watts:5000"},
            {"--power", "a100", "--power-off", "on"},
            {"--power", "a100", "--power-off", "300/120/0"},
            {"--power", "a100", "--budget", "watts:5001"},
            {"--power", "a100", "--budget", "carbon:500", "--carbon", "DIR/grid.csv"},
        };
        for (String[] more : options) {
            List<String> all = new ArrayList<>(List.of(more));
            all.addAll(List.of("--policy", "fifo"));
            for (boolean again : new boolean[] {false, true}) {
                assertEquals(0, simulate("nodes.csv", all.toArray(String[]::new)), said::toString);
                assertEquals(again, said.toString().contains("done before"), all + " " + said);
            }
        }
        Files.writeString(directory.resolve("grid.csv"), "seconds,gramsPerKwh\n0,100\n3600,161\n");
        List<String> last = new ArrayList<>(List.of(options[options.length - 1]));
        last.addAll(List.of("--policy", "fifo"));
        assertEquals(0, simulate("nodes.csv", last.toArray(String[]::new)), said::toString);
        assertFalse(said.toString().contains("done before"), "another grid is another run");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nodes.csv | --budget share:0.7 | --budget is 'share:0.7', but nobody knows what nodes.csv draws.",
                "nodes.csv | --power b100 | --power is 'b100': must be one of a100, v100, or watts of",
                "drawing.yaml | --power a100 | --power is '450/55/400', but",
                "drawing.yaml | --budget half | --budget: budget 'half' is none: must be one of share:0.7 (of the peak)",
                "drawing.yaml | --budget share:2 | must be one of share:0.7 (of the peak)",
                "drawing.yaml | --budget carbon:500 | --budget is 'carbon:500', which needs the grid's carbon intensity",
                "drawing.yaml | --carbon DIR/grid.csv | but --budget is 'none', which does not go by it",
                "drawing.yaml | --budget share:0.7 --carbon DIR/grid.csv | but --budget is 'share:0.7', which does not",
                "drawing.yaml | --budget carbon:5 --carbon DIR/no.csv | no.csv",
                "drawing.yaml | --carbon-holes skip --budget carbon:5 --carbon DIR/grid.csv | --carbon-holes is 'skip',"
                        + " must be refuse or hold",
                "drawing.yaml | --queue-budget ml=1kW | --queue-budget names 'ml', and drawing.yaml has no queues with",
                "queues.yaml | --queue-budget nlp=1kW | --queue-budget names 'nlp', and queues.yaml has no such queue",
                "queues.yaml | --queue-budget ml=120% | --queue-budget of 'ml': '120%' is no power budget, must be watts",
                "dark.yaml | --queue-budget ml=1kW | queues of dark.yaml have power budgets, but nobody knows what it draws",
            })
    void refusesWhatCannotBe(String cluster, String arguments, String why) {
        for (String command : new String[] {"simulate", "plan", "sweep"}) {
            List<String> all = new ArrayList<>(List.of(arguments.split(" ")));
            all.addAll(List.of("--policy", "fifo"));
            if (command.equals("plan")) {
                all.addAll(List.of("--goal", "p95 wait < 2h"));
            }
            assertEquals(2, run(command, cluster, all.toArray(String[]::new)), said::toString);
            assertTrue(said.toString().contains(why), command + ": " + said);
            assertFalse(Files.exists(directory.resolve("out/summary.json")));
        }
    }

    /** Jobs move, stop and change their number of GPUs, and nothing is broken that must be true of a run. */
    @ParameterizedTest
    @CsvSource({"1, share:0.6", "2, price:3600", "3, none", "4, total:2", "5, window:60/24h"})
    void everyRunIsChecked(long seed, String budget) throws IOException {
        Files.writeString(directory.resolve("jobs.csv"), jobs(seed));
        String policies =
                "powerflow,powerflow-relative,tiresias,tiresias+zeus,fifo+zeus,elastic+zeus,gandiva,pollux,afs,"
                        + "gandiva+zeus-0.35";
        assertEquals(
                0,
                simulate(
                        "drawing.yaml",
                        "--budget",
                        budget,
                        "--check",
                        "--restart-seconds",
                        "30",
                        "--report",
                        "off",
                        "--policy",
                        policies),
                () -> "seed " + seed + ": " + said);
        for (String policy : policies.split(",")) {
            assertTrue(said.toString().contains(policy + " checked: 40 jobs at"), () -> "seed " + seed + ": " + said);
        }
        assertTrue(
                said.toString().contains("work conservation not, the policy chooses GPUs and caps itself"),
                said::toString);
    }
}
