// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.queues;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.budget.EnergyBudget;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.model.energy.Confidence;
import io.treadle.core.model.energy.EnergyProfile;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.cluster.Partition;
import io.treadle.simulator.cluster.SharedQueue;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.energy.ClusterPower;
import io.treadle.simulator.energy.EnergyRules;
import io.treadle.simulator.energy.QueueBudget;
import io.treadle.simulator.engine.Compat;
import io.treadle.simulator.engine.Costs;
import io.treadle.simulator.engine.JobRun;
import io.treadle.simulator.engine.MeasuredJobs;
import io.treadle.simulator.engine.Outcome;
import io.treadle.simulator.engine.Simulation;
import io.treadle.simulator.engine.SimulationOptions;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.trace.TraceJob;
import io.treadle.simulator.trace.Training;
import io.treadle.simulator.trace.Work;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queues with budgets on nodes of 8 GPUs of 400 W, of 450 W themselves; an idle GPU draws 55 W. */
class QueuePowerTest {
    /** 1 s on one GPU, 0.5 s on two and so on, a quarter longer under the lower cap; a GPU draws half its cap. */
    private static final EnergyProfile LINEAR = new EnergyProfile(
            new int[] {1, 2, 4, 8},
            new double[] {200, 400},
            (n, cap) -> 1.0 / n * (cap == 200 ? 1.25 : 1),
            (n, cap) -> n * cap / 2,
            Confidence.HIGH);

    private static final SharedQueue TWO =
            Shares.queue("root", 1, 1, Shares.queue("root.a", 0.5, 0.5), Shares.queue("root.b", 0.5, 0.5));
    private static final SharedQueue LENDING =
            Shares.queue("root", 1, 1, Shares.queue("root.a", 0.5, 1), Shares.queue("root.b", 0.5, 1));

    private static TraceJob job(String id, String queue, long submitMs, int gpus, double seconds) {
        double iteration = LINEAR.seconds(LINEAR.sizeOf(gpus), 1);
        return new TraceJob(
                        id,
                        queue,
                        submitMs,
                        List.of(new TaskGroup("worker", gpus, gpus, ResourceVector.of(1, 0, 0), Set.of())),
                        new Work(seconds / iteration, iteration),
                        Optional.empty(),
                        OptionalDouble.empty())
                .training(new Training("linear", seconds / iteration, iteration, Optional.of(LINEAR)));
    }

    private static Outcome run(
            SharedQueue root,
            int nodes,
            String policy,
            EnergyBudget budget,
            Map<String, String> budgets,
            TraceJob... jobs) {
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
        Set<String> takes = root.leaves().map(SharedQueue::path).collect(Collectors.toSet());
        SimCluster cluster = new SimCluster(
                        "test",
                        List.of(new Partition("all", all, takes, Optional.of(root))),
                        SimCluster.Sharing.NOTHING)
                .with(ClusterPower.A100);
        Map<String, QueueBudget> parsed = new HashMap<>();
        budgets.forEach((queue, text) -> parsed.put(queue, QueueBudget.parse(text)));
        SimulationOptions options = new SimulationOptions(Compat.NONE, "auto", false, MeasuredJobs.ALL, 300_000, -1)
                .with(new Costs(30, 0, 30))
                .with(new EnergyRules(budget, Optional.empty(), parsed, Optional.empty()));
        return new Simulation(cluster, List.of(jobs), options).run(policy, ended -> {});
    }

    private static Outcome.QueueDrawn drawn(Outcome outcome, String queue) {
        return outcome.drawn().orElseThrow().queues().stream()
                .filter(drawn -> drawn.queue().equals(queue))
                .findFirst()
                .orElseThrow();
    }

    /**
     * Each has four GPUs' 400 s of work and may hold four. a may draw what they draw; b 100 W, which is one GPU under the
     * lower cap: 1600 s of one GPU's work, a quarter longer.
     */
    @Test
    void oneQueueIsStarvedOfWatts() {
        Outcome outcome = run(
                TWO,
                1,
                "powerflow",
                EnergyBudget.NONE,
                Map.of("a", "800", "root.b", "100W"),
                job("j1", "root.a", 0, 4, 400),
                job("j2", "root.b", 0, 4, 400));
        assertEquals(400_000, outcome.jobs().get(0).endMs());
        assertEquals(2_000_000, outcome.jobs().get(1).endMs());
        Outcome.QueueDrawn a = drawn(outcome, "root.a");
        Outcome.QueueDrawn b = drawn(outcome, "root.b");
        assertEquals(Optional.of(800.0), a.budgetWatts());
        assertEquals(800, a.mostWatts(), 1e-9);
        assertEquals(320_000, a.joules(), 1e-6);
        assertEquals(100, b.mostWatts(), 1e-9);
        assertEquals(200_000, b.joules(), 1e-6);
        assertEquals(100, b.meanWatts(), 1e-9);
        assertEquals(160, a.meanWatts(), 1e-9);
    }

    /** A share is of the budget above: a quarter of 400 W is one GPU under the lower cap. */
    @Test
    void aShareIsOfTheBudgetAbove() {
        Outcome outcome = run(
                TWO,
                1,
                "powerflow",
                EnergyBudget.NONE,
                Map.of("root", "400", "b", "25%"),
                job("j1", "root.b", 0, 4, 400));
        assertEquals(Optional.of(100.0), drawn(outcome, "root.b").budgetWatts());
        assertEquals(2_000_000, outcome.jobs().get(0).endMs());
    }

    /** The second queue gets its part of what they share at once, though the first had it all. */
    @Test
    void queuesUnderOneBudgetComeDownToTheirParts() {
        Outcome outcome = run(
                TWO,
                1,
                "powerflow",
                EnergyBudget.NONE,
                Map.of("root", "400"),
                job("j1", "root.a", 0, 4, 4000),
                job("j2", "root.b", 100_000, 4, 40));
        assertEquals(100_000, outcome.jobs().get(1).firstStartMs());
        assertTrue(drawn(outcome, "root.a").mostWatts() > 200, outcome.drawn().toString());
        assertTrue(drawn(outcome, "root.b").mostWatts() <= 200, outcome.drawn().toString());
    }

    /** Two cannot run at once, and an equal part would let none: one after the other does. */
    @Test
    void jobsThatNeedMoreThanTheirPartRunOneAfterTheOther() {
        Outcome outcome = run(
                TWO,
                1,
                "powerflow",
                EnergyBudget.NONE,
                Map.of("root", "150"),
                job("j1", "root.a", 0, 4, 40),
                job("j2", "root.b", 0, 4, 40));
        assertEquals(200_000, outcome.jobs().get(0).endMs());
        assertEquals(400_000, outcome.jobs().get(1).endMs());
    }

    @Test
    void policiesThatDoNotLookAtBudgetsDraw() {
        Outcome outcome = run(TWO, 1, "fifo", EnergyBudget.NONE, Map.of("a", "100"), job("j1", "root.a", 0, 4, 400));
        assertEquals(400_000, outcome.jobs().get(0).endMs());
        assertEquals(800, drawn(outcome, "root.a").mostWatts(), 1e-9);
    }

    @Test
    void withoutBudgetsNoQueueIsFollowed() {
        Outcome outcome = run(LENDING, 1, "powerflow", EnergyBudget.NONE, Map.of(), job("j1", "root.a", 0, 4, 400));
        assertEquals(200_000, outcome.jobs().get(0).endMs(), "all eight GPUs, as nobody else wants any");
        assertEquals(List.of(), outcome.drawn().orElseThrow().queues());
    }

    @Test
    void jobsThatCouldNeverRunAreNamed() {
        String told = assertThrows(
                        InputException.class,
                        () -> run(
                                TWO,
                                1,
                                "powerflow",
                                EnergyBudget.NONE,
                                Map.of("a", "99"),
                                job("j1", "root.a", 0, 4, 400)))
                .getMessage();
        assertTrue(
                String.valueOf(told)
                        .startsWith(
                                "--budget is 'none', and queues have power budgets of their own: 1 jobs would wait"),
                String.valueOf(told));
    }

    @ParameterizedTest
    @ValueSource(strings = {"powerflow", "powerflow-relative"})
    void noQueueDrawsMoreThanItsBudget(String policy) {
        for (long seed = 1; seed <= 40; seed++) {
            Random random = new Random(seed);
            SharedQueue root = Shares.random(random);
            Map<String, String> budgets = new HashMap<>();
            budget(root, random, budgets);
            boolean all = random.nextBoolean();
            double share = 0.5 + 0.4 * random.nextDouble();
            Outcome outcome = run(
                    root,
                    2,
                    policy,
                    all ? EnergyBudget.ofShare(share) : EnergyBudget.NONE,
                    budgets,
                    jobs(random, root));
            String what = policy + ", seed " + seed + ": " + budgets + " " + outcome.drawn();
            for (Outcome.QueueDrawn queue : outcome.drawn().orElseThrow().queues()) {
                assertTrue(
                        queue.mostWatts() <= queue.budgetWatts().orElse(Double.MAX_VALUE) * (1 + 1e-9),
                        queue + ", " + what);
            }
            assertTrue(!all || outcome.drawn().orElseThrow().mostWatts() <= 1.02 * share * (2 * 450 + 16 * 400), what);
            assertTrue(outcome.jobs().stream().allMatch(JobRun::isEnded), what);
        }
    }

    /** No less than one GPU under the lower cap for each queue that takes jobs. */
    private static void budget(SharedQueue queue, Random random, Map<String, String> budgets) {
        if (random.nextInt(3) > 0) {
            long least = 100 * queue.leaves().count();
            budgets.put(queue.path(), Long.toString(least + random.nextInt(1200)));
        }
        queue.children().forEach(child -> budget(child, random, budgets));
    }

    private static TraceJob[] jobs(Random random, SharedQueue root) {
        ResourceVector all = ResourceVector.of(16, 0, 0);
        List<SharedQueue> queues =
                root.leaves().filter(queue -> queue.most(all).gpus() > 0).toList();
        TraceJob[] jobs = new TraceJob[30];
        long submitMs = 0;
        for (int i = 0; i < jobs.length; i++) {
            submitMs += random.nextInt(120_000);
            SharedQueue queue = queues.get(random.nextInt(queues.size()));
            int most = (int) Math.min(8, queue.most(all).gpus());
            int gpus = Math.min(Integer.highestOneBit(most), 1 << random.nextInt(4));
            jobs[i] = job("j" + i, queue.path(), submitMs, gpus, 30 + random.nextInt(1500));
        }
        return jobs;
    }
}
