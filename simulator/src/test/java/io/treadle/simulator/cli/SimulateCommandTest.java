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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The command as a person runs it. */
class SimulateCommandTest {
    private final Path directory;
    private final StringWriter said = new StringWriter();

    SimulateCommandTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        // Two nodes of 8 GPUs; worked out by hand: a and b start at once, c waits for a, d fits beside.
        Files.writeString(directory.resolve("nodes.csv"), "vc,node_num\nml,2\n");
        Files.writeString(
                directory.resolve("jobs.csv"),
                """
                job_id,queue,submit_s,duration_s,gpus
                a,ml,0,100,8
                b,ml,0,300,6
                c,ml,10,50,8
                d,ml,20,30,2
                """);
    }

    private int simulate(String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "simulate",
                "--trace",
                directory.resolve("jobs.csv").toString(),
                "--cluster",
                directory.resolve("nodes.csv").toString(),
                "--out",
                directory.resolve("out").toString()));
        arguments.addAll(List.of(more));
        said.getBuffer().setLength(0);
        PrintWriter writer = new PrintWriter(said, true);
        return SimulatorMain.run(writer, writer, arguments.toArray(String[]::new));
    }

    @Test
    void checksEvenWhatIsFinished() {
        for (int i = 0; i < 2; i++) {
            assertEquals(0, simulate("--policy", "fifo,srtf", "--preemption", "on", "--check"), said::toString);
            assertTrue(said.toString().contains("fifo checked: 4 jobs at"), said::toString);
            assertTrue(said.toString().contains("srtf checked: 4 jobs at"), said::toString);
        }
    }

    @Test
    void writesWhatHappenedToEachJob() throws IOException {
        assertEquals(0, simulate("--policy", "fifo,sjf"), said::toString);
        assertEquals(
                """
                jobId,queue,gpus,submitSeconds,startSeconds,endSeconds,jctSeconds,energyJoules,preemptions,migrations,nodes
                a,ml,8,0,0,100,100,,0,0,ml-0
                b,ml,6,0,0,300,300,,0,0,ml-1
                c,ml,8,10,100,150,140,,0,0,ml-0
                d,ml,2,20,20,50,30,,0,0,ml-1
                """,
                Files.readString(directory.resolve("out/jobs-fifo.csv")));
        JsonNode summary = new ObjectMapper()
                .readTree(directory.resolve("out/summary.json").toFile());
        assertEquals(2, summary.size());
        JsonNode fifo = summary.get(0);
        assertEquals("fifo", fifo.get("policy").asText());
        assertEquals((100 + 300 + 140 + 30) / 4.0, fifo.get("avgJctSeconds").asDouble());
        assertEquals(90 / 4.0, fifo.get("avgQueueSeconds").asDouble());
        assertEquals(300, fifo.get("makespanSeconds").asDouble());
        // 800 + 1,800 + 400 + 60 GPU-seconds of 16 × 300.
        assertEquals(3060 / 4800.0, fifo.get("gpuUtilization").asDouble(), 1e-12);
        assertTrue(fifo.get("energyKwh").isNull());
        assertTrue(fifo.get("totalUtility").isNull());
        assertFalse(said.toString().contains("worth"), said::toString);
        assertTrue(said.toString().contains("mean JCT"), said::toString);
    }

    /** b ends at 300 s all the same: only starts wait for a multiple. */
    @Test
    void decisionsWaitForTheirTime() throws IOException {
        assertEquals(0, simulate("--policy", "fifo", "--decide-every", "60", "--check"), said::toString);
        assertTrue(said.toString().contains("work conservation not, nobody decides between two"), said::toString);
        assertEquals(
                """
                jobId,queue,gpus,submitSeconds,startSeconds,endSeconds,jctSeconds,energyJoules,preemptions,migrations,nodes
                a,ml,8,0,0,100,100,,0,0,ml-0
                b,ml,6,0,0,300,300,,0,0,ml-1
                c,ml,8,10,120,170,160,,0,0,ml-0
                d,ml,2,20,60,90,70,,0,0,ml-1
                """,
                Files.readString(directory.resolve("out/jobs-fifo.csv")));
        assertTrue(Files.readString(directory.resolve("out/report.html")).contains("--decide-every 60"));
    }

    @Test
    void finishedPoliciesAreNotRepeated() throws IOException {
        assertEquals(0, simulate("--policy", "fifo"));
        String rows = Files.readString(directory.resolve("out/jobs-fifo.csv"));
        assertEquals(0, simulate("--policy", "fifo,lsf"), said::toString);
        assertTrue(said.toString().contains("fifo: done before"), said::toString);
        assertFalse(said.toString().contains("lsf: done before"), said::toString);
        assertEquals(rows, Files.readString(directory.resolve("out/jobs-fifo.csv")));
        String page = Files.readString(directory.resolve("out/report.html"));
        assertEquals(0, simulate("--policy", "fifo,lsf", "--again"));
        assertEquals(
                page, Files.readString(directory.resolve("out/report.html")), "the page is the same byte for byte");
        assertFalse(said.toString().contains("done before"), said::toString);
        assertEquals(0, simulate("--policy", "fifo", "--load-factor", "2"));
        assertFalse(said.toString().contains("done before"), "other options are another run");
    }

    @Test
    void sharesOfLoadAreSaidAndMet() {
        assertEquals(0, simulate("--policy", "fifo"));
        // 3,060 GPU-seconds over 16 GPUs × 20 s.
        assertTrue(said.toString().contains("demand is 956 % of the GPU time, more than there is"), said::toString);
        assertEquals(0, simulate("--policy", "fifo", "--load-factor", "0.5"));
        assertTrue(said.toString().contains("demand is 50 % of the GPU time"), said::toString);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--policy bogus | policy 'bogus': unknown order 'bogus', must be one of fifo, sjf",
                "--policy fifo,srtf+greedy | unknown allocation 'greedy', must be one of proportional",
                "--policy fifo --placement tight | unknown placement 'tight', must be one of first-fit",
                "--policy fifo --compat heelios | --compat is 'heelios', must be one of helios, synergy, analysim,"
                        + " muri",
                "--policy fifo --preemption maybe | --preemption is 'maybe', must be on or off",
                "--policy fifo --restart-seconds -1 | --restart-seconds is '-1.0', must be seconds from 0 to 1e9",
                "--policy fifo --checkpoint-seconds NaN | --checkpoint-seconds is 'NaN', must be seconds from 0",
                "--policy fifo --restart-seconds 9 --compat helios | but --compat helios has its own costs",
                "--policy fifo --migration yes | --migration is 'yes', must be on or off",
                "--policy fifo --migration on --compat helios | --migration is 'on', but --compat helios moves no jobs",
                "--policy fifo --migration-seconds 1e10 | --migration-seconds is '1.0E10', must be seconds from 0",
                "--policy fifo --crossing-penalty -1 | --crossing-penalty is '-1', must be a number from 0 to 100",
                "--policy fifo --crossing-penalty rack=0.2,rack=0.1 | or rack=0.2,node=0.05",
                "--policy fifo --crossing-penalty 0.2 --compat analysim | but --compat analysim has its own costs",
                "--policy fifo --decide-every 0 | --decide-every is '0.0', must be seconds from 0.001 to 1e9",
                "--policy fifo --decide-every often | Invalid value for option '--decide-every'",
                "--policy fifo --decide-every 60 --compat helios | but --compat helios decides when its simulator does",
                "--policy fifo --jobs 5 | --jobs is '5', must be two rising whole numbers",
                "--policy fifo --jobs 1:2 | needs ids that are whole numbers, the trace has 'a'",
                "--policy fifo --load-factor 0 | --load-factor is '0.0', must be from",
                "--policy fifo --format filly | --format is 'filly', must be auto or one of",
                "--policy fifo --sead 3 | Unknown options: '--sead'",
            })
    void refusesWhatCannotBeUsed(String arguments, String why) {
        assertEquals(2, simulate(arguments.split(" ")), said::toString);
        assertTrue(said.toString().contains(why), said::toString);
        assertFalse(Files.exists(directory.resolve("out/summary.json")));
    }

    @Test
    void jobThatCouldNeverRunIsNamed() throws IOException {
        Files.writeString(directory.resolve("jobs.csv"), "job_id,queue,submit_s,duration_s,gpus\nbig,ml,0,10,17\n");
        assertEquals(2, simulate("--policy", "fifo"));
        assertTrue(
                said.toString().contains("job 'big' asks for 17 GPUs, partition ml has 16: it could never run"),
                said::toString);
    }

    /** Each of the three tasks fits on a node, and all have 80 vcores, but no node has room for two of them. */
    @ParameterizedTest
    @ValueSource(strings = {"fifo", "smd"})
    void aRunEndsThoughAJobNeverFindsItsPlaces(String policy) throws IOException {
        Files.writeString(
                directory.resolve("nodes.csv"),
                """
                treadle-cluster: 1
                nodes:
                  - {name: n, count: 2, vcores: 40, memory: 1024, gpus: {model: V100, count: 8}}
                """);
        String job =
                """
                {"id": "%s", "submitSeconds": 0, "batch": 10, "iterations": 100, "fitted": {"compute": 0.1}, \
                "worker": {"min": 2, "max": 2, "gpus": 1, "vcores": %d, "memoryMiB": 1}, \
                "ps": {"max": 1, "gpus": 0, "vcores": 20, "memoryMiB": 1}}
                """;
        Files.writeString(directory.resolve("jobs.csv"), job.formatted("wide", 30) + job.formatted("slim", 10));
        assertEquals(0, simulate("--policy", policy), said::toString);
        List<String> rows = Files.readAllLines(directory.resolve("out/jobs-" + policy + ".csv"));
        assertEquals("wide,,2,0,,,,,0,0,,,,", rows.get(1));
        // 100 iterations of 1 s for 10 samples, half of them on each worker.
        assertTrue(rows.get(2).startsWith("slim,,2,0,0,50,50,,"), rows.get(2));
        assertTrue(rows.get(2).endsWith(",,2,1"), rows.get(2));
    }

    @Test
    void measuringNoneOfTheJobsIsRefused() throws IOException {
        Files.writeString(
                directory.resolve("jobs.csv"), "job_id,queue,submit_s,duration_s,gpus\n7,ml,0,10,1\n12,ml,0,10,1\n");
        assertEquals(2, simulate("--policy", "fifo", "--jobs", "4000:5000"));
        assertTrue(
                said.toString()
                        .contains("--jobs is '4000:5000', must name at least one of the trace's 2 jobs, whose ids are"
                                + " 7 to 12."),
                said::toString);
        assertFalse(Files.exists(directory.resolve("out")));
        assertEquals(0, simulate("--policy", "fifo", "--jobs", "12:13"), said::toString);
    }
}
