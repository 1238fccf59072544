// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.result;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.model.SensitivityMatrix;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.check.Checked;
import io.treadle.simulator.cluster.Clusters;
import io.treadle.simulator.cluster.Partition;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.engine.Compat;
import io.treadle.simulator.engine.Costs;
import io.treadle.simulator.engine.Journal;
import io.treadle.simulator.engine.MeasuredJobs;
import io.treadle.simulator.engine.SimulationOptions;
import io.treadle.simulator.trace.Attributes;
import io.treadle.simulator.trace.TraceJob;
import io.treadle.simulator.trace.Work;
import io.treadle.simulator.trace.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JobGoalsTest {
    private static final long NEVER = Long.MAX_VALUE;

    private static TraceJob job(String id, long submitSeconds, long gpus, double seconds, long deadlineSeconds) {
        return new TraceJob(
                        id,
                        "",
                        submitSeconds * 1000,
                        List.of(new TaskGroup("worker", 1, 1, ResourceVector.of(gpus, 0, 0), Set.of())),
                        Work.ofSeconds(seconds),
                        Optional.empty(),
                        OptionalDouble.empty())
                .with(new Attributes(
                        0,
                        deadlineSeconds < 0 ? OptionalLong.empty() : OptionalLong.of(deadlineSeconds * 1000),
                        Optional.empty()));
    }

    private static Summary run(List<TraceJob> jobs, boolean preempts, Costs costs, String policy) {
        return run(Clusters.ofEights(1), jobs, preempts, costs, policy);
    }

    private static Summary run(SimCluster cluster, List<TraceJob> jobs, boolean preempts, Costs costs, String policy) {
        SimulationOptions options =
                new SimulationOptions(Compat.NONE, "first-fit", preempts, MeasuredJobs.ALL, 300_000, -1).with(costs);
        return Summary.of(Checked.run(new Workload(cluster, jobs), options, policy, Journal.NONE), 1);
    }

    private static double of(@Nullable Double value) {
        return Objects.requireNonNull(value);
    }

    /**
     * 8 GPUs. {@code a} takes 8 for 100 s, {@code b} 8 for 100 s after it, {@code c} one for 100 s after that: they all
     * come at 0 s and end at 100, 200 and 300 s.
     * While a is there, so are all three: alone on a third of 8 GPUs it would take 3 × 100 s, ρ = 100 / 300.
     * While b is there, 3 for 100 s, then 2 for 100 s: N = 2.5, alone 250 s, ρ = 200 / 250.
     * c needs less than its part: N = 2, alone 100 s on 1 of its 4 GPUs, ρ = 300 / 100.
     */
    @Test
    void fairnessByHand() {
        List<TraceJob> jobs = List.of(job("a", 0, 8, 100, -1), job("b", 0, 8, 100, -1), job("c", 0, 1, 100, -1));
        JobGoals goals = new JobGoals(Clusters.ofEights(1), jobs, new long[] {100_000, 200_000, 300_000}, 300_000);
        assertEquals(1.0 / 3, goals.fairness(0).orElseThrow(), 1e-12);
        assertEquals(0.8, goals.fairness(1).orElseThrow(), 1e-12);
        assertEquals(3, goals.fairness(2).orElseThrow(), 1e-12);
        Summary summary = run(jobs, false, Costs.NONE, "fifo");
        assertEquals((1.0 / 3 + 0.8 + 3) / 3, of(summary.avgFinishTimeFairness()), 1e-12);
        assertEquals(3, of(summary.maxFinishTimeFairness()), 1e-12);
    }

    /** The jobs there, counted at every ms. */
    @Test
    void meanCrowdIsThatByCounting() {
        for (long seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            int jobs = 1 + random.nextInt(12);
            long[] comings = random.longs(jobs, 0, 40).toArray();
            long[] goings = comings.clone();
            for (int i = 0; i < jobs; i++) {
                goings[i] += random.nextInt(30);
            }
            Crowd crowd = new Crowd(comings, goings);
            for (int i = 0; i < jobs; i++) {
                double there = 0;
                for (long ms = comings[i]; ms < goings[i]; ms++) {
                    for (int j = 0; j < jobs; j++) {
                        there += comings[j] <= ms && ms < goings[j] ? 1 : 0;
                    }
                }
                if (goings[i] > comings[i]) {
                    assertEquals(
                            there / (goings[i] - comings[i]), crowd.mean(comings[i], goings[i]), 1e-9, "seed " + seed);
                } else {
                    assertTrue(crowd.mean(comings[i], goings[i]) >= 1, "seed " + seed);
                }
            }
        }
    }

    /** a ends in time, b late, c is late though it has not ended, of d nobody knows, e has no deadline. */
    @Test
    void deadlines() {
        List<TraceJob> jobs = new ArrayList<>(List.of(
                job("a", 0, 1, 100, 100),
                job("b", 10, 1, 100, 99),
                job("c", 20, 1, 900, 50),
                job("d", 30, 1, 900, 500)));
        jobs.add(job("e", 40, 1, 10, -1));
        JobGoals goals =
                new JobGoals(Clusters.ofEights(1), jobs, new long[] {100_000, 110_000, NEVER, NEVER, 50_000}, 200_000);
        for (int job = 0; job < 5; job++) {
            assertEquals(job <= 2, goals.hasDeadline(job), "job " + job);
            assertEquals(job == 1 || job == 2, goals.isMissed(job), "job " + job);
        }
        assertEquals(1, goals.deadlineUse(0).orElseThrow());
        assertEquals(100.0 / 99, goals.deadlineUse(1).orElseThrow());
        assertFalse(goals.deadlineUse(2).isPresent());
        // On one node of 8 GPUs all start at once: of four with a deadline only a meets it.
        assertEquals(0.75, of(run(jobs, false, Costs.NONE, "fifo").deadlineMisses()));
    }

    /**
     * One node of 8 GPUs. long runs from 0 s, is stopped at 50 s for short of 40 s, and has kept nothing: at 90 s it starts
     * again with 300 + 10 s to do, to 400 s. Held 8 × 400 GPU-seconds, of which 8 × 340 came to something.
     */
    @Test
    void whatIsLostIsNotEffective() {
        List<TraceJob> jobs = List.of(job("long", 0, 8, 300, -1), job("short", 50, 8, 40, -1));
        Summary summary = run(jobs, true, new Costs(10, 100, 0), "srtf");
        assertEquals(8 * 60, summary.lostGpuSeconds(), 1e-9);
        assertEquals(1, summary.gpuUtilization(), 1e-12);
        assertEquals(340.0 / 400, of(summary.effectiveGpuUtilization()), 1e-12);
    }

    /** With the one core that the node has it is half as fast as it could be, all the time. */
    @Test
    void slowerThanItCouldBeIsNotEffective() {
        SensitivityMatrix twice = SensitivityMatrix.overVcores(new long[] {1, 2}, new double[] {1, 2});
        ResourceVector node = ResourceVector.of(8, 1, 0);
        SimCluster cluster = new SimCluster(
                "test",
                List.of(new Partition(
                        "",
                        List.of(new NodeView(
                                "n0", "", node, ResourceVector.ZERO, ResourceVector.ZERO, List.of(), true)))),
                SimCluster.Sharing.NOTHING);
        TraceJob slow = new TraceJob(
                "slow",
                "",
                0,
                List.of(new TaskGroup("worker", 1, 1, node, Set.of())),
                Work.ofSeconds(100),
                Optional.of(twice),
                OptionalDouble.empty());
        Summary summary = run(cluster, List.of(slow), false, Costs.NONE, "fifo");
        assertEquals(1, summary.gpuUtilization(), 1e-12);
        assertEquals(0.5, of(summary.effectiveGpuUtilization()), 1e-12);
    }
}
