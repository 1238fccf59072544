// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.simulator.engine.Compat;
import io.treadle.simulator.engine.JobRun;
import io.treadle.simulator.engine.MeasuredJobs;
import io.treadle.simulator.engine.Simulation;
import io.treadle.simulator.engine.SimulationOptions;
import io.treadle.simulator.replay.ReplayRequest;
import io.treadle.simulator.trace.Experiment;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code plan --find quota} beside brute force: cluster files with each split in steps of 5 %, and each a simulation of
 * its own. Two queues have goals; where there is a third, it has none.
 */
class PlanCapacityOracleTest {
    private static final int CASES = 6;
    private static final int STEP = 5;
    private static final int JOBS = 50;

    private final Path directory;
    private final StringWriter said = new StringWriter();

    PlanCapacityOracleTest(@TempDir Path directory) {
        this.directory = directory;
    }

    /** Seconds of mean wait of the jobs of a and b. */
    private record Waits(double a, double b) {
        boolean areBelow(Waits goals) {
            return a < goals.a && b < goals.b;
        }
    }

    @ParameterizedTest
    @CsvSource({"2, fifo, off", "2, sjf, on", "3, fifo, off", "3, sjf, on"})
    void findsASplitWhereThereIsOne(int queues, String policy, String preemption) throws IOException {
        int found = 0;
        for (long seed = 0; seed < CASES; seed++) {
            String what = queues + " queues, " + policy + ", seed " + seed;
            Random random = new Random(seed);
            Files.writeString(directory.resolve("jobs.csv"), jobs(random, queues));
            boolean preempts = preemption.equals("on");
            int a = 10 + random.nextInt(35);
            Waits some = waits(queues, a, 10 + random.nextInt(35), policy, preempts);
            Waits goals = new Waits(goal(some.a, random), goal(some.b, random));
            boolean isThere = false;
            for (int x = STEP; x < 100; x += STEP) {
                for (int y = queues == 2 ? 100 - x : STEP; x + y <= 100 - (queues - 2) && !isThere; y += STEP) {
                    isThere = waits(queues, x, y, policy, preempts).areBelow(goals);
                }
            }
            cluster(queues, 20, 30);
            int code = plan(seed, goals, policy, preemption);
            assertTrue(isThere ? code == 0 : code < 2, () -> what + ": " + said);
            if (code == 0) {
                found++;
                check(queues, goals, policy, preempts, seed, what);
            }
        }
        assertTrue(found >= 2, found + " of " + CASES + " found");
    }

    /** What is found holds in a cluster file of its own, and where a third queue would get more, a little less does not. */
    private void check(int queues, Waits goals, String policy, boolean preempts, long seed, String what)
            throws IOException {
        JsonNode capacities = new ObjectMapper()
                .readTree(directory.resolve("out" + seed + "/plan.json").toFile())
                .path("chosen")
                .path(0)
                .path("capacities");
        int a = capacities.path("a").asInt();
        int b = capacities.path("b").asInt();
        assertEquals(100, a + b + capacities.path("c").asInt(), what);
        assertTrue(waits(queues, a, b, policy, preempts).areBelow(goals), what);
        for (int less = 1; less <= 3 && queues == 3; less++) {
            assertFalse(a > less && waits(queues, a - less, b, policy, preempts).areBelow(goals), what);
            assertFalse(b > less && waits(queues, a, b - less, policy, preempts).areBelow(goals), what);
        }
    }

    /** Some are easier than what was seen, some harder; in tenths of a second. */
    private static double goal(double seen, Random random) {
        return Math.max(1, Math.rint(seen * (.7 + .6 * random.nextDouble()) * 10) / 10);
    }

    private static String jobs(Random random, int queues) {
        StringBuilder rows = new StringBuilder("job_id,queue,submit_s,duration_s,gpus\n");
        int at = 0;
        for (int i = 0; i < JOBS; i++) {
            at += random.nextInt(20);
            String queue = List.of("a", "b", "c").get(random.nextInt(queues));
            rows.append(queue + i + "," + queue + "," + at + "," + (1 + random.nextInt(100)) + ","
                    + (1 + random.nextInt(5)) + "\n");
        }
        return rows.toString();
    }

    private void cluster(int queues, int a, int b) throws IOException {
        String third = queues == 2 ? "" : "\n      - {name: c, capacity: " + (100 - a - b) + "%}";
        Files.writeString(
                directory.resolve("cluster.yaml"),
                """
                treadle-cluster: 1
                nodes: [{name: n, count: 4, gpus: 4}]
                partitions:
                  - name: all
                    nodes: [n]
                    queues:
                      - {name: a, capacity: %d%%}
                      - {name: b, capacity: %d%%}%s
                """
                        .formatted(a, b, third));
    }

    private Waits waits(int queues, int a, int b, String policy, boolean preempts) throws IOException {
        cluster(queues, a, b);
        SimulationOptions options = new SimulationOptions(Compat.NONE, "auto", preempts, MeasuredJobs.ALL, 300_000, -1);
        List<JobRun> jobs = new Simulation(
                        new ReplayRequest(
                                        directory.resolve("jobs.csv"),
                                        "auto",
                                        false,
                                        directory.resolve("cluster.yaml").toString(),
                                        OptionalInt.empty(),
                                        Experiment.DEFAULT,
                                        OptionalDouble.empty())
                                .read()
                                .workload(),
                        options)
                .run(policy, ended -> {})
                .jobs();
        return new Waits(wait(jobs, "a"), wait(jobs, "b"));
    }

    private static double wait(List<JobRun> jobs, String queue) {
        return jobs.stream()
                .filter(job -> job.job().queue().equals(queue))
                .mapToDouble(job -> job.waitedMs() / 1000.0)
                .average()
                .orElseThrow();
    }

    private int plan(long seed, Waits goals, String policy, String preemption) {
        said.getBuffer().setLength(0);
        PrintWriter writer = new PrintWriter(said, true);
        return SimulatorMain.run(
                writer,
                writer,
                "plan",
                "--trace",
                directory.resolve("jobs.csv").toString(),
                "--cluster",
                directory.resolve("cluster.yaml").toString(),
                "--policy",
                policy,
                "--preemption",
                preemption,
                "--find",
                "quota",
                "--goal",
                "queue a: mean wait < " + goals.a + "s",
                "--goal",
                "queue b: mean wait < " + goals.b + "s",
                "--out",
                directory.resolve("out" + seed).toString());
    }
}
