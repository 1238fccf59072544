// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.Crossing;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.Overheads;
import io.treadle.core.cluster.QueueView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.Progress;
import io.treadle.core.job.RunningTask;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.model.SensitivityMatrix;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.Plan;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.policy.Policy;
import io.treadle.core.policy.PolicyRegistry;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SynergyBalancedTest {
    private static final long MINUTE = 60_000;
    private static final ResourceVector LARGE = ResourceVector.of(1000, 100_000, 1 << 30);
    private static final SensitivityMatrix INSENSITIVE =
            SensitivityMatrix.overVcores(new long[] {1}, new double[] {100});
    private static final SensitivityMatrix HUNGRY = linear(9);

    private static final Policy POLICY =
            PolicyRegistry.BUILT_IN.policy("fifo+synergy-balanced", PolicyRegistry.BUILT_IN.placement("auto"));

    /** As fast as it has cores, up to {@code most}. */
    private static SensitivityMatrix linear(int most) {
        return SensitivityMatrix.overVcores(
                IntStream.rangeClosed(1, most).asLongStream().toArray(),
                IntStream.rangeClosed(1, most).asDoubleStream().toArray());
    }

    /**
     * Four GPUs and 12 cores, three for each GPU. Two jobs that need one core leave four cores beyond the shares of the
     * other two. One of these gains 1 for each core, the other 2 up to five cores: it gets two cores of the four, which is
     * all that it can use, and the first the other two.
     */
    @Test
    void whatIsLeftGoesWhereItHelpsMost() {
        SensitivityMatrix steep = SensitivityMatrix.overVcores(new long[] {3, 5}, new double[] {3, 7});
        Plan plan = POLICY.plan(snapshot(
                0,
                List.of(node("n1", 4, 12)),
                job("a", 0, INSENSITIVE),
                job("b", 1, INSENSITIVE),
                job("c", 2, HUNGRY),
                job("d", 3, steep)));
        assertEquals(
                List.of(1L, 1L, 5L, 5L),
                List.of(cores(plan, "a"), cores(plan, "b"), cores(plan, "c"), cores(plan, "d")));
    }

    /** What still rises at the last size that was measured could use more than there is: it gets what there is. */
    @Test
    void aJobThatCouldUseMoreThanTheQueueMayHoldGetsWhatIsIdle() {
        QueueView queue = new QueueView("root.q", ResourceVector.of(4, 12, 1 << 20), ResourceVector.ZERO);
        List<NodeView> nodes = List.of(node("n1", 4, 12), node("n2", 4, 12));
        JobView a = job("a", 0, linear(40));
        Plan plan = POLICY.plan(new Snapshot(0, nodes, queue, List.of(a), false));
        assertEquals(12, cores(plan, "a"));
        Plan two = POLICY.plan(new Snapshot(0, nodes, queue, List.of(a, job("b", 1, linear(40))), false));
        assertEquals(12, cores(two, "a") + cores(two, "b"), two.toString());
        assertTrue(cores(two, "a") >= 3 && cores(two, "b") >= 3, two.toString());
    }

    /**
     * Of 8 cores on one node each of two tasks gets 4, on two nodes the 6 that it can use: half as fast again, which is
     * worth a network that costs a fifth, and not one that costs more than half.
     */
    @ParameterizedTest
    @CsvSource({"6, 0, 2", "6, 0.2, 2", "6, 0.6, 1", "4, 0, 1"})
    void aGangIsSpreadWhereItIsFasterSo(int useful, double penalty, long nodes) {
        Snapshot snapshot = snapshot(
                        0, List.of(node("n1", 4, 8), node("n2", 4, 8)), view("gang", 0, 2, List.of(), linear(useful)))
                .with(new Overheads(new Crossing(0, penalty), 0, 0));
        Decision.Run run = (Decision.Run) POLICY.plan(snapshot).of("gang").orElseThrow();
        assertEquals(
                nodes,
                run.tasks().stream().map(TaskPlacement::nodeId).distinct().count());
        assertEquals(
                List.of(nodes == 1 ? 4L : 6L, nodes == 1 ? 4L : 6L),
                run.tasks().stream().map(task -> task.size().vcores()).toList());
    }

    /** As there, but the queue may hold no more than the shares, 2 for each: it would pay for the network for nothing. */
    @Test
    void aGangIsNotSpreadForWhatItMayNotHave() {
        QueueView queue = new QueueView("root.q", ResourceVector.of(8, 4, 1 << 20), ResourceVector.ZERO);
        Snapshot snapshot = new Snapshot(
                0,
                List.of(node("n1", 4, 8), node("n2", 4, 8)),
                queue,
                List.of(view("gang", 0, 2, List.of(), linear(6))),
                false);
        Decision.Run run = (Decision.Run) POLICY.plan(snapshot).of("gang").orElseThrow();
        assertEquals(
                1, run.tasks().stream().map(TaskPlacement::nodeId).distinct().count());
    }

    /** Over three nodes no task has more than a node has for one; with 4 cores for 2 tasks each node is full. */
    @Test
    void aGangThatNoNodeTakesGrowsWhereItIs() {
        List<NodeView> nodes = List.of(node("n1", 2, 8), node("n2", 2, 8), node("n3", 2, 8));
        Plan plan = POLICY.plan(snapshot(0, nodes, view("gang", 0, 4, List.of(), linear(40))));
        Decision.Run run = (Decision.Run) plan.of("gang").orElseThrow();
        assertEquals(4, run.tasks().size());
        run.tasks().forEach(task -> assertEquals(4, task.size().vcores(), plan.toString()));
    }

    /** A job that needs one core goes where cores are few, and leaves the node with many to one that needs them. */
    @Test
    void nodesKeepTheirProportion() {
        Plan plan = POLICY.plan(snapshot(
                0,
                List.of(node("n1", 2, 6), node("n2", 2, 6)),
                running("holds1", "n1", 1, INSENSITIVE),
                running("holds5", "n2", 5, linear(5)),
                job("small", 1, INSENSITIVE),
                job("hungry", 2, linear(5))));
        assertEquals("n2", start(plan, "small").nodeId());
        assertEquals("n1", start(plan, "hungry").nodeId());
        assertEquals(5, cores(plan, "hungry"));
    }

    /** One GPU is free on a node without cores to spare: of jobs that came together the one that needs none goes first. */
    @Test
    void aJobGoesBeforeOneThatCameJustBeforeWhereItFitsBetter() {
        for (long later : List.of(NearLine.NEAR_MS, NearLine.NEAR_MS + 1)) {
            Plan plan = POLICY.plan(snapshot(
                    20 * MINUTE,
                    List.of(node("n1", 2, 6)),
                    running("holds5", "n1", 5, linear(5)),
                    job("hungry", MINUTE, HUNGRY),
                    job("small", MINUTE + later, INSENSITIVE)));
            boolean isNear = later == NearLine.NEAR_MS;
            String when = "came " + later + " ms later";
            assertEquals(isNear, plan.of("small").orElseThrow() instanceof Decision.Run, when);
            assertEquals(!isNear, plan.of("hungry").orElseThrow() instanceof Decision.Run, when);
        }
    }

    /** Two GPUs are free: a hungry gang of two that came first starts on them, though a smaller job would fit better. */
    @Test
    void aSmallerJobDoesNotBreakTheNodeOfAGang() {
        JobView gang = view("gang", 0, 2, List.of(), HUNGRY);
        Plan plan = POLICY.plan(snapshot(
                MINUTE,
                List.of(node("n1", 3, 9)),
                running("holds5", "n1", 5, linear(5)),
                gang,
                job("small", MINUTE, INSENSITIVE)));
        assertEquals(2, ((Decision.Run) plan.of("gang").orElseThrow()).tasks().size());
        assertTrue(plan.of("small").orElseThrow() instanceof Decision.Wait);
    }

    /**
     * Shares are four cores, a ninth is left: one has it and is a quarter faster for it. The other would be faster by 1.05
     * ÷ 4.05, which is 4 % more, or by 1.2 ÷ 4.2, which is 14 % more than a quarter.
     */
    @Test
    void sizesDoNotFlap() {
        for (double gain : new double[] {1.05, 1.2}) {
            SensitivityMatrix slope = SensitivityMatrix.overVcores(new long[] {3, 6}, new double[] {3, 3 + 3 * gain});
            Plan plan = POLICY.plan(snapshot(
                    0,
                    List.of(node("n1", 2, 9)),
                    running("has", "n1", 5, linear(6)),
                    running("wants", "n1", 4, slope)));
            boolean flips = gain == 1.2;
            assertEquals(flips ? 4 : 5, coresAfter(plan, "has", 5), "a gain of " + gain);
            assertEquals(flips ? 5 : 4, coresAfter(plan, "wants", 4), "a gain of " + gain);
        }
    }

    /** Nine vcores on two GPUs, shares of four: the last goes to one, which is faster by 5 ÷ 4 for it. */
    @Test
    void aJobIsToldWhoGotWhatItCouldUse() {
        Plan plan = POLICY.plan(snapshot(
                0,
                List.of(node("n1", 2, 9)),
                running("winner", "n1", 4, linear(5)),
                running("loser", "n1", 4, SensitivityMatrix.overVcores(new long[] {4, 9}, new double[] {4, 5}))));
        assertEquals(
                "has its GPU-proportional share, 1 GPU, 4 vcores, 1 MiB for each task: 1 went to job winner, which is"
                        + " 1.3 times as fast for it",
                plan.of("loser").orElseThrow().reason().text());
    }

    /** Against every way to hand out cores to the jobs of one node. */
    @Test
    void isNearTheBestThatThereIs() {
        double worst = 1;
        double sum = 0;
        int seeds = 400;
        for (long seed = 0; seed < seeds; seed++) {
            Random random = new Random(seed);
            int count = 2 + random.nextInt(3);
            int each = 2 + random.nextInt(3);
            List<SensitivityMatrix> profiles = new ArrayList<>();
            List<JobView> jobs = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                profiles.add(random(random));
                jobs.add(job("j" + i, i, profiles.get(i)));
            }
            int cores = count * each;
            Plan plan = POLICY.plan(snapshot(0, List.of(node("n", count, cores)), jobs.toArray(JobView[]::new)));
            double ours = 0;
            long used = 0;
            for (int i = 0; i < count; i++) {
                long got = cores(plan, "j" + i);
                used += got;
                double relative = profiles.get(i).at(got, 0) / profiles.get(i).at(each, 0);
                assertTrue(relative >= 1, "seed " + seed + ": job " + i + " is slower than at its share");
                ours += relative;
            }
            assertTrue(used <= cores, "seed " + seed);
            double best = Exhaustive.best(profiles, each, cores);
            worst = Math.min(worst, ours / best);
            sum += ours / best;
        }
        double least = worst;
        double mean = sum / seeds;
        assertTrue(mean > .99, () -> "on average " + mean + " of the best");
        assertTrue(least > .85, () -> "at worst " + least + " of the best");
    }

    /** Rising speed at a few sizes, concave or not. */
    private static SensitivityMatrix random(Random random) {
        List<Long> points = new ArrayList<>();
        List<Double> speeds = new ArrayList<>();
        double speed = .5;
        for (long c = 1; c <= 12; c++) {
            speed += random.nextInt(3) == 0 ? 0 : random.nextDouble();
            if (c <= 2 || random.nextInt(3) > 0) {
                points.add(c);
                speeds.add(speed);
            }
        }
        return SensitivityMatrix.overVcores(
                points.stream().mapToLong(Long::longValue).toArray(),
                speeds.stream().mapToDouble(Double::doubleValue).toArray());
    }

    private static Snapshot snapshot(long nowMs, List<NodeView> nodes, JobView... jobs) {
        return new Snapshot(nowMs, nodes, new QueueView("root.q", LARGE, ResourceVector.ZERO), List.of(jobs), false);
    }

    private static NodeView node(String id, int gpus, int cores) {
        return new NodeView(
                id,
                "rack",
                ResourceVector.of(gpus, cores, 1 << 20),
                ResourceVector.ZERO,
                ResourceVector.ZERO,
                List.of(),
                true);
    }

    private static JobView job(String id, long submitMs, SensitivityMatrix profile) {
        return view(id, submitMs, List.of(), profile);
    }

    private static JobView running(String id, String node, long cores, SensitivityMatrix profile) {
        RunningTask task = new RunningTask(id + "#0", "worker", node, ResourceVector.of(1, cores, 1), List.of());
        return view(id, 0, List.of(task), profile);
    }

    private static JobView view(String id, long submitMs, List<RunningTask> tasks, SensitivityMatrix profile) {
        return view(id, submitMs, 1, tasks, profile);
    }

    private static JobView view(
            String id, long submitMs, int workers, List<RunningTask> tasks, SensitivityMatrix profile) {
        return new JobView(
                id,
                submitMs,
                List.of(new TaskGroup("worker", workers, workers, ResourceVector.of(1, 1, 1), Set.of())),
                tasks,
                Optional.of(profile),
                false,
                Progress.NONE,
                Set.of());
    }

    private static TaskPlacement start(Plan plan, String job) {
        return ((Decision.Run) plan.of(job).orElseThrow()).tasks().get(0);
    }

    private static long cores(Plan plan, String job) {
        return start(plan, job).size().vcores();
    }

    private static long coresAfter(Plan plan, String job, long before) {
        return plan.of(job).orElseThrow() instanceof Decision.Resize resize
                ? resize.sizes().values().stream()
                        .mapToLong(ResourceVector::vcores)
                        .findFirst()
                        .orElse(before)
                : before;
    }
}
