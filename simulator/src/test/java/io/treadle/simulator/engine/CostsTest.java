// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.job.TaskGroup;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.cluster.Clusters;
import io.treadle.simulator.trace.TraceJob;
import io.treadle.simulator.trace.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What stops cost, on nodes of 8 GPUs under srtf, which stops a job for a shorter one. */
class CostsTest {
    private static final Costs COSTS = new Costs(60, 100, 60);

    /**
     * a works from 0 to 350 and falls back to its checkpoint at 300; b runs to 450. a then has 700 s to do, and 60 to
     * start.
     */
    @Test
    void fallsBackToTheLastCheckpointAndStartsAgain() {
        List<JobRun> jobs = run(1, COSTS, List.of(job("a", 0, 1000, 8), job("b", 350, 100, 8)));
        assertEquals(450 + 60 + 700, seconds(jobs.get(0)));
        assertEquals((50 + 60) * 8, jobs.get(0).lostGpuSeconds());
        assertEquals(450, seconds(jobs.get(1)));
        assertEquals(0, jobs.get(1).lostGpuSeconds());
    }

    /** As before, but c comes when a has spent 20 s of its 60 on starting again: they are lost, and no more. */
    @Test
    void aStopWhileItStartsLosesWhatWasSpentOnThat() {
        List<JobRun> jobs = run(1, COSTS, List.of(job("a", 0, 1000, 8), job("b", 350, 100, 8), job("c", 470, 10, 8)));
        assertEquals(480 + 60 + 700, seconds(jobs.get(0)));
        assertEquals((50 + 20 + 60) * 8, jobs.get(0).lostGpuSeconds());
    }

    /** a has started again at 510 and its next checkpoint is at 610; c comes at 640, when a has 570 s left. */
    @Test
    void checkpointsCountFromWhereTheLastRunLeftOff() {
        List<JobRun> jobs = run(1, COSTS, List.of(job("a", 0, 1000, 8), job("b", 350, 100, 8), job("c", 640, 10, 8)));
        assertEquals(650 + 60 + 600, seconds(jobs.get(0)));
        assertEquals((50 + 60 + 30 + 60) * 8, jobs.get(0).lostGpuSeconds());
    }

    @Test
    void withoutCheckpointsNothingButTheStartIsLost() {
        List<JobRun> jobs = run(1, new Costs(60, 0, 60), List.of(job("a", 0, 1000, 8), job("b", 350, 100, 8)));
        assertEquals(450 + 60 + 650, seconds(jobs.get(0)));
        assertEquals(60 * 8, jobs.get(0).lostGpuSeconds());
    }

    /** At 800 a has 200 s left, and a stop costs 60 to start and, on average, half of the 100 between checkpoints. */
    @ParameterizedTest
    @CsvSource({"89, true", "91, false"})
    void aJobIsNotStoppedForOneThatSavesLessThanThat(double seconds, boolean stopped) {
        List<JobRun> jobs = run(1, COSTS, List.of(job("a", 0, 1000, 8), job("b", 800, seconds, 8)));
        assertEquals(stopped ? 1 : 0, jobs.get(0).preemptions());
    }

    /** Two jobs on one node end, together, as early as they can: whichever of the two orders is better. */
    @Test
    void twoJobsAreServedInTheBetterOrder() {
        int stops = 0;
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            long restart = random.nextInt(100);
            long first = 100L + random.nextInt(300);
            long came = 1L + random.nextInt(90);
            long second = 1L + random.nextInt(300);
            List<JobRun> jobs =
                    run(1, new Costs(restart, 0, 0), List.of(job("a", 0, first, 8), job("b", came, second, 8)));
            long stayed = first + first + second;
            long madeWay = came + second + second + first + restart;
            assertEquals(Math.min(stayed, madeWay), seconds(jobs.get(0)) + seconds(jobs.get(1)), "seed " + seed);
            stops += jobs.get(0).preemptions();
        }
        int total = stops;
        assertTrue(total > 50 && total < 250, () -> "no choice to make: " + total);
    }

    /**
     * All the time in which a job runs is its work or lost, and a stop loses no more than a checkpoint's time and a
     * start.
     */
    @Test
    void runningTimeIsWorkAndLoss() {
        int stops = 0;
        for (long seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            Costs costs = new Costs(random.nextInt(3) * 20, random.nextInt(3) * 50, 0);
            List<TraceJob> list = new ArrayList<>();
            long submit = 0;
            for (int i = 0; i < 60; i++) {
                submit += random.nextInt(120);
                list.add(job("j" + i, submit, 1 + random.nextInt(1000), 1 << random.nextInt(5)));
            }
            for (JobRun job : run(3, costs, list)) {
                String context = "seed " + seed + ", " + job;
                double held = (job.endMs() - job.job().submitMs() - job.waitedMs()) / 1000.0 * job.gpus();
                double work = job.job().work().seconds() * job.gpus();
                assertEquals(work + job.lostGpuSeconds(), held, 1e-3, context);
                double most = job.preemptions() * job.gpus() * (costs.restartSeconds() + costs.checkpointSeconds());
                assertTrue(job.lostGpuSeconds() <= most + 1e-6, context);
                stops += job.preemptions();
            }
        }
        int total = stops;
        assertTrue(total > 1000, () -> "hardly any stops: " + total);
    }

    private static TraceJob job(String id, long submit, double seconds, long gpus) {
        long tasks = (gpus + 7) / 8;
        return new TraceJob(
                id,
                "",
                submit * 1000,
                List.of(new TaskGroup(
                        "worker", (int) tasks, (int) tasks, ResourceVector.of(gpus / tasks, 0, 0), Set.of())),
                Work.ofSeconds(seconds),
                Optional.empty(),
                OptionalDouble.empty());
    }

    private static long seconds(JobRun job) {
        return job.endMs() / 1000;
    }

    private static List<JobRun> run(int nodes, Costs costs, List<TraceJob> jobs) {
        SimulationOptions options =
                new SimulationOptions(Compat.NONE, "consolidate", true, MeasuredJobs.ALL, 300_000, -1).with(costs);
        return new Simulation(Clusters.ofEights(nodes), jobs, options)
                .run("srtf", ended -> {})
                .jobs();
    }
}
