// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sweeps as a person runs them. */
class SweepCommandTest {
    private static final long SEED = 20261121;

    private final Path directory;
    private final StringWriter said = new StringWriter();

    SweepCommandTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        Files.writeString(directory.resolve("nodes.csv"), "vc,node_num\nml,2\n");
        StringBuilder jobs = new StringBuilder("job_id,queue,submit_s,duration_s,gpus\n");
        Random random = new Random(SEED);
        int submit = 0;
        for (int i = 0; i < 300; i++) {
            submit += random.nextInt(200);
            jobs.append(String.format("%d,ml,%d,%d,%d%n", i, submit, 1 + random.nextInt(900), 1 + random.nextInt(8)));
        }
        Files.writeString(directory.resolve("jobs.csv"), jobs);
    }

    private int run(String... arguments) {
        said.getBuffer().setLength(0);
        PrintWriter writer = new PrintWriter(said, true);
        return SimulatorMain.run(writer, writer, arguments);
    }

    private String file(String name) {
        return directory.resolve(name).toString();
    }

    private int sweep(String out, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "sweep",
                "--trace",
                file("jobs.csv"),
                "--cluster",
                file("nodes.csv"),
                "--policy",
                "fifo,sjf",
                "--out",
                file(out)));
        arguments.addAll(List.of(more));
        return run(arguments.toArray(String[]::new));
    }

    /** Bytes of all files below, by their names there, but for what a clock has measured. */
    private Map<String, String> results(String name) throws IOException {
        Path root = directory.resolve(name);
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(root)) {
            for (Path path : all.filter(Files::isRegularFile).toList()) {
                String text = Files.readString(path, StandardCharsets.ISO_8859_1);
                files.put(
                        root.relativize(path).toString(),
                        path.endsWith("sweep.csv")
                                ? withoutClocks(text)
                                : text.replaceAll("\"(wallSeconds|peakHeapMb)\" ?: ?[0-9.E-]+", ""));
            }
        }
        return files;
    }

    private static String withoutClocks(String table) {
        List<String> head = List.of(table.lines().findFirst().orElseThrow().split(","));
        return table.lines()
                .map(row -> {
                    List<String> values = new ArrayList<>(List.of(row.split(",", -1)));
                    values.set(head.indexOf("wallSeconds"), "");
                    values.set(head.indexOf("peakHeapMb"), "");
                    return String.join(",", values);
                })
                .collect(Collectors.joining("\n"));
    }

    private JsonNode summary(String out) throws IOException {
        return new ObjectMapper()
                .readTree(directory.resolve(out).resolve("summary.json").toFile());
    }

    @Test
    void eachPointIsASimulationOnItsOwn() throws IOException {
        assertEquals(
                0, sweep("out", "--load-factor", "0.5,1.5", "--nodes", "2,3", "--preemption", "on"), said::toString);
        assertTrue(said.toString().contains("4 points, each under 2 policies: 8 simulations"), said::toString);
        for (String nodes : List.of("2", "3")) {
            for (String load : List.of("0.5", "1.5")) {
                String point = "points/nodes-" + nodes + ",load-" + load;
                assertEquals(
                        0,
                        run(
                                "simulate",
                                "--trace",
                                file("jobs.csv"),
                                "--cluster",
                                file("nodes.csv"),
                                "--policy",
                                "fifo,sjf",
                                "--load-factor",
                                load,
                                "--nodes",
                                nodes,
                                "--preemption",
                                "on",
                                "--report",
                                "off",
                                "--out",
                                file("own-" + nodes + load)),
                        said::toString);
                Map<String, String> own = results("own-" + nodes + load);
                Map<String, String> swept = results("out/" + point);
                assertEquals(own.keySet(), swept.keySet());
                own.forEach((name, text) -> {
                    // Fingerprints too: either goes on where the other stopped.
                    assertEquals(text, swept.get(name), point + "/" + name);
                });
            }
        }
        JsonNode rows = summary("out");
        assertEquals(8, rows.size());
        JsonNode last = rows.get(7);
        assertEquals(1.5, last.get("load").asDouble());
        assertTrue(last.get("seed").isNull());
        assertEquals(3, last.get("nodes").asInt());
        assertEquals("sjf", last.get("policy").asText());
        assertEquals(
                List.of("load", "seed", "nodes", "policy", "jobs"), names(last).subList(0, 5));
        List<String> table = Files.readAllLines(directory.resolve("out/sweep.csv"));
        assertEquals(9, table.size());
        assertEquals(String.join(",", names(last)), table.get(0));
        assertTrue(
                table.get(8)
                        .startsWith(
                                "1.5,,3,sjf,300," + last.get("avgJctSeconds").asText() + ","),
                table::toString);
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    @Test
    void resultsDoNotDependOnHowManyRunAtATime() throws IOException {
        String[] points = {"--load-factor", "0.5,1,2", "--nodes", "1,2,4", "--report", "on", "--parallel"};
        assertEquals(0, sweep("one", append(points, "1")), said::toString);
        assertEquals(0, sweep("many", append(points, "7")), said::toString);
        assertEquals(results("one"), results("many"), "seed " + SEED);
    }

    private static String[] append(String[] words, String last) {
        return Stream.concat(Stream.of(words), Stream.of(last)).toArray(String[]::new);
    }

    @Test
    void goesOnWhereItWasKilled() throws IOException {
        String[] points = {"--load-factor", "0.5,1,2", "--nodes", "1,2"};
        assertEquals(0, sweep("out", points), said::toString);
        Map<String, String> whole = results("out");
        // As a kill leaves it: some points are not there, one is half done, one was being put together.
        delete("out/points/nodes-1,load-2");
        delete("out/points/nodes-2,load-0.5");
        delete("out/points/nodes-2,load-1/.finished/sjf.json");
        delete("out/points/nodes-2,load-1/jobs-sjf.csv");
        Files.writeString(directory.resolve("out/points/nodes-2,load-1/.jobs-sjf.csv.new"), "jobId,que");
        delete("out/points/nodes-2,load-2/summary.json");
        delete("out/summary.json");
        delete("out/sweep.csv");
        delete("out/report.html");
        byte[] kept = Files.readAllBytes(directory.resolve("out/points/nodes-1,load-1/.finished/fifo.json"));
        assertEquals(0, sweep("out", points), said::toString);
        assertTrue(said.toString().contains("7 of 12 runs were done before"), said::toString);
        assertEquals(whole, results("out"));
        assertEquals(
                new String(kept, StandardCharsets.UTF_8),
                Files.readString(directory.resolve("out/points/nodes-1,load-1/.finished/fifo.json")),
                "what was done, durations with it, is not run again");
        assertEquals(0, sweep("out", "--load-factor", "0.5,1,2,3", "--nodes", "1,2", "--policy", "fifo,sjf,lsf"));
        assertTrue(said.toString().contains("12 of 24 runs were done before"), said::toString);
    }

    private void delete(String name) throws IOException {
        Path path = directory.resolve(name);
        if (Files.isDirectory(path)) {
            try (Stream<Path> inside = Files.list(path)) {
                for (Path one : inside.toList()) {
                    delete(directory.relativize(one).toString());
                }
            }
        }
        Files.delete(path);
    }

    @Test
    void seedsDrawOtherListsOfJobs() throws IOException {
        String[] arguments = {
            "sweep",
            "--like",
            "venus",
            "--jobs",
            "200,20:200",
            "--cluster",
            file("nodes.csv"),
            "--policy",
            "fifo",
            "--seed",
            "1,2",
            "--load-factor",
            "0.7",
            "--nodes",
            "4,8",
            "--out",
            file("out")
        };
        assertEquals(0, run(arguments), said::toString);
        JsonNode rows = summary("out");
        assertEquals(4, rows.size());
        assertEquals(180, rows.get(0).get("jobs").asInt(), "ids 20 to 199 are measured");
        assertNotEquals(
                rows.get(0).get("avgJctSeconds").asDouble(),
                rows.get(1).get("avgJctSeconds").asDouble());
        Map<String, String> drawn = results("out/traces");
        assertEquals(List.of("venus-200-seed-1.csv.gz", "venus-200-seed-2.csv.gz"), List.copyOf(drawn.keySet()));
        // The same as 'treadle generate' for the smallest cluster.
        Files.writeString(directory.resolve("small.csv"), "vc,node_num\nml,4\n");
        assertEquals(
                0,
                run(
                        "generate",
                        "--like",
                        "venus",
                        "--jobs",
                        "200",
                        "--seed",
                        "2",
                        "--cluster",
                        file("small.csv"),
                        "--out",
                        file("own.csv.gz")),
                said::toString);
        assertEquals(
                Files.readString(directory.resolve("own.csv.gz"), StandardCharsets.ISO_8859_1),
                drawn.get("venus-200-seed-2.csv.gz"));
    }

    @Test
    void fileSaysWhatOptionsSayAndOptionsWin() throws IOException {
        Files.writeString(
                directory.resolve("sweep.yaml"),
                """
                treadle-sweep: 1
                trace: jobs.csv      # beside this file
                cluster: nodes.csv
                policy: [fifo, sjf]
                load-factor: [0.5, 1.5]
                nodes: 2
                skip-bad-rows: false
                preemption: on
                """);
        assertEquals(0, sweep("flags", "--load-factor", "0.5,1.5", "--nodes", "2", "--preemption", "on"));
        assertEquals(0, run("sweep", file("sweep.yaml"), "--out", file("yaml")), said::toString);
        assertEquals(results("flags"), results("yaml"));
        assertEquals(
                0,
                run("sweep", file("sweep.yaml"), "--out", file("other"), "--load-factor", "3", "--policy", "lsf"),
                said::toString);
        JsonNode rows = summary("other");
        assertEquals(1, rows.size());
        assertEquals(3, rows.get(0).get("load").asDouble());
        assertEquals("lsf", rows.get(0).get("policy").asText());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\u0000',
            value = {
                "load-factor: [0.5, x] | line 5: Invalid value for option '--load-factor': 'x' is not a double",
                "load-factor: [0.5, 0] | line 5: --load-factor is '0.0', must be from 0.001 to 1000.",
                "nodes: [1, 0] | line 5: cannot have 0 nodes in nodes.csv, must be from 1",
                "nodes: two | line 5: Invalid value for option '--nodes': 'two' is not an int",
                "placement: [packed, fgd] | line 5, 'placement': is a list, must be one value.",
                "placement: tight | line 5: unknown placement 'tight', must be one of first-fit",
                "preemption: maybe | line 5: --preemption is 'maybe', must be on or off.",
                "report: maybe | line 5: --report is 'maybe', must be on or off.",
                "skip-bad-rows: maybe | line 5, 'skip-bad-rows': is 'maybe', must be true or false.",
                "seed: [1, 2] | line 5: --seed is '1,2', must be left out or one: nothing is random in this trace",
                "seed: [] | line 5, 'seed': is a list, must be a value or a list of values.",
                "like: philly | line 5: --like is 'philly' and --trace is",
                "jobs: 5 | line 5: --jobs is '5', must be two rising whole numbers",
                "loads: 1 | line 5: 'loads' is no field, must be one of [",
                "policy: [sjf, bogus] | line 5: 'policy' is there twice.",
                "plugin: none.jar | line 5: --plugin is 'none.jar', must be a jar with a policy",
                "compat: heelios | line 5: --compat is 'heelios', must be one of helios",
                "cluster2: x | line 5: 'cluster2' is no field",
                "out: here | line 5: 'out' is no field",
                "format: filly | line 5: --format is 'filly', must be auto or one of",
            })
    void fileThatCannotBeUsedIsRefusedWithItsLine(String line, String why) throws IOException {
        Path file = Files.writeString(
                directory.resolve("sweep.yaml"),
                "treadle-sweep: 1\ntrace: jobs.csv\ncluster: nodes.csv\npolicy: fifo\n" + line + "\n");
        assertEquals(2, run("sweep", file.toString(), "--out", file("out")), said::toString);
        assertTrue(said.toString().contains(why), said::toString);
        assertTrue(!why.startsWith("line") || said.toString().contains(file + ", line 5"), said::toString);
        assertFalse(Files.exists(directory.resolve("out")), "nothing half-written");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--policy fifo | the jobs are missing: give --trace FILE, or --like NAME --jobs N.",
                "--trace jobs.csv --policy fifo | Missing required option: '--cluster=FILE|NAME'",
                "--trace jobs.csv --cluster nodes.csv | --policy P is missing.",
                "--policy fifo --like phill --jobs 5 | --like is 'phill', must be one of",
                "--policy fifo --like philly | --like philly needs --jobs N",
                "--policy fifo --like philly --jobs 0 | --jobs is '0', must be from 1 to",
                "--policy fifo --like philly --jobs 5,6 | --jobs has '5' and '6', must be one number",
                "--policy fifo --like philly --jobs 5 --cluster nodes.csv --seed x | --seed is 'x', must be a whole",
                "--trace jobs.csv --cluster nodes.csv --policy fifo,bogus | unknown order 'bogus'",
                "--trace jobs.csv --cluster nodes.csv --policy fifo --parallel 0 | --parallel is '0', must be from 1",
                "--trace jobs.csv --cluster nodes.csv --policy fifo --nodes 1,-1 | cannot have -1 nodes",
                "--trace jobs.csv --cluster nodes.csv --policy fifo --loads 1 | Unknown option",
                "missing.yaml | there is no file missing.yaml.",
            })
    void refusesWhatCannotBeUsed(String arguments, String why) {
        List<String> words = new ArrayList<>(List.of("sweep", "--out", file("out")));
        for (String word : arguments.split(" ")) {
            words.add(word.endsWith(".csv") ? file(word) : word);
        }
        assertEquals(2, run(words.toArray(String[]::new)), said::toString);
        assertTrue(said.toString().contains(why), said::toString);
        assertFalse(Files.exists(directory.resolve("out/points")));
    }
}
