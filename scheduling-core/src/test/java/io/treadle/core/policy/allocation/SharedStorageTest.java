// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.QueueView;
import io.treadle.core.cluster.SharedStorage;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.Progress;
import io.treadle.core.job.RunningTask;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.model.SensitivityMatrix;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.Plan;
import io.treadle.core.plan.PlanVerifier;
import io.treadle.core.policy.Policy;
import io.treadle.core.policy.PolicyRegistry;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a file system gives that nodes share: worked by hand, and against the most that can be given. */
class SharedStorageTest {
    private static final int NODE_GPUS = 4;
    private static final int SEEDS = 300;

    private static NodeView node(String id, long megabytesPerSecond, long othersUse) {
        return new NodeView(
                id,
                "r",
                ResourceVector.of(NODE_GPUS, 4 * NODE_GPUS, 0).withStorageMBps(megabytesPerSecond),
                ResourceVector.ZERO.withStorageMBps(othersUse),
                ResourceVector.ZERO,
                List.of(),
                true);
    }

    /** Of one task that reads so much at its full speed, and half as much at half. */
    private static JobView job(String id, long gpus, long megabytesPerSecond) {
        Optional<SensitivityMatrix> speed = Optional.of(new SensitivityMatrix(
                new long[] {1}, new long[] {0}, new double[][] {{1}}, new double[][] {{megabytesPerSecond}}));
        TaskGroup group = new TaskGroup("worker", 1, 1, ResourceVector.of(gpus, 0, 0), Set.of());
        return new JobView(id, 0, List.of(group), List.of(), speed, false, Progress.NONE, Set.of());
    }

    private static Snapshot snapshot(List<NodeView> nodes, SharedStorage shared, JobView... jobs) {
        ResourceVector all = nodes.stream().map(NodeView::capacity).reduce(ResourceVector.ZERO, ResourceVector::plus);
        return new Snapshot(0, nodes, new QueueView("root.q", all, ResourceVector.ZERO), List.of(jobs), true)
                .withSharedStorage(Optional.of(shared));
    }

    private static Policy policy(String name) {
        return PolicyRegistry.BUILT_IN.policy(name, PolicyRegistry.BUILT_IN.placement("auto"));
    }

    /** What each job's only task gets, MB/s. */
    private static List<Long> grants(String policy, Snapshot snapshot) {
        Plan plan = policy(policy).plan(snapshot);
        assertEquals(List.of(), PlanVerifier.problems(snapshot, plan));
        List<Long> grants = new ArrayList<>();
        for (JobView job : snapshot.jobs()) {
            Decision decision = plan.of(job.id()).orElseThrow();
            grants.add(
                    decision instanceof Decision.Run run
                            ? run.tasks().get(0).size().storageMBps()
                            : decision.sizes().values().iterator().next().storageMBps());
        }
        return grants;
    }

    /**
     * Two nodes of 4 GPUs and 400 MB/s, which read 500 MB/s together: 62.5 MB/s for each GPU, 250 for a job of a whole node,
     * though its node alone would give 400.
     */
    @Test
    void sharesAreByTheGpusOfAllNodes() {
        List<NodeView> nodes = List.of(node("a", 400, 0), node("b", 400, 0));
        SharedStorage shared = new SharedStorage(500, 0, 8);
        for (String policy : List.of("fifo+proportional", "fifo+synergy-tune", "fifo+synergy-balanced")) {
            // Each could use 600.
            assertEquals(
                    List.of(250L, 250L),
                    grants(policy, snapshot(nodes, shared, job("x", 4, 600), job("y", 4, 600))),
                    policy);
        }
        // 3 GPUs: 500 × 3 ÷ 8 = 187.5, rounded down.
        assertEquals(List.of(187L), grants("fifo+proportional", snapshot(nodes, shared, job("x", 3, 600))));
    }

    /** y can use 60, x has what it leaves up to what its node gives: min(400, 500 − 60). With 150, x has 350. */
    @Test
    void whatOneLeavesAnotherGets() {
        List<NodeView> nodes = List.of(node("a", 400, 0), node("b", 400, 0));
        SharedStorage shared = new SharedStorage(500, 0, 8);
        for (String policy : List.of("fifo+synergy-balanced", "fifo+synergy-opt")) {
            assertEquals(
                    List.of(400L, 60L),
                    grants(policy, snapshot(nodes, shared, job("x", 4, 600), job("y", 4, 60))),
                    policy);
            assertEquals(
                    List.of(350L, 150L),
                    grants(policy, snapshot(nodes, shared, job("x", 4, 600), job("y", 4, 150))),
                    policy);
        }
    }

    /** 100 MB/s are held for good on a, 40 elsewhere: 400 go in shares, 50 for a GPU, and 360 are to be had. */
    @Test
    void whatOthersHoldForGoodIsNotShared() {
        List<NodeView> nodes = List.of(node("a", 400, 100), node("b", 400, 0));
        SharedStorage shared = new SharedStorage(500, 40, 8);
        assertEquals(List.of(200L), grants("fifo+proportional", snapshot(nodes, shared, job("x", 4, 600))));
        assertEquals(List.of(360L), grants("fifo+synergy-balanced", snapshot(nodes, shared, job("x", 4, 600))));
    }

    /** Two of 300 MB/s do not fit into 500: the second hears why. */
    @Test
    void whoAsksForMoreThanIsLeftHearsIt() {
        List<NodeView> nodes = List.of(node("a", 400, 0), node("b", 400, 0));
        Snapshot snapshot = snapshot(nodes, new SharedStorage(500, 0, 8), asking("x", 300), asking("y", 300));
        Plan plan = policy("fifo+synergy-balanced").plan(snapshot);
        assertEquals(
                "Gang 0/1: asks for 300 MB/s, the shared file system has 200 left of 500 MB/s",
                plan.of("y").orElseThrow().reason().text());
    }

    private static JobView asking(String id, long megabytesPerSecond) {
        TaskGroup group =
                new TaskGroup("worker", 1, 1, ResourceVector.of(1, 0, 0).withStorageMBps(megabytesPerSecond), Set.of());
        return new JobView(id, 0, List.of(group), List.of(), Optional.empty(), false, Progress.NONE, Set.of());
    }

    /** x was raised to 400 while it was alone. When y comes, x goes back to what y's share of 250 leaves. */
    @Test
    void whoComesFindsItsShare() {
        List<NodeView> nodes = List.of(node("a", 400, 0), node("b", 400, 0));
        JobView alone = job("x", 4, 600);
        JobView raised = new JobView(
                "x",
                0,
                alone.groups(),
                List.of(new RunningTask(
                        "t", "worker", "a", ResourceVector.of(4, 16, 0).withStorageMBps(400), List.of())),
                alone.profile(),
                false,
                Progress.NONE,
                Set.of());
        Snapshot snapshot = snapshot(nodes, new SharedStorage(500, 0, 8), raised, job("y", 4, 600));
        assertEquals(List.of(250L, 250L), grants("fifo+synergy-balanced", snapshot));
        assertEquals(List.of(250L, 250L), grants("fifo+synergy-tune", snapshot));
    }

    /**
     * Speeds are linear here, so nothing is left that a job could use: all together get the lesser of what the file
     * system gives and the sum over nodes of the lesser of what the node gives and its jobs can use.
     */
    @ParameterizedTest
    @ValueSource(strings = {"fifo+synergy-balanced", "fifo+synergy-opt"})
    void nothingIdlesThatAJobCouldUse(String policy) {
        for (long seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            List<NodeView> nodes = new ArrayList<>();
            List<JobView> jobs = new ArrayList<>();
            long most = 0;
            for (int n = 1 + random.nextInt(4); n > 0; n--) {
                long gives = 100L + random.nextInt(900);
                nodes.add(node("n" + n, gives, 0));
                // Of a whole node: wherever the jobs go, there is one on each.
                long needs = 1L + random.nextInt(1200);
                jobs.add(job("j" + n, NODE_GPUS, needs));
                most += gives;
            }
            SharedStorage shared = new SharedStorage(8 + random.nextLong(2 * most), 0, (long) NODE_GPUS * nodes.size());
            Snapshot snapshot = snapshot(nodes, shared, jobs.toArray(new JobView[0]));
            Plan plan = policy(policy).plan(snapshot);
            assertEquals(List.of(), PlanVerifier.problems(snapshot, plan), "seed " + seed);
            long given = 0;
            long usable = 0;
            for (int j = 0; j < jobs.size(); j++) {
                Decision.Run run = (Decision.Run) plan.of(jobs.get(j).id()).orElseThrow();
                String id = run.tasks().get(0).nodeId();
                long gives = nodes.stream()
                        .filter(node -> node.id().equals(id))
                        .findFirst()
                        .orElseThrow()
                        .capacity()
                        .storageMBps();
                given += run.tasks().get(0).size().storageMBps();
                usable += Math.min(
                        gives, (long) jobs.get(j).profile().orElseThrow().storageMBps(1, 0));
            }
            assertEquals(Math.min(shared.megabytesPerSecond(), usable), given, policy + ", seed " + seed);
        }
    }
}
