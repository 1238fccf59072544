// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.simulator.input.Table;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A replay beside a history that is known. */
class CalibrateTest {
    private static final double EXACT = 1e-9;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int simulate(Path trace, String... more) throws IOException {
        Path cluster = Files.writeString(directory.resolve("c.csv"), "vc,node_num\na,1\nb,2\n");
        String[] arguments = new String[9 + more.length];
        System.arraycopy(
                new String[] {
                    "simulate",
                    "--trace",
                    trace.toString(),
                    "--cluster",
                    cluster.toString(),
                    "--report",
                    "off",
                    "--out",
                    directory.resolve("out").toString()
                },
                0,
                arguments,
                0,
                9);
        System.arraycopy(more, 0, arguments, 9, more.length);
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return SimulatorMain.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }

    private JsonNode calibration() throws IOException {
        return new ObjectMapper()
                .readTree(directory.resolve("out/calibration.json").toFile());
    }

    /** What the simulator itself did is a history that it replays without any error; another policy does not. */
    @Test
    void noErrorAgainstAHistoryOfItsOwn() throws IOException {
        long seed = 20;
        Random random = new Random(seed);
        StringBuilder jobs = new StringBuilder("job_id,queue,submit_s,gpus,duration_s\n");
        for (int i = 0; i < 300; i++) {
            jobs.append("j" + i + "," + (random.nextBoolean() ? "a" : "b") + "," + i * 20 + ","
                    + (1 + random.nextInt(8)) + "," + (1 + random.nextInt(400)) + "\n");
        }
        assertEquals(
                0, simulate(Files.writeString(directory.resolve("t.csv"), jobs), "--policy", "fifo"), err::toString);
        StringBuilder history = new StringBuilder("job_id,queue,submit_s,gpus,duration_s,start_s,end_s\n");
        String[] rows = jobs.toString().split("\n", -1);
        Table.withHeader(directory.resolve("out/jobs-fifo.csv"))
                .forEach(row -> history.append(rows[(int) row.number() - 1] + "," + row.text("startSeconds") + ","
                        + row.text("endSeconds") + "\n"));
        Path trace = Files.writeString(directory.resolve("history.csv"), history);
        assertEquals(0, simulate(trace, "--policy", "fifo,sjf", "--calibrate"), err::toString);
        JsonNode fifo = calibration().get(0);
        assertEquals(
                "the replay under fifo is what happened, job by job",
                fifo.path("verdict").asText(),
                "seed " + seed);
        assertEquals(300, fifo.path("all").path("jobs").asInt());
        assertEquals(1, fifo.path("rankCorrelation").asDouble(), EXACT);
        assertEquals(0, fifo.path("busyGpus").path("meanAbsoluteError").asDouble());
        for (JsonNode group : fifo.path("groups")) {
            for (String figure :
                    new String[] {"MeanWaitSeconds", "MedianWaitSeconds", "MeanJctSeconds", "MedianJctSeconds"}) {
                assertEquals(group.path("real" + figure), group.path("simulated" + figure), group.toString());
            }
        }
        JsonNode sjf = calibration().get(1);
        assertNotEquals(0, sjf.path("busyGpus").path("meanAbsoluteError").asDouble());
        assertTrue(sjf.path("all").path("simulatedMeanWaitSeconds").asDouble()
                < sjf.path("all").path("realMeanWaitSeconds").asDouble());
    }

    /**
     * Three jobs of 8 GPUs and 100, 50 and 50 s come at 0 to one node: in the replay they wait 0, 100 and 150 s. History
     * began 30 s later: 30, 130 and 180 s, on average 113.3 instead of 83.3 s (26 % less) and from submission to end 180
     * instead of 150 s (0.83 times). All waits are within a minute. From 0 to 230 s 8 GPUs are busy for 200 s in both
     * (8 · 200 / 230 = 6.957), and for the first and the last 30 s in one only: 8 · 60 / 230 = 2.087.
     */
    @Test
    void aKnownShift() throws IOException {
        Path trace = Files.writeString(
                directory.resolve("t.csv"),
                """
                job_id,queue,submit_s,gpus,duration_s,start_s,end_s
                x,a,0,8,100,30,130
                y,a,0,8,50,130,180
                z,a,0,8,50,180,230
                w,b,0,8,50,,
                """);
        assertEquals(0, simulate(trace, "--policy", "fifo", "--calibrate"), err::toString);
        JsonNode fifo = calibration().get(0);
        JsonNode all = fifo.path("all");
        assertEquals(3, all.path("jobs").asInt());
        assertEquals(340 / 3.0, all.path("realMeanWaitSeconds").asDouble(), EXACT);
        assertEquals(250 / 3.0, all.path("simulatedMeanWaitSeconds").asDouble(), EXACT);
        assertEquals(130, all.path("realMedianWaitSeconds").asDouble());
        assertEquals(100, all.path("simulatedMedianWaitSeconds").asDouble());
        assertEquals(180, all.path("realMeanJctSeconds").asDouble());
        assertEquals(150, all.path("simulatedMeanJctSeconds").asDouble());
        assertEquals(1, all.path("closeShare").asDouble());
        assertEquals(1, fifo.path("rankCorrelation").asDouble(), EXACT);
        assertEquals(1600 / 230.0, fifo.path("busyGpus").path("realMean").asDouble(), EXACT);
        assertEquals(
                480 / 230.0, fifo.path("busyGpus").path("meanAbsoluteError").asDouble(), EXACT);
        assertEquals(
                "the replay under fifo waits 26 % less than history, and its jobs take 0.83 times as long as history: trust"
                        + " means within ±30 %, and most single jobs (100 % of the jobs wait about as they did, rank"
                        + " correlation 1.00)",
                fifo.path("verdict").asText());
        assertTrue(out.toString().contains("2.1 of 7.0"), out::toString);
        assertTrue(Files.readString(directory.resolve("out/calibration.csv")).contains("\nfifo,queue,a,3,113."));
        assertTrue(Files.readString(directory.resolve("out/calibration.csv")).contains("\nfifo,gpus,5–8,3,113."));
    }

    @Test
    void refusesWhatCannotBeCompared() throws IOException {
        Path trace = Files.writeString(
                directory.resolve("t.csv"),
                "job_id,queue,submit_s,gpus,duration_s,start_s,end_s\nx,a,0,8,100,,\ny,a,9,8,1,,\n");
        assertEquals(2, simulate(trace, "--policy", "fifo", "--calibrate"));
        assertTrue(err.toString().contains("no start and end of any job"), err::toString);
        assertEquals(2, simulate(trace, "--policy", "fifo", "--calibrate", "--load-factor", "2"));
        assertTrue(err.toString().contains("--load-factor moves them"), err::toString);
        assertFalse(Files.exists(directory.resolve("out/jobs-fifo.csv")));
    }
}
