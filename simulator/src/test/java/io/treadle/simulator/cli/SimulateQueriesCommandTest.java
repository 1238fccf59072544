// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.simulator.input.Table;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Simulated queries as a person runs them. */
class SimulateQueriesCommandTest {
    private final Path directory;
    private final StringWriter said = new StringWriter();

    SimulateQueriesCommandTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private int run(String... more) {
        said.getBuffer().setLength(0);
        List<String> arguments = new ArrayList<>(List.of("simulate", "--workflows", "navigator"));
        arguments.addAll(List.of(more));
        PrintWriter out = new PrintWriter(said, true);
        return SimulatorMain.run(out, out, arguments.toArray(String[]::new));
    }

    private String[] usual(String out, String... more) {
        return Stream.concat(
                        Stream.of(
                                "--arrivals",
                                "poisson:2",
                                "--count",
                                "120",
                                "--workers",
                                "3",
                                "--policy",
                                "compass,hash",
                                "--out",
                                directory.resolve(out).toString()),
                        Stream.of(more))
                .toArray(String[]::new);
    }

    @Test
    void writesWhatItFoundAndTheSameAgain() throws IOException {
        assertEquals(0, run(usual("one", "--warmup", "20", "--power", "10/70")), said::toString);
        assertTrue(said.toString().contains("compass"), said::toString);
        assertEquals(0, run(usual("two", "--warmup", "20", "--power", "10/70")), said::toString);
        for (String file : List.of("requests-compass.csv", "requests-hash.csv", "report.html")) {
            assertArrayEquals(
                    Files.readAllBytes(directory.resolve("one").resolve(file)),
                    Files.readAllBytes(directory.resolve("two").resolve(file)),
                    file);
        }
        JsonNode summary = new ObjectMapper()
                .readTree(directory.resolve("one").resolve("summary.json").toFile());
        assertEquals("compass", summary.get(0).get("policy").asText());
        assertEquals(100, summary.get(0).get("requests").asInt());
        assertTrue(summary.get(0).get("meanLatencyMs").asDouble()
                < summary.get(1).get("meanLatencyMs").asDouble());
        // Both do the same work: who is longer at it draws more.
        assertTrue(summary.get(0).get("energyKwh").asDouble() > 0);
        for (String field : List.of(
                "p50LatencyMs", "p95LatencyMs", "p99LatencyMs", "meanSlowdown", "cacheHitRate", "workersUsed")) {
            assertTrue(summary.get(1).get(field).isNumber(), field);
        }
        List<Double> latencies = new ArrayList<>();
        Table.withHeader(directory.resolve("one/requests-hash.csv")).forEach(row -> {
            assertEquals(
                    row.number("endMs", 0, 1e9) - row.number("arrivalMs", 0, 1e9),
                    row.number("latencyMs", 0, 1e9),
                    1e-9);
            latencies.add(row.number("latencyMs", 0, 1e9));
        });
        assertEquals(120, latencies.size());
        assertEquals(
                latencies.subList(20, 120).stream()
                        .mapToDouble(each -> each)
                        .average()
                        .orElseThrow(),
                summary.get(1).get("meanLatencyMs").asDouble(),
                1e-6);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--policy fifo|--policy has 'fifo', must be one of compass, jit, heft, hash where queries are simulated.",
                "--workers 0|--workers is '0', must be from 1 to 100000.",
                "--warmup 120|--warmup is '120', must be from 0 to 119: there are 120 requests.",
                "--gpu-memory 5|--gpu-memory is '5', must be a size such as 14000000kB or 16GiB.",
                "--gpu-memory 5GB|needs models of 5720000 kB together, must be at most the 5000000 kB of a worker's GPU memory.",
                "--eviction random|--eviction is 'random', must be one of look-ahead, lru, fifo.",
                "--adjust luck|--adjust is 'luck', must be one of none, load, gain.",
                "--adjust-threshold -1|--adjust-threshold is '-1.0', must be from 0 to 1e9.",
                "--queue lifo|--queue is 'lifo', must be one of fifo, least-left.",
                "--staleness-ms -1|--staleness-ms is '-1.0', must be from 0 to 1e9.",
                "--compat helios|--compat is 'helios', must be reference where queries are simulated.",
                "--power 70/10|--power is '70/10', must be watts of a worker that is idle and of one that is busy",
                "--rate 3|--rate moves arrivals of a file, --arrivals has its own rate: give one of them.",
                "--mix chat=1|--mix names 'chat', must be among the workflows: translation, question_answer",
                "--pcie-gbps 0|--pcie-gbps is '0.0', must be above 0 and at most 1e9.",
                "--requests none.csv|both --requests and --arrivals are given, must be one of them.",
                "--arrivals uniform:3|--arrivals is 'uniform:3', must be poisson: and how many come in a second",
                "--count 0|--count is '0', must be from 1 to 10000000."
            })
    void saysWhatIsWrongAndLeavesNothing(String options, String expected) {
        List<String> arguments = new ArrayList<>(List.of(usual("refused")));
        String[] given = options.split(" ", -1);
        int place = arguments.indexOf(given[0]);
        if (place < 0) {
            arguments.addAll(List.of(given));
        } else {
            arguments.set(place + 1, given[1]);
        }
        assertEquals(2, run(arguments.toArray(String[]::new)), said::toString);
        assertTrue(said.toString().contains(expected), said::toString);
        assertFalse(Files.exists(directory.resolve("refused")));
    }

    @Test
    void reproducesWhatWasPublishedAndTakesNoRulesBeside() {
        assertEquals(0, run(usual("published", "--compat", "reference")), said::toString);
        assertTrue(said.toString().contains("adjusts by load"), said::toString);
        assertEquals(2, run(usual("both", "--compat", "reference", "--queue", "fifo")));
        assertTrue(said.toString().contains("--compat reference has its own --adjust and --queue"), said::toString);
    }

    @Test
    void helpNamesBothKindsOfSimulation() {
        assertEquals(0, run("--help"));
        assertTrue(said.toString().contains("--staleness-ms"), said::toString);
        PrintWriter out = new PrintWriter(said, true);
        said.getBuffer().setLength(0);
        assertEquals(0, SimulatorMain.run(out, out, "simulate", "--help"));
        String text = said.toString().replaceAll("\\s+", " ");
        assertTrue(text.contains("treadle simulate --workflows FILE --help"), text);
        assertTrue(said.toString().contains("--trace"), said::toString);
    }
}
