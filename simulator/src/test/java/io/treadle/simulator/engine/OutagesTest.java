// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.plan.TaskPlacement;
import io.treadle.simulator.check.RunCheck;
import io.treadle.simulator.cluster.ClusterReader;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.trace.Experiment;
import io.treadle.simulator.trace.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nodes that fail, come back and are maintained; two nodes of 8 GPUs where not said otherwise. */
class OutagesTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    private static final String TWO = "nodes: [{name: n, count: 2, gpus: 8}]\n";

    private static SimulationOptions options(boolean preempts) {
        return new SimulationOptions(Compat.NONE, "first-fit", preempts, MeasuredJobs.ALL, 300_000, -1);
    }

    private Workload workload(String cluster, String jobs) throws IOException {
        Path file = Files.writeString(directory.resolve("cluster.yaml"), "treadle-cluster: 1\n" + cluster);
        Path trace = Files.writeString(
                directory.resolve("jobs.csv"), "job_id,queue,submit_s,duration_s,gpus\n" + jobs.replace(' ', '\n'));
        return Runs.workload(trace, file.toString(), Experiment.DEFAULT);
    }

    private Outcome outcome(String cluster, String jobs, SimulationOptions options, String policy) throws IOException {
        Simulation simulation = new Simulation(workload(cluster, jobs), options);
        simulation.check(policy);
        return simulation.run(policy, ended -> {});
    }

    /** {@code id: start-end, failures/preemptions where there are some}, in seconds. */
    private static List<String> texts(Outcome outcome) {
        return outcome.jobs().stream()
                .map(job -> job.job().id() + ": "
                        + (job.isEnded() ? job.firstStartMs() / 1000 + "-" + job.endMs() / 1000 : "never")
                        + (job.failures() + job.preemptions() > 0
                                ? " " + job.failures() + "/" + job.preemptions()
                                : ""))
                .toList();
    }

    @Test
    void whatRunsOnAFailedNodeStopsAndWaitsForRoom() throws IOException {
        Files.writeString(directory.resolve("down.csv"), "node,down_s,up_s\nn-0,30,50\n");
        // 1 has run 30 s when its node fails, waits until 50 and runs the other 70.
        Outcome outcome =
                outcome(TWO + "failures: {file: down.csv}\n", "1,q,0,100,8 2,q,0,100,8", options(false), "fifo");
        assertEquals(List.of("1: 0-120 1/0", "2: 0-100"), texts(outcome));
        assertEquals(20_000, outcome.jobs().get(0).waitedMs());
        // 8 × (30 + 70) + 8 × 100 GPU-seconds of 16 × 120 − 8 × 20 that were up.
        assertEquals(1600.0 / 1760, outcome.gpuUtilization(), 1e-12);
    }

    @Test
    void workSinceTheLastCheckpointIsDoneAgain() throws IOException {
        Files.writeString(directory.resolve("down.csv"), "node,down_s,up_s\nn-0,30,50\n");
        // At 30 s the last checkpoint, each 20 s, is 10 s old, and a restart takes 7 s: 100 − 30 + 10 + 7 = 87 s left.
        Outcome outcome = outcome(
                TWO + "failures: {file: down.csv}\n",
                "1,q,0,100,8 2,q,0,100,8",
                options(false).with(new Costs(7, 20, 0)),
                "fifo");
        assertEquals(List.of("1: 0-137 1/0", "2: 0-100"), texts(outcome));
    }

    @Test
    void aGangStopsAsAWhole() throws IOException {
        Files.writeString(directory.resolve("down.csv"), "node,down_s,up_s\nn-1,10,20\n");
        // Job 1 is on both nodes; while one is down, job 2 runs on the other until 17.
        assertEquals(
                List.of("1: 0-110 1/0", "2: 10-15"),
                texts(outcome(TWO + "failures: {file: down.csv}\n", "1,q,0,100,16 2,q,1,5,8", options(false), "fifo")));
    }

    @Test
    void aNodeIsDrainedBeforeItsMaintenance() throws IOException {
        // n-0 is free from 10 and closed from 30: 3, at 35, waits for n-1 until 60. 1, which still runs there when the
        // maintenance begins in the second case, stops.
        assertEquals(
                List.of("1: 0-10", "2: 0-60", "3: 60-70"),
                texts(outcome(
                        TWO + "maintenance: [{nodes: [n-0], drain: 10s, from: 40s, to: 5m}]\n",
                        "1,q,0,10,8 2,q,0,60,8 3,q,35,10,8",
                        options(false),
                        "fifo")));
        assertEquals(
                List.of("1: 0-70 1/0", "2: 0-60"),
                texts(outcome(
                        TWO + "maintenance: [{nodes: [n-0], drain: 10s, from: 40s, to: 5m}]\n",
                        "1,q,0,50,8 2,q,0,60,8",
                        options(false),
                        "fifo")));
    }

    @Test
    void preemptionKnowsWhatIsLeftOfTheCluster() throws IOException {
        Files.writeString(directory.resolve("down.csv"), "node,down_s,up_s\nn-1,5,\n");
        // From 5 on there is one node. The shorter job 2, at 6, displaces 1 there, though 16 GPUs would do for both.
        assertEquals(
                List.of("1: 0-110 0/1", "2: 6-16"),
                texts(outcome(TWO + "failures: {file: down.csv}\n", "1,q,0,100,8 2,q,6,10,8", options(true), "srtf")));
    }

    @Test
    void aJobForWhichThereIsNoNodeAnyMoreIsLeftWaiting() throws IOException {
        Files.writeString(directory.resolve("down.csv"), "node,down_s,up_s\nn-1,5,\n");
        assertEquals(
                List.of("1: 0-10", "2: never"),
                texts(outcome(
                        TWO + "failures: [{file: down.csv}]\n", "1,q,0,10,8 2,q,1,10,16", options(false), "fifo")));
        // Nor does it end where nodes fail so often that 16 GPUs are hardly ever up at once.
        assertFalse(outcome(
                        TWO + "failures: {mtbf: 1s, mttr: 1d}\n",
                        "1,q,0,100000,16",
                        options(false).with(new Costs(0, 1e6, 0)),
                        "fifo")
                .jobs()
                .get(0)
                .isEnded());
    }

    @ParameterizedTest
    @CsvSource({"fifo, false", "srtf, true", "sjf, false"})
    void nothingRunsOnANodeThatIsDown(String policy, boolean preempts) throws IOException {
        for (long seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            StringBuilder jobs = new StringBuilder();
            for (int i = 0; i < 60; i++) {
                jobs.append(i + ",q" + random.nextInt(3) + "," + random.nextInt(2000) + "," + (1 + random.nextInt(600))
                        + "," + (1 << random.nextInt(5)) + " ");
            }
            String queues = random.nextBoolean()
                    ? ""
                    : "partitions: [{name: p, nodes: [n], queues: [{name: q0, capacity: 50%},"
                            + " {name: q1, capacity: 25%}, {name: q2, capacity: 25%}]}]\n";
            String text = "nodes: [{name: n, count: 4, gpus: 8}]\n" + queues
                    + "failures: {mtbf: 600s, mttr: 100s}\nmaintenance: {nodes: [n-2], drain: 60, from: 500, to: 700}\n";
            Workload workload = workload(text, jobs.toString());
            workload = new Workload(
                    workload.cluster().with(workload.cluster().outages().withSeed(seed)),
                    workload.jobs().stream()
                            .sorted(java.util.Comparator.comparingLong(job -> job.submitMs()))
                            .toList());
            Simulation simulation = new Simulation(workload, options(preempts));
            RunCheck check = new RunCheck(workload.cluster(), simulation.rules(policy));
            Watch watch = new Watch(policy + ", seed " + seed);
            List<JobRun> runs = simulation
                    .run(policy, ended -> {}, new TwoJournals(watch, check))
                    .jobs();
            check.finish();
            assertTrue(watch.downs > 0 && watch.failures > 0, watch.name);
            assertTrue(runs.stream().allMatch(JobRun::isEnded), watch.name);
        }
    }

    private static final class Watch implements Journal {
        private final String name;
        private final Set<String> down = new HashSet<>();
        private final Map<JobRun, Set<String>> on = new HashMap<>();
        private int downs;
        private int failures;
        private long lastMs;

        Watch(String name) {
            this.name = name;
        }

        /** All of a moment has been told once the next begins. */
        private void at(long nowMs) {
            if (nowMs > lastMs) {
                on.forEach((job, nodes) -> nodes.forEach(
                        node -> assertFalse(down.contains(node), () -> name + ": " + job + " on " + node)));
                lastMs = nowMs;
            }
        }

        @Override
        public void nodeDown(String node, long nowMs) {
            at(nowMs);
            assertTrue(down.add(node), name);
            downs++;
        }

        @Override
        public void nodeUp(String node, long nowMs) {
            at(nowMs);
            assertTrue(down.remove(node), name);
        }

        @Override
        public void started(JobRun job, long nowMs, List<TaskPlacement> tasks) {
            at(nowMs);
            assertTrue(job.nodes().stream().noneMatch(down::contains), () -> name + ": " + job + " starts at " + nowMs);
            on.put(job, Set.copyOf(job.nodes()));
        }

        @Override
        public void failed(JobRun job, long nowMs) {
            at(nowMs);
            Set<String> nodes = Objects.requireNonNull(on.remove(job));
            assertTrue(nodes.stream().anyMatch(down::contains), () -> name + ": " + job + " fails without reason");
            failures++;
        }

        @Override
        public void stopped(JobRun job, long nowMs) {
            at(nowMs);
            on.remove(job);
        }

        @Override
        public void ended(JobRun job, long nowMs) {
            at(nowMs);
            on.remove(job);
        }
    }

    @Test
    void whatIsWrongIsTold() throws IOException {
        assertEquals(
                "'failures.mtbf': is 'often', must be a time such as 90s, 15m, 4h or 30d, above 0.",
                error("failures: {mtbf: often, mttr: 1h}"));
        assertEquals(
                "'failures.mttr': is '0', must be a time such as 90s, 15m, 4h or 30d, above 0.",
                error("failures: {mtbf: 1d, mttr: 0}"));
        assertEquals("'maintenance[0].to': is '1h', must be after 'from'.", error("maintenance: [{from: 2h, to: 1h}]"));
        assertEquals(
                "'maintenance[0].nodes[0]': is 'x', must be the name of a node, of a kind of nodes, of a rack or of a"
                        + " spine.",
                error("maintenance: [{nodes: [x], from: 1h, to: 2h}]"));
        assertEquals(
                "'failures[1]': is a mapping, must be of nodes of its own; 'n-0' has its times already.",
                error("failures: [{nodes: [n-0], mtbf: 1d, mttr: 1h}, {mtbf: 1d, mttr: 1h}]"));
        Files.writeString(directory.resolve("bad.csv"), "node,down_s,up_s\nn-0,30,20\n");
        assertTrue(error("failures: {file: bad.csv}").contains("after down_s, or empty where"));
        Files.writeString(directory.resolve("bad.csv"), "node,down_s,up_s\nm,30,50\n");
        assertTrue(error("failures: {file: bad.csv}").contains("the name of a node of cluster.yaml"));
        Files.writeString(directory.resolve("bad.csv"), "");
        assertEquals(
                "'failures.file': is 'bad.csv', must be a table with the columns node,down_s,up_s; it has [].",
                error("failures: {file: bad.csv}"));
        SimulationOptions helios =
                new SimulationOptions(Compat.HELIOS, "consolidate", false, MeasuredJobs.ALL, 300_000, -1);
        Workload workload = workload(TWO + "failures: {mtbf: 1d, mttr: 1h}\n", "1,q,0,10,8");
        assertTrue(
                String.valueOf(assertThrows(InputException.class, () -> new Simulation(workload, helios).check("fifo"))
                                .getMessage())
                        .startsWith("--compat helios knows no failures"));
    }

    private String error(String yaml) throws IOException {
        Path file = Files.writeString(directory.resolve("cluster.yaml"), "treadle-cluster: 1\n" + TWO + yaml + "\n");
        return String.valueOf(assertThrows(InputException.class, () -> ClusterReader.read(file.toString()))
                        .getMessage())
                .replaceFirst(".*cluster.yaml, line \\d+, ", "");
    }
}
