// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
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
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GenerateCommandTest {
    private final Path directory;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    GenerateCommandTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private int run(String... arguments) {
        return SimulatorMain.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }

    private String file(String name) {
        return directory.resolve(name).toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"philly", "helios", "venus", "earth", "saturn", "uranus", "pai", "seren", "kalos", "synergy"})
    void theSimulatorReadsWhatIsWritten(String like) throws IOException {
        assertEquals(0, run("generate", "--like", like, "--jobs", "1000", "--out", file("t.csv")), err::toString);
        assertTrue(out.toString().contains("figures are within their bounds"), out::toString);
        assertTrue(out.toString().contains("seed 42, written to " + file("t.csv")), out::toString);
        Files.writeString(directory.resolve("nodes.csv"), "sn,cpu_milli,memory_mib,gpu,model\n" + nodes());
        assertEquals(
                0,
                run(
                        "simulate",
                        "--trace",
                        file("t.csv"),
                        "--cluster",
                        file("nodes.csv"),
                        "--policy",
                        "fifo",
                        "--out",
                        file("results")),
                err::toString);
        assertEquals(
                1001,
                Files.readAllLines(directory.resolve("results/jobs-fifo.csv")).size());
    }

    /** Room for the largest job of all. */
    private static String nodes() {
        return IntStream.range(0, 256)
                .mapToObj(i -> "node-" + i + ",96000,786432,8,V100\n")
                .collect(Collectors.joining());
    }

    @ParameterizedTest
    @ValueSource(strings = {"venus", "synergy", "smd"})
    void sameSeedSameBytes(String like) throws IOException {
        for (String name : List.of("a.csv.gz", "b.csv.gz")) {
            assertEquals(
                    0,
                    run("generate", "--like", like, "--jobs", "3000", "--seed", "7", "--out", file(name)),
                    err::toString);
        }
        assertArrayEquals(
                Files.readAllBytes(directory.resolve("a.csv.gz")), Files.readAllBytes(directory.resolve("b.csv.gz")));
        try (Stream<Path> files = Files.list(directory)) {
            assertEquals(2, files.count(), "no draft is left");
        }
    }

    /** On nodes whose GPUs are known one by one: jobs that change size must stay off those of others. */
    @Test
    void jobsWithServersAreDrawnAndReplayed() throws IOException {
        assertEquals(
                0,
                run("generate", "--like", "smd", "--jobs", "80", "--seed", "1", "--out", file("t.jsonl")),
                err::toString);
        assertTrue(out.toString().contains("80 jobs with workers and parameter servers: 10.00 jobs per hour"));
        assertEquals(80, Files.readAllLines(directory.resolve("t.jsonl")).size());
        Files.writeString(
                directory.resolve("nodes.yaml"),
                """
                treadle-cluster: 1
                nodes:
                  - {name: n, count: 8, vcores: 40, memory: 140800, gpus: {model: V100, count: 8}}
                """);
        assertEquals(
                0,
                run(
                        "simulate",
                        "--trace",
                        file("t.jsonl"),
                        "--cluster",
                        file("nodes.yaml"),
                        "--policy",
                        "smd,optimus",
                        "--decide-every",
                        "600",
                        "--restart-seconds",
                        "30",
                        "--check",
                        "--out",
                        file("results")),
                err::toString);
        assertTrue(out.toString().contains("worth"), out::toString);
        List<String> rows = Files.readAllLines(directory.resolve("results/jobs-smd.csv"));
        assertEquals(81, rows.size());
        assertTrue(rows.get(0).endsWith(",migrations,nodes,utility,workers,servers"), rows.get(0));
        double sum = rows.stream()
                .skip(1)
                .mapToDouble(row -> Double.parseDouble(row.split(",", -1)[11]))
                .sum();
        JsonNode summary = new ObjectMapper()
                .readTree(directory.resolve("results/summary.json").toFile());
        assertEquals(sum, summary.get(0).get("totalUtility").asDouble(), 1e-3);
        assertTrue(Files.readString(directory.resolve("results/report.html")).contains("<section id=\"utility\">"));
    }

    /** Synergy's experiments call jobs per hour the load, and draw 24,000. */
    @Test
    void loadOfSynergyIsJobsPerHour() throws IOException {
        assertEquals(0, run("generate", "--like", "synergy", "--load", "8", "--out", file("a.csv")), err::toString);
        assertEquals(
                0,
                run("generate", "--like", "synergy", "--jobs-per-hour", "8", "--jobs", "24000", "--out", file("b.csv")),
                err::toString);
        assertArrayEquals(
                Files.readAllBytes(directory.resolve("a.csv")), Files.readAllBytes(directory.resolve("b.csv")));
    }

    @Test
    void aGeneratedTraceCanBeReplayed() throws IOException {
        Files.writeString(directory.resolve("vc.csv"), "vc,node_num\na,8\nb,2\n");
        assertEquals(
                0,
                run(
                        "generate",
                        "--like",
                        "philly",
                        "--jobs",
                        "2000",
                        "--cluster",
                        file("vc.csv"),
                        "--load",
                        "0.7",
                        "--out",
                        file("t.csv.gz")),
                err::toString);
        assertEquals(
                0,
                run(
                        "simulate",
                        "--trace",
                        file("t.csv.gz"),
                        "--cluster",
                        file("vc.csv"),
                        "--policy",
                        "fifo",
                        "--out",
                        file("results")),
                err::toString);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--like nowhere --jobs 10|--like is 'nowhere', must be one of philly, helios, venus, earth,",
                "--like venus --jobs 0|--jobs is '0', must be from 1 to 10000000.",
                "--like venus --jobs 10000001|--jobs is '10000001', must be from 1 to 10000000.",
                "--like venus --jobs many|Invalid value for option '--jobs'",
                "--like venus|Missing required option: '--jobs=N'",
                "--like venus --jobs 10 --load 0.5|--load 0.5 needs --cluster",
                "--like venus --jobs 10 --load -1 --cluster synergy-32|--load is '-1.0', must be from 0.001 to 100.0.",
                "--like venus --jobs 10 --load NaN --cluster synergy-32|--load is 'NaN', must be from",
                "--like venus --jobs 10 --load 1 --jobs-per-hour 2 --cluster synergy-32|give one of them",
                "--like venus --jobs 10 --jobs-per-hour 0|--jobs-per-hour is '0.0', must be from 0.001 to 1000000.0.",
                "--like venus --jobs 10 --cluster none.csv|--cluster is 'none.csv', must be a file or one of",
                "--like venus --jobs 10 --split 20,70,10|--split is '20,70,10', must be left out",
                "--like synergy --jobs 10 --split 20,70|--split is '20,70', must be three whole percentages",
                "--like synergy --jobs 10 --split 20,70,20|--split is '20,70,20', must be three whole percentages",
                "--like synergy --jobs 10 --gpus two|--gpus is 'two', must be one of single, synthetic, philly.",
                "--like synergy --jobs 10 --load 9 --jobs-per-hour 8|--jobs-per-hour is '8.0', must be left out",
                "--like smd|Missing required option: '--jobs=N'",
                "--like smd --jobs 100001|--jobs is '100001', must be from 1 to 100000 for --like smd.",
                "--like smd --jobs 10 --load 0.9|--load is '0.9', must be left out: --jobs-per-hour says it",
                "--like smd --jobs 10 --cluster synergy-32|--cluster is 'synergy-32', must be left out",
                "--like smd --jobs 10 --datasets 50|--datasets is '50.0', must be left out",
                "--like smd --jobs 10 --gpus philly|--gpus is 'philly', must be left out",
                "--like synergy --jobs 10 --seed -1|--seed is '-1', must be from 0 to 2147483647",
            })
    void wrongInputIsNamedAndNothingIsWritten(String arguments, String message) {
        String[] all = ("generate " + arguments + " --out " + file("t.csv")).split(" ", -1);
        assertEquals(2, run(all));
        assertTrue(err.toString().contains(message), err::toString);
        assertFalse(err.toString().contains("drawing"), err::toString);
        assertFalse(Files.exists(directory.resolve("t.csv")));
    }

    @Test
    void aPlaceThatCannotBeWrittenToIsNamed() {
        assertEquals(2, run("generate", "--like", "pai", "--jobs", "10", "--out", file("no/t.csv")));
        assertTrue(err.toString().contains("there is no directory " + file("no")), err::toString);
        assertEquals(2, run("generate", "--like", "pai", "--jobs", "10", "--out", directory.toString()));
        assertTrue(err.toString().contains("is a directory"), err::toString);
    }
}
