// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.powerflow;

import static io.treadle.core.policy.powerflow.PoweredCluster.POWER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.PowerView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.Progress;
import io.treadle.core.job.RunningTask;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.model.energy.Confidence;
import io.treadle.core.model.energy.EnergyProfile;
import io.treadle.core.placement.Auto;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.Plan;
import io.treadle.core.plan.PlanVerifier;
import io.treadle.core.policy.Policy;
import io.treadle.core.policy.PolicyRegistry;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PowerPoliciesTest {
    /** Names of policies that choose GPUs, caps or both. */
    static Stream<String> all() {
        return Stream.of(
                "powerflow",
                "powerflow-relative",
                "fifo+zeus",
                "tiresias+zeus",
                "elastic+zeus",
                "gandiva",
                "pollux",
                "afs",
                "tiresias+zeus-0.35");
    }

    private static Policy policy(String name) {
        return PolicyRegistry.BUILT_IN.policy(name, new Auto());
    }

    private static Plan plan(String policy, Snapshot snapshot) {
        Plan plan = policy(policy).plan(snapshot);
        assertEquals(List.of(), PlanVerifier.problemsWithStops(snapshot, plan), policy);
        return plan;
    }

    /** GPUs of each job under the plan, in the snapshot's order. */
    private static List<Integer> gpus(Plan plan, Snapshot snapshot) {
        List<Integer> gpus = new ArrayList<>();
        for (JobView job : snapshot.jobs()) {
            Decision decision = plan.of(job.id()).orElseThrow();
            gpus.add(
                    decision instanceof Decision.Run run
                            ? run.tasks().size()
                            : decision instanceof Decision.Move move
                                    ? move.tasks().size()
                                    : decision instanceof Decision.Resize
                                            ? job.tasks().size()
                                            : 0);
        }
        return gpus;
    }

    /** What all nodes draw under the plan by the jobs' own profiles, W. */
    private static double draw(Plan plan, Snapshot snapshot) {
        double watts = snapshot.nodes().size() * POWER.nodeWatts()
                + snapshot.capacity().gpus() * POWER.idleGpuWatts();
        for (JobView job : snapshot.jobs()) {
            Decision decision = plan.of(job.id()).orElseThrow();
            EnergyProfile energy = job.energy().orElseThrow();
            int count = gpus(plan, snapshot).get(snapshot.jobs().indexOf(job));
            if (count > 0) {
                double cap = decision instanceof Decision.Run run
                        ? run.tasks().get(0).size().watts()
                        : decision instanceof Decision.Move move
                                ? move.tasks().get(0).size().watts()
                                : decision.sizes().values().iterator().next().watts();
                watts += energy.watts(energy.sizeOf(count), energy.capOf(cap)) - count * POWER.idleGpuWatts();
            }
        }
        return watts;
    }

    @ParameterizedTest
    @MethodSource("all")
    void everyPlanKeepsTheRules(String name) {
        for (long seed = 1; seed <= 200; seed++) {
            Random random = new Random(seed);
            int nodes = 1 + random.nextInt(8);
            PowerView power = POWER.withPrice(random.nextInt(3) * 3e-4)
                    .withLimit(
                            random.nextBoolean() ? Double.POSITIVE_INFINITY : 890 * nodes + 4000 * random.nextDouble());
            Snapshot snapshot =
                    PoweredCluster.of(nodes, power, PoweredCluster.random(random, nodes, 1 + random.nextInt(40)));
            Plan plan = policy(name).plan(snapshot);
            assertEquals(List.of(), PlanVerifier.problemsWithStops(snapshot, plan), name + ", seed " + seed);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"powerflow", "powerflow-relative"})
    void noPlanDrawsMoreThanTheLimit(String name) {
        for (long seed = 1; seed <= 200; seed++) {
            Random random = new Random(seed);
            int nodes = 1 + random.nextInt(8);
            double limit = nodes * (890 + 2800 * random.nextDouble());
            Snapshot snapshot = PoweredCluster.of(
                    nodes, POWER.withLimit(limit), PoweredCluster.random(random, nodes, 1 + random.nextInt(40)));
            double draw = draw(plan(name, snapshot), snapshot);
            assertTrue(draw <= limit * (1 + 1e-9), name + ", seed " + seed + ": " + draw + " W of " + limit);
        }
    }

    @Test
    void aloneAJobGrowsAsLongAsThatMakesItFaster() {
        Snapshot snapshot =
                PoweredCluster.of(8, POWER, List.of(PoweredCluster.job("a", PoweredCluster.scaling(64), 10_000)));
        // 0.2 s / n + 0.02 s for each doubling: 8 GPUs take 0.085 s, 16 take 0.0925 s.
        assertEquals(List.of(8), gpus(plan("powerflow", snapshot), snapshot));
    }

    @ParameterizedTest
    @ValueSource(strings = {"powerflow", "powerflow-relative", "pollux", "afs", "elastic+zeus"})
    void twinsGetTheSame(String name) {
        EnergyProfile energy = PoweredCluster.scaling(64);
        Snapshot snapshot = PoweredCluster.of(
                1, POWER, List.of(PoweredCluster.job("a", energy, 10_000), PoweredCluster.job("b", energy, 10_000)));
        assertEquals(List.of(4, 4), gpus(plan(name, snapshot), snapshot));
    }

    @ParameterizedTest
    @ValueSource(strings = {"powerflow", "powerflow-relative"})
    void howLongAJobIsDoesNotMatterOnceAllRun(String name) {
        EnergyProfile energy = PoweredCluster.scaling(64);
        Snapshot snapshot = PoweredCluster.of(
                2,
                POWER.withPrice(1e-4),
                List.of(PoweredCluster.job("a", energy, 100_000), PoweredCluster.job("b", energy, 10_000)));
        List<Integer> gpus = gpus(plan(name, snapshot), snapshot);
        assertEquals(gpus.get(0), gpus.get(1));
    }

    @Test
    void theDearerEnergyTheLessIsDrawn() {
        for (long seed = 1; seed <= 50; seed++) {
            Random random = new Random(seed);
            List<JobView> jobs = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                jobs.add(PoweredCluster.job("j" + i, PoweredCluster.profile(random, 8), 1000));
            }
            double last = Double.POSITIVE_INFINITY;
            for (double price : new double[] {0, 1e-4, 1e-3, 1e-2, 1}) {
                Snapshot snapshot = PoweredCluster.of(8, POWER.withPrice(price), jobs);
                double draw = draw(plan("powerflow", snapshot), snapshot);
                assertTrue(draw <= last + 1e-6, "seed " + seed + " at " + price + " s/J: " + draw + " W after " + last);
                last = draw;
            }
        }
    }

    @Test
    void whatIsLeftOfTheEnergyIsKeptTo() {
        EnergyProfile energy = PoweredCluster.scaling(8);
        List<JobView> jobs = List.of(PoweredCluster.job("a", energy, 10_000), PoweredCluster.job("b", energy, 10_000));
        Snapshot free = PoweredCluster.of(2, POWER, jobs);
        double needed = needed(plan("powerflow", free), free);
        Snapshot kept = PoweredCluster.of(2, POWER.withJoulesLeft(0.9 * needed), jobs);
        assertTrue(needed(plan("powerflow", kept), kept) <= 0.9 * needed);
    }

    /** Until both have ended, with their share of the node, J. */
    private static double needed(Plan plan, Snapshot snapshot) {
        double joules = 0;
        for (JobView job : snapshot.jobs()) {
            Decision.Run run =
                    assertInstanceOf(Decision.Run.class, plan.of(job.id()).orElseThrow());
            EnergyProfile energy = job.energy().orElseThrow();
            int size = energy.sizeOf(run.tasks().size());
            int cap = energy.capOf(run.tasks().get(0).size().watts());
            double seconds = 10_000 * energy.seconds(size, cap) / energy.seconds(0, energy.caps() - 1);
            joules += seconds * (energy.watts(size, cap) + run.tasks().size() * POWER.nodeWatts() / 8);
        }
        return joules;
    }

    @Test
    void belowTheIdleDrawNothingRuns() {
        JobView job = PoweredCluster.job("a", PoweredCluster.scaling(8), 100);
        Snapshot snapshot = PoweredCluster.of(2, POWER.withLimit(1), List.of(PoweredCluster.running(job, 8, 400, 0)));
        for (String name : List.of("powerflow", "powerflow-relative")) {
            assertInstanceOf(Decision.Stop.class, plan(name, snapshot).of("a").orElseThrow());
        }
    }

    @Test
    void aBudgetThatShrinksIsMetByCapsThenByGpusThenByStops() {
        EnergyProfile energy = PoweredCluster.scaling(8);
        List<JobView> jobs = List.of(
                PoweredCluster.running(PoweredCluster.job("a", energy, 10_000), 8, 400, 0),
                PoweredCluster.running(PoweredCluster.job("b", energy, 10_000), 8, 400, 1));
        List<List<Integer>> gpus = new ArrayList<>();
        for (double limit : new double[] {10_000, 6200, 4200, 1950, 1000}) {
            Snapshot snapshot = PoweredCluster.of(2, POWER.withLimit(limit), jobs);
            gpus.add(gpus(plan("powerflow", snapshot), snapshot));
        }
        assertEquals(List.of(8, 8), gpus.get(0));
        assertEquals(List.of(8, 8), gpus.get(1));
        int last = 16;
        for (List<Integer> at : gpus) {
            int all = at.stream().mapToInt(Integer::intValue).sum();
            assertTrue(all <= last, gpus.toString());
            last = all;
        }
        assertEquals(List.of(0, 0), gpus.get(4));
    }

    @Test
    void whatNobodyIsSureOfDoesNotGrow() {
        EnergyProfile sure = PoweredCluster.scaling(8);
        EnergyProfile unsure = new EnergyProfile(
                new int[] {1, 2, 4, 8},
                PoweredCluster.CAPS,
                (n, cap) -> sure.seconds(sure.sizeOf(n), sure.capOf(cap)),
                (n, cap) -> sure.watts(sure.sizeOf(n), sure.capOf(cap)),
                Confidence.LOW);
        JobView job = PoweredCluster.job("a", unsure, 10_000);
        Snapshot waiting = PoweredCluster.of(1, POWER, List.of(job));
        assertEquals(List.of(1), gpus(plan("powerflow", waiting), waiting));
        Snapshot running = PoweredCluster.of(1, POWER, List.of(PoweredCluster.running(job, 4, 400, 0)));
        assertEquals(List.of(4), gpus(plan("powerflow", running), running));
    }

    @Test
    void whoRunsKeepsItsGpusWhereAChangeDoesNotPay() {
        // Twice the GPUs would end it 1 s sooner, a change costs 30 s.
        JobView job = PoweredCluster.job("a", PoweredCluster.scaling(8), 3);
        Snapshot snapshot = PoweredCluster.of(1, POWER, List.of(PoweredCluster.running(job, 2, 400, 0)));
        Decision decision = plan("powerflow", snapshot).of("a").orElseThrow();
        assertInstanceOf(Decision.Resize.class, decision);
        assertEquals(List.of(), plan("powerflow", snapshot).changes(snapshot));
    }

    /** The limit leaves 1,000 W beside three idle nodes; a node that is off gives its 890 W to who runs. */
    @Test
    void whatANodeThatIsOffDoesNotDrawIsThereForOthers() {
        List<JobView> jobs = List.of(PoweredCluster.job("a", PoweredCluster.scaling(8), 10_000));
        PowerView power = POWER.withLimit(3 * 890 + 1000);
        Snapshot on = PoweredCluster.of(3, power, jobs);
        Snapshot off = PoweredCluster.of(3, power.withAsleep(Set.of("n0", "n2")), jobs)
                .withOpen("n0", false)
                .withOpen("n2", false);
        Decision.Run capped = (Decision.Run) plan("powerflow", on).of("a").orElseThrow();
        Decision.Run free = (Decision.Run) plan("powerflow", off).of("a").orElseThrow();
        assertTrue(watts(capped) < watts(free), capped + " and " + free);
        assertTrue(free.tasks().stream().allMatch(task -> task.nodeId().equals("n1")), free.toString());
    }

    private static long watts(Decision.Run run) {
        return run.tasks().stream().mapToLong(task -> task.size().watts()).sum();
    }

    /** Three GPUs of each job on nodes of eight: four for another are nowhere together, and no job has room elsewhere. */
    @Test
    void nobodyMakesWayInVain() {
        EnergyProfile three = new EnergyProfile(
                new int[] {3}, PoweredCluster.CAPS, (n, cap) -> 1, (n, cap) -> n * cap / 2, Confidence.HIGH);
        List<JobView> jobs = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            jobs.add(PoweredCluster.running(PoweredCluster.job("r" + i, three, 1000, 3, 3), 3, 400, i / 2));
        }
        jobs.add(PoweredCluster.job("last", PoweredCluster.scaling(8), 5000, 4, 4));
        Snapshot snapshot = PoweredCluster.of(2, POWER, jobs);
        for (String name : List.of("fifo+zeus", "powerflow", "powerflow-relative", "afs")) {
            assertEquals(List.of(3, 3, 3, 3, 0), gpus(plan(name, snapshot), snapshot), name);
        }
    }

    @Test
    void smallerJobsMoveAwayWhereThereIsRoom() {
        EnergyProfile energy = PoweredCluster.scaling(8);
        List<JobView> jobs = List.of(
                PoweredCluster.running(PoweredCluster.job("a", energy, 1000, 2, 2), 2, 400, 0),
                PoweredCluster.running(PoweredCluster.job("b", energy, 1000, 4, 4), 4, 400, 1),
                PoweredCluster.job("c", energy, 1000, 8, 8));
        Snapshot snapshot = PoweredCluster.of(2, POWER, jobs);
        Plan plan = plan("fifo+zeus-0", snapshot);
        assertEquals(List.of(2, 4, 8), gpus(plan, snapshot));
        assertInstanceOf(Decision.Move.class, plan.of("a").orElseThrow());
        assertInstanceOf(Decision.Resize.class, plan.of("b").orElseThrow());
    }

    @Test
    void oneThatTakesTooMuchDoesNotHoldUpTheRest() {
        List<JobView> jobs = new ArrayList<>();
        jobs.add(PoweredCluster.job("big", PoweredCluster.scaling(16), 1, 16, 16));
        for (int i = 0; i < 4; i++) {
            jobs.add(PoweredCluster.job("small" + i, PoweredCluster.scaling(1), 10_000));
        }
        Snapshot snapshot = PoweredCluster.of(3, POWER.withLimit(3 * 890 + 900), jobs);
        for (String name : List.of("powerflow", "powerflow-relative")) {
            assertEquals(List.of(0, 1, 1, 1, 1), gpus(plan(name, snapshot), snapshot), name);
        }
    }

    @Test
    void jobsWithoutGpusAndThoseThatLostATask() {
        TaskGroup worker = new TaskGroup("worker", 2, 2, ResourceVector.of(1, 4, 1024), Set.of());
        TaskGroup server = new TaskGroup("ps", 1, 1, ResourceVector.of(0, 1, 1024), Set.of());
        JobView cpu = view("cpu", List.of(server), List.of(task("cpu", server, 0)));
        JobView lost = view("lost", List.of(worker, server), List.of(task("lost", worker, 0), task("lost", worker, 1)));
        Snapshot snapshot = PoweredCluster.of(2, POWER.withLimit(2 * 890 + 700), List.of(cpu, lost));
        Plan plan = plan("powerflow", snapshot);
        assertInstanceOf(Decision.Resize.class, plan.of("cpu").orElseThrow());
        Decision.Move move =
                assertInstanceOf(Decision.Move.class, plan.of("lost").orElseThrow());
        assertEquals(3, move.tasks().size());
    }

    private static JobView view(String id, List<TaskGroup> groups, List<RunningTask> tasks) {
        return new JobView(id, 0, groups, tasks, Optional.empty(), false, Progress.NONE, Set.of());
    }

    private static RunningTask task(String job, TaskGroup group, int index) {
        return new RunningTask(job + "#" + index, group.name(), "n0", group.ask(), List.of());
    }

    @Test
    void fifoIsHeldUpByTheFirstThatDoesNotFit() {
        EnergyProfile energy = PoweredCluster.scaling(16);
        List<JobView> jobs = List.of(
                PoweredCluster.job("a", energy, 100, 4, 4),
                PoweredCluster.job("b", energy, 100, 8, 8),
                PoweredCluster.job("c", energy, 100, 1, 1));
        Snapshot snapshot = PoweredCluster.of(1, POWER, jobs);
        assertEquals(List.of(4, 0, 0), gpus(plan("fifo+zeus", snapshot), snapshot));
        assertEquals(List.of(4, 0, 1), gpus(plan("tiresias+zeus", snapshot), snapshot));
    }

    @Test
    void zeusTakesTheCapOfLeastCost() {
        for (long seed = 1; seed <= 100; seed++) {
            EnergyProfile energy = PoweredCluster.profile(new Random(seed), 8);
            Snapshot snapshot = PoweredCluster.of(1, POWER, List.of(PoweredCluster.job("a", energy, 100, 4, 4)));
            for (double weight : new double[] {0, 0.5, 1}) {
                Map<Double, Double> costs = new HashMap<>();
                for (int cap = 0; cap < energy.caps(); cap++) {
                    costs.put(
                            energy.capWatts(cap),
                            energy.seconds(2, cap) * (weight * energy.watts(2, cap) + (1 - weight) * 4 * 400));
                }
                Decision.Run run = (Decision.Run)
                        plan("fifo+zeus-" + weight, snapshot).of("a").orElseThrow();
                double least =
                        costs.values().stream().mapToDouble(cost -> cost).min().orElseThrow();
                assertEquals(
                        least,
                        costs.getOrDefault((double) run.tasks().get(0).size().watts(), Double.NaN),
                        1e-12,
                        "seed " + seed + ", weight " + weight);
            }
        }
    }

    @Test
    void namesAndWeightsThatThereAreNot() {
        assertThrows(IllegalArgumentException.class, () -> policy("srtf+zeus"));
        assertThrows(IllegalArgumentException.class, () -> policy("tiresias+zeus-1.5"));
        assertThrows(IllegalArgumentException.class, () -> policy("nobody+zeus-0.5"));
    }

    @Test
    void afsGivesTheNextGpuAsPublished() {
        // a: 100 s left, b: 200 s. With a GPU each, doubling brings a (1/0.12 - 1/0.2) x 0.2 = 0.667 of its speed, b
        // 0.4 of
        // its later speed: a is first. Then b at 1: 0.4 against a at 2: (1/0.09 - 1/0.12) x 0.12 = 0.33 for two GPUs.
        EnergyProfile energy = PoweredCluster.scaling(8);
        List<JobView> jobs = List.of(PoweredCluster.job("a", energy, 100), PoweredCluster.job("b", energy, 200));
        Situation three = new Situation(
                jobs.stream().map(job -> Candidate.of(job, POWER, 0)).toList(), 3, 8, POWER, 0, Pinned.NONE, 30, 0);
        assertEquals(
                List.of(1, 0),
                new Afs().choose(three).stream().map(Choice::size).toList());
        Situation four = new Situation(three.jobs(), 4, 8, POWER, 0, Pinned.NONE, 30, 0);
        assertEquals(
                List.of(1, 1), new Afs().choose(four).stream().map(Choice::size).toList());
    }
}
