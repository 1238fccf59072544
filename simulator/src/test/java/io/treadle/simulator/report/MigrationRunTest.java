// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.simulator.check.Checked;
import io.treadle.simulator.cluster.Clusters;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.engine.Compat;
import io.treadle.simulator.engine.Costs;
import io.treadle.simulator.engine.JobRun;
import io.treadle.simulator.engine.MeasuredJobs;
import io.treadle.simulator.engine.Migration;
import io.treadle.simulator.engine.MigrationJournal;
import io.treadle.simulator.engine.SimulationOptions;
import io.treadle.simulator.result.MigrationsFile;
import io.treadle.simulator.trace.TraceJob;
import io.treadle.simulator.trace.Workload;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Runs with {@code --migration on}, each held to the rules of all runs. */
class MigrationRunTest {
    private static final SimulationOptions OPTIONS =
            new SimulationOptions(Compat.NONE, "consolidate", false, MeasuredJobs.ALL, 300_000, 0);

    private record Run(List<JobRun> jobs, RunLog log, List<Migration> migrations) {}

    private static Run run(int nodes, SimulationOptions options, String policy, List<TraceJob> jobs) {
        SimCluster cluster = Clusters.ofEights(nodes);
        RunLog log = new RunLog(cluster, jobs);
        MigrationJournal moves = new MigrationJournal(cluster);
        return new Run(
                Checked.run(new Workload(cluster, jobs), options, policy, log.and(moves))
                        .jobs(),
                log,
                moves.migrations());
    }

    /**
     * Jobs of 5, 2 and 1 GPUs fill node 0, one of 5 is on node 1, one of 8 waits. When the first ends at 100 s, the two
     * small ones go to node 1, the least first, and the waiting one starts. Each move costs 8 s.
     */
    private static List<TraceJob> example() {
        return List.of(
                Logs.job("large", "q", 0, 5, 100),
                Logs.job("two", "q", 1, 2, 1000),
                Logs.job("other", "q", 2, 5, 1000),
                Logs.job("one", "q", 3, 1, 1000),
                Logs.job("whole", "q", 10, 8, 50));
    }

    @Test
    void smallJobsMakeRoomForAWaitingOneAtACost() throws IOException {
        Run run = run(2, OPTIONS.withMigration().with(new Costs(0, 0, 8)), "fifo", example());
        assertEquals(
                List.of(100_000L, 1_009_000L, 1_002_000L, 1_011_000L, 150_000L),
                run.jobs().stream().map(JobRun::endMs).toList());
        assertEquals(
                List.of(0, 1, 0, 1, 0),
                run.jobs().stream().map(JobRun::migrations).toList());
        assertEquals(16, run.jobs().get(1).lostGpuSeconds());
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        MigrationsFile.write(file, run.migrations());
        assertEquals(
                """
                seconds,jobId,gpus,fromNodes,toNodes,nodesEmptied,lostGpuSeconds,wouldEndSeconds,letStartJobId,letStartSeconds
                100,one,1,n0,n1,0,8.000,1003,whole,100
                100,two,2,n0,n1,1,16.000,1001,whole,100
                """,
                file.toString(StandardCharsets.UTF_8));
        assertEquals(
                "2 migrations: 2 let a job start earlier, 1 nodes emptied, 0.0 GPU-h lost",
                MigrationsFile.words(run.migrations()));
        ByteArrayOutputStream events = new ByteArrayOutputStream();
        EventsFile.write(events, run.log(), Slots.of(run.log()));
        String text = events.toString(StandardCharsets.UTF_8);
        assertTrue(
                text.contains(
                        "{\"seconds\":100,\"event\":\"migrate\",\"jobId\":\"two\",\"from\":{\"n0\":{\"gpus\":[5,6]}},"
                                + "\"nodes\":{\"n1\":{\"gpus\":[6,7]}}}"),
                text);
        assertTrue(!text.contains("\"stop\""), text);
        assertEquals(0, JobTimes.of(run.log()).stops(1));
        assertEquals(1, JobTimes.of(run.log()).moves(1));
    }

    @Test
    void withoutMigrationItWaitsForAWholeNodeToEnd() {
        // Node 1 is free at 1002 s, when the one of 5 ends there.
        Run run = run(2, OPTIONS, "fifo", example());
        assertEquals(
                List.of(100_000L, 1_001_000L, 1_002_000L, 1_003_000L, 1_052_000L),
                run.jobs().stream().map(JobRun::endMs).toList());
    }

    /** AnalySIM's 8 s, whatever else was asked for: it is told apart by nothing but that. */
    @Test
    void analysimsMovesCostEightSeconds() {
        SimulationOptions options =
                new SimulationOptions(Compat.ANALYSIM, "best-fit", false, MeasuredJobs.ALL, 300_000, 0);
        List<TraceJob> jobs = List.of(
                Logs.job("large", "q", 0, 5, 100), Logs.job("two", "q", 1, 2, 1000), Logs.job("six", "q", 2, 6, 1000));
        SimCluster cluster = Clusters.ofEights(2, 64);
        MigrationJournal moves = new MigrationJournal(cluster);
        List<JobRun> runs = Checked.run(new Workload(cluster, jobs), options.withMigration(), "fifo", moves)
                .jobs();
        assertEquals(1_009_000, runs.get(1).endMs());
        assertEquals(1, moves.migrations().size());
        assertEquals(16, moves.migrations().get(0).lostGpuSeconds());
    }

    /** Many jobs of 2 to 7 GPUs and some of whole nodes at a load of 90 %: fewer nodes are in use for as many GPUs. */
    @Test
    void fewerNodesAreInUsePerGpu() {
        for (long seed = 1; seed <= 5; seed++) {
            List<TraceJob> jobs = crowd(seed, 1500, 20);
            for (String policy : List.of("fifo", "sjf")) {
                Run off = run(20, OPTIONS, policy, jobs);
                Run on = run(20, OPTIONS.withMigration(), policy, jobs);
                double before = nodesPerGpu(off.log());
                double after = nodesPerGpu(on.log());
                String context = policy + ", seed " + seed + ": " + after + " nodes per GPU, " + before + " without";
                assertTrue(on.migrations().size() > 50, context);
                assertTrue(after < before, context);
            }
        }
    }

    private static double nodesPerGpu(RunLog log) {
        TimeSeries series = UsageSweep.of(log, 100);
        return Arrays.stream(series.usedNodes()).sum()
                / Arrays.stream(series.usedGpus()).sum();
    }

    private static List<TraceJob> crowd(long seed, int count, int nodes) {
        Random random = new Random(seed);
        List<TraceJob> jobs = new ArrayList<>();
        double gpuSeconds = 0;
        for (int i = 0; i < count; i++) {
            long gpus = random.nextInt(10) == 0 ? 8L * (1 + random.nextInt(2)) : 2 + random.nextInt(6);
            double seconds = 1 + Math.floor(-2000 * Math.log(1 - random.nextDouble()));
            double at = gpuSeconds / (0.9 * 8 * nodes);
            jobs.add(Logs.job("j" + i, "q", (long) at, gpus, seconds));
            gpuSeconds += gpus * seconds;
        }
        return jobs;
    }
}
