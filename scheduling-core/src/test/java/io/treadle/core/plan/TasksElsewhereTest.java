// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.QueueView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.Progress;
import io.treadle.core.job.RunningTask;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.placement.Auto;
import io.treadle.core.policy.Policy;
import io.treadle.core.policy.PolicyRegistry;
import io.treadle.core.policy.powerflow.PowerPolicies;
import io.treadle.core.policy.smd.SmdPolicies;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Jobs with tasks on nodes that are not in the snapshot, as an administrator gave these nodes another label. */
class TasksElsewhereTest {
    private static final int SEEDS = 60;
    private static final Policy HISTORY = policy("fifo+synergy-tune");

    static Stream<String> allPolicies() {
        Stream<String> ordered = PolicyRegistry.BUILT_IN.orders().stream()
                .flatMap(order -> PolicyRegistry.BUILT_IN.allocations().stream()
                        .map(allocation -> order.name() + "+" + allocation.name()));
        return Stream.of(ordered, PowerPolicies.all().keySet().stream(), SmdPolicies.all().keySet().stream())
                .flatMap(names -> names);
    }

    @ParameterizedTest
    @MethodSource("allPolicies")
    void everyPolicyLeavesTasksOnOtherNodesAsTheyAre(String name) {
        Policy policy = policy(name);
        int elsewhere = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            String where = name + ", seed " + seed;
            Snapshot snapshot = withoutSomeNodes(seed);
            Plan plan = policy.plan(snapshot);
            assertEquals(
                    List.of(),
                    PlanVerifier.violations(snapshot, plan, policy.stopsJobs()).stream()
                            .map(PlanVerifier.Violation::text)
                            .toList(),
                    where);
            Set<String> nodes = ids(snapshot);
            for (JobView job : snapshot.jobs()) {
                Decision decision = plan.of(job.id()).orElseThrow();
                for (RunningTask task : job.tasks()) {
                    if (!nodes.contains(task.nodeId())) {
                        elsewhere++;
                        ResourceVector size = decision.sizes().getOrDefault(task.id(), task.size());
                        assertEquals(task.size(), size, where);
                    }
                }
                if (isComplete(job) && job.tasks().stream().anyMatch(task -> !nodes.contains(task.nodeId()))) {
                    assertFalse(decision instanceof Decision.Stop || decision instanceof Decision.Move, where);
                    assertFalse(decision instanceof Decision.Wait, where);
                }
            }
        }
        assertTrue(elsewhere > SEEDS, "only " + elsewhere + " tasks were elsewhere");
    }

    /** They hold nothing of what this queue may have on these nodes: all other jobs are decided as if they were gone. */
    @ParameterizedTest
    @MethodSource("fixedOrders")
    void jobsThatRunElsewhereChangeNothingForTheOthers(String name) {
        Policy policy = policy(name);
        int compared = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            Snapshot snapshot = withoutSomeNodes(seed);
            Set<String> nodes = ids(snapshot);
            List<JobView> here = snapshot.jobs().stream()
                    .filter(job -> !job.running()
                            || !isComplete(job)
                            || job.tasks().stream().anyMatch(task -> nodes.contains(task.nodeId())))
                    .toList();
            if (here.size() == snapshot.jobs().size()) {
                continue;
            }
            Plan with = policy.plan(snapshot);
            Plan without = policy.plan(snapshot.at(snapshot.nowMs(), here));
            for (JobView job : here) {
                Decision decision = with.of(job.id()).orElseThrow();
                Decision expected = without.of(job.id()).orElseThrow();
                String where = name + ", seed " + seed + ", " + job.id();
                assertEquals(expected.getClass(), decision.getClass(), where);
                assertEquals(expected.sizes(), decision.sizes(), where);
                if (decision instanceof Decision.Run run) {
                    assertEquals(((Decision.Run) expected).tasks(), run.tasks(), where);
                }
                compared++;
            }
        }
        assertTrue(compared > SEEDS / 4, "only " + compared);
    }

    static Stream<String> fixedOrders() {
        return PolicyRegistry.BUILT_IN.allocations().stream().map(allocation -> "fifo+" + allocation.name());
    }

    /** The queue may hold four GPUs. A job holds four on another node: the next one starts with four here. */
    @Test
    void tasksElsewhereDoNotCountAgainstTheQueue() {
        ResourceVector size = ResourceVector.of(2, 8, 8192);
        JobView runs = gang("runs")
                .withTasks(List.of(
                        new RunningTask("t0", "w", "there", size, List.of()),
                        new RunningTask("t1", "w", "there", size, List.of())));
        Snapshot snapshot = new Snapshot(
                1000,
                List.of(node("n0"), node("n1")),
                new QueueView("root.q", size.times(2), ResourceVector.ZERO),
                List.of(runs, gang("waits")),
                true);
        for (String name : allPolicies().toList()) {
            PlanRepair.Result checked = PlanRepair.repair(snapshot, policy(name).plan(snapshot), true);
            assertEquals(List.of(), checked.broken(), name);
            assertEquals(Map.of(), checked.dropped(), name);
            assertInstanceOf(
                    Decision.Run.class, checked.plan().of("waits").orElseThrow(), () -> name + ": " + checked.plan());
        }
    }

    private static NodeView node(String id) {
        return new NodeView(
                id, "r", ResourceVector.of(2, 8, 8192), ResourceVector.ZERO, ResourceVector.ZERO, List.of(), true);
    }

    private static JobView gang(String id) {
        return new JobView(
                id,
                0,
                List.of(new TaskGroup("w", 2, 2, ResourceVector.of(2, 1, 256), Set.of())),
                List.of(),
                Optional.empty(),
                false,
                new Progress(0, 0, 0, 0),
                Set.of());
    }

    private static boolean isComplete(JobView job) {
        return job.groups().stream().allMatch(group -> job.missing(group) == 0);
    }

    private static Policy policy(String name) {
        return PolicyRegistry.BUILT_IN.policy(name, new Auto());
    }

    private static Set<String> ids(Snapshot snapshot) {
        Set<String> ids = new HashSet<>();
        snapshot.nodes().forEach(node -> ids.add(node.id()));
        return ids;
    }

    /** A cluster some rounds old from which some of its nodes were taken. */
    private static Snapshot withoutSomeNodes(long seed) {
        RandomClusters cluster = new RandomClusters(seed);
        Random random = new Random(seed);
        for (int round = 1 + random.nextInt(3); round > 0; round--) {
            cluster.next(HISTORY.plan(cluster.snapshot()));
        }
        Snapshot snapshot = cluster.snapshot();
        List<NodeView> left = new ArrayList<>(snapshot.nodes());
        left.removeIf(node -> random.nextInt(2) == 0);
        return snapshot.with(left, snapshot.queue());
    }
}
