// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.budget.EnergyBudget;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.model.energy.Confidence;
import io.treadle.core.model.energy.EnergyProfile;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.cluster.Partition;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.energy.ClusterPower;
import io.treadle.simulator.energy.EnergyRules;
import io.treadle.simulator.energy.PowerOff;
import io.treadle.simulator.trace.TraceJob;
import io.treadle.simulator.trace.Training;
import io.treadle.simulator.trace.Work;
import io.treadle.simulator.trace.WorkedJobs;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes of 8 GPUs of 400 W, of 450 W themselves; an idle GPU draws 55 W. */
class EnergyTest {
    /** 1 s on one GPU, 0.5 s on two and so on, whatever the cap; a GPU draws half its cap. */
    private static final EnergyProfile LINEAR = new EnergyProfile(
            new int[] {1, 2, 4, 8},
            new double[] {200, 400},
            (n, cap) -> 1.0 / n * (cap == 200 ? 1.25 : 1),
            (n, cap) -> n * cap / 2,
            Confidence.HIGH);

    private static SimCluster cluster(int nodes) {
        List<NodeView> all = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            all.add(new NodeView(
                    "n" + i,
                    "r",
                    ResourceVector.of(8, 0, 0),
                    ResourceVector.ZERO,
                    ResourceVector.ZERO,
                    List.of(),
                    true));
        }
        return new SimCluster("test", List.of(new Partition("", all)), SimCluster.Sharing.NOTHING)
                .with(ClusterPower.A100);
    }

    private static TraceJob job(String id, long submitMs, int gpus, double seconds) {
        double iteration = LINEAR.seconds(LINEAR.sizeOf(gpus), 1);
        return WorkedJobs.job(
                        id,
                        submitMs,
                        List.of(new TaskGroup("worker", gpus, gpus, ResourceVector.of(1, 0, 0), Set.of())),
                        new Work(seconds / iteration, iteration))
                .training(new Training("linear", seconds / iteration, iteration, Optional.of(LINEAR)));
    }

    private static Outcome run(int nodes, String policy, EnergyBudget budget, TraceJob... jobs) {
        SimulationOptions options = new SimulationOptions(Compat.NONE, "auto", false, MeasuredJobs.ALL, 300_000, -1)
                .with(new Costs(30, 0, 30))
                .with(EnergyRules.of(budget));
        return new Simulation(cluster(nodes), List.of(jobs), options).run(policy, ended -> {});
    }

    @Test
    void aJobAlone() {
        Outcome outcome = run(2, "fifo", EnergyBudget.NONE, job("a", 0, 4, 100));
        assertEquals(100_000, outcome.jobs().get(0).endMs());
        // Two nodes, twelve idle GPUs, four of 200 W.
        assertEquals(
                100 * (2 * 450 + 12 * 55 + 4 * 200),
                outcome.drawn().orElseThrow().joules(),
                1e-6);
        // Its GPUs, and half a node.
        assertEquals(100 * (4 * 200 + 225), outcome.jobs().get(0).joules(), 1e-6);
    }

    /** There is no minute to take the mean of: it is that of the run. */
    @Test
    void theMostOfARunOfSeconds() {
        Outcome outcome = run(2, "fifo", EnergyBudget.NONE, job("a", 0, 4, 20));
        assertEquals(2 * 450 + 12 * 55 + 4 * 200, outcome.drawn().orElseThrow().mostWatts(), 1e-9);
    }

    @Test
    void zeusCapsAndThatTakesLonger() {
        Outcome outcome = run(1, "fifo+zeus-1", EnergyBudget.NONE, job("a", 0, 4, 100));
        assertEquals(125_000, outcome.jobs().get(0).endMs());
        assertEquals(
                125 * (450 + 4 * 55 + 4 * 100), outcome.drawn().orElseThrow().joules(), 1e-6);
    }

    @Test
    void whoeverChoosesGpusGivesAllOfThem() {
        Outcome outcome = run(1, "powerflow", EnergyBudget.NONE, job("a", 0, 4, 100));
        assertEquals(50_000, outcome.jobs().get(0).endMs());
        assertEquals(50 * (450 + 8 * 200), outcome.drawn().orElseThrow().joules(), 1e-6);
        assertEquals(4, outcome.jobs().get(0).askedGpus());
    }

    @Test
    void anotherNumberOfGpusCostsHalfAMinute() {
        // b comes when a has done 100 of 400 s of one GPU's work in 12.5 s: both go on with four.
        Outcome outcome = run(1, "powerflow", EnergyBudget.NONE, job("a", 0, 1, 4000), job("b", 12_500, 1, 400));
        JobRun a = outcome.jobs().get(0);
        JobRun b = outcome.jobs().get(1);
        assertEquals(12_500 + 100_000, b.endMs());
        // a: 100 s of work, 30 s nothing, 70 s on four: 380 s; then 30 s nothing and the rest on eight.
        assertEquals(112_500 + 30_000 + Math.round((4000 - 380) / 8.0 * 1000), a.endMs());
        assertEquals(2, a.migrations());
        double idle = 30 * 4 * 55 + 30 * 8 * 55;
        double training = 200 * (4000 + 400);
        double node = 450 * a.endMs() / 1000.0;
        assertEquals(idle + training + node, outcome.drawn().orElseThrow().joules(), 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"powerflow", "powerflow-relative"})
    void neverMoreThanTheBudget(String policy) {
        for (long seed = 1; seed <= 20; seed++) {
            Random random = new Random(seed);
            TraceJob[] jobs = new TraceJob[40];
            long submitMs = 0;
            for (int i = 0; i < jobs.length; i++) {
                submitMs += random.nextInt(120_000);
                jobs[i] = job("j" + i, submitMs, 1 << random.nextInt(4), 30 + random.nextInt(2000));
            }
            double share = 0.4 + 0.5 * random.nextDouble();
            Outcome outcome = run(2, policy, EnergyBudget.ofShare(share), jobs);
            double limit = share * (2 * 450 + 16 * 400);
            assertTrue(
                    outcome.drawn().orElseThrow().mostWatts() <= 1.02 * limit,
                    "seed " + seed + ": " + outcome.drawn() + " of " + limit);
            assertTrue(outcome.jobs().stream().allMatch(JobRun::isEnded), "seed " + seed);
        }
    }

    /** Two nodes; the second is off when the second job comes, and starts in two minutes. */
    @Test
    void nodesThatNobodyUsesAreOff() {
        SimulationOptions options = new SimulationOptions(Compat.NONE, "auto", false, MeasuredJobs.ALL, 300_000, -1)
                .with(new Costs(30, 0, 30))
                .with(EnergyRules.NONE.with(new PowerOff(300, 120, 0, 15)));
        Outcome outcome = new Simulation(
                        cluster(2), List.of(job("a", 0, 8, 2000), job("b", 1_000_000, 8, 100)), options)
                .run("fifo+zeus-0", ended -> {});
        assertEquals(2_000_000, outcome.jobs().get(0).endMs());
        assertEquals(1_220_000, outcome.jobs().get(1).endMs());
        // Off from 300 to 1,000 s and from 1,520 s on; idle before that, and while it starts.
        double idle = (300 + 120 + 300) * (450 + 8 * 55);
        double off = (700 + 480) * 15;
        double busy = 100 * (450 + 8 * 200) + 2000 * (450 + 8 * 200);
        assertEquals(idle + off + busy, outcome.drawn().orElseThrow().joules(), 1);
    }

    @Test
    void aSpareNodeStaysOn() {
        SimulationOptions options = new SimulationOptions(Compat.NONE, "auto", false, MeasuredJobs.ALL, 300_000, -1)
                .with(EnergyRules.NONE.with(new PowerOff(300, 120, 1, 15)));
        Outcome outcome = new Simulation(
                        cluster(3), List.of(job("a", 0, 8, 2000), job("b", 1_000_000, 8, 100)), options)
                .run("fifo+zeus-0", ended -> {});
        assertEquals(1_100_000, outcome.jobs().get(1).endMs());
        // The third node is off from 300 s to 1,000 s, where it takes the second's place, and one of both from 1,420 s
        // on.
        double nodes = 450 * 3 * 2000 - (450 - 15) * (700 + 600);
        double gpus = 2000 * 8 * 200 + 100 * 8 * 200 + (16 * 2000 - 800 - 8 * (700 + 600)) * 55;
        assertEquals(nodes + gpus, outcome.drawn().orElseThrow().joules(), 1);
    }

    /** What jobs are told to have drawn, and what nobody did, is all that was drawn. */
    @Test
    void joulesOfJobsAndOfNobodyAreAll() {
        for (String policy : List.of("powerflow", "tiresias+zeus", "elastic+zeus", "pollux", "gandiva", "srtf")) {
            Random random = new Random(7);
            TraceJob[] jobs = new TraceJob[30];
            long submitMs = 0;
            for (int i = 0; i < jobs.length; i++) {
                submitMs += random.nextInt(120_000);
                jobs[i] = job("j" + i, submitMs, 1 << random.nextInt(4), 30 + random.nextInt(2000));
            }
            Outcome outcome = run(2, policy, EnergyBudget.NONE, jobs);
            double seconds = outcome.spanSeconds();
            double held = outcome.gpuUtilization() * 16 * seconds;
            double idle = (16 * seconds - held) * (55 + 450 / 8.0);
            double ofJobs = outcome.jobs().stream().mapToDouble(JobRun::joules).sum();
            assertEquals(outcome.drawn().orElseThrow().joules(), ofJobs + idle, 1, policy);
        }
    }
}
