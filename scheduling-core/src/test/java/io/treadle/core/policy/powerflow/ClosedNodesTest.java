// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.powerflow;

import static io.treadle.core.policy.powerflow.PoweredCluster.POWER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.model.energy.Confidence;
import io.treadle.core.model.energy.EnergyProfile;
import io.treadle.core.placement.Auto;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.Plan;
import io.treadle.core.plan.PlanVerifier;
import io.treadle.core.policy.PolicyRegistry;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that take nothing new for a moment: reserved for another application, draining, or not heard of. */
class ClosedNodesTest {
    @ParameterizedTest
    @MethodSource("io.treadle.core.policy.powerflow.PowerPoliciesTest#all")
    void whatRunsOnAClosedNodeIsLeftAlone(String name) {
        int leftAlone = 0;
        for (long seed = 1; seed <= 200; seed++) {
            Random random = new Random(seed);
            int nodes = 2 + random.nextInt(6);
            Snapshot snapshot = PoweredCluster.of(
                    nodes,
                    POWER.withPrice(random.nextInt(3) * 3e-4),
                    PoweredCluster.random(random, nodes, 1 + random.nextInt(40)));
            Set<String> closed = new HashSet<>();
            for (int node = 0; node < nodes; node++) {
                if (random.nextInt(3) == 0) {
                    closed.add("n" + node);
                    snapshot = random.nextBoolean() ? snapshot.withOpen("n" + node, false) : without(snapshot, node);
                }
            }
            Plan plan = PolicyRegistry.BUILT_IN.policy(name, new Auto()).plan(snapshot);
            assertEquals(List.of(), PlanVerifier.problemsWithStops(snapshot, plan), name + ", seed " + seed);
            for (JobView job : snapshot.jobs()) {
                if (job.tasks().stream().anyMatch(task -> closed.contains(task.nodeId()))) {
                    leftAlone++;
                    Decision decision = plan.of(job.id()).orElseThrow();
                    assertInstanceOf(Decision.Resize.class, decision, name + ", seed " + seed);
                    assertEquals(Map.of(), ((Decision.Resize) decision).sizes(), name + ", seed " + seed);
                }
            }
        }
        assertTrue(leftAlone > 100, "only " + leftAlone);
    }

    /** Its label has changed: its tasks run on, and the snapshot does not have it. */
    private static Snapshot without(Snapshot snapshot, int node) {
        return snapshot.with(
                snapshot.nodes().stream()
                        .filter(view -> !view.id().equals("n" + node))
                        .toList(),
                snapshot.queue());
    }

    /** Three nodes of eight GPUs: "a" would have four, for which there is no place, and finds no other for its two. */
    @ParameterizedTest
    @ValueSource(strings = {"powerflow", "powerflow-relative", "afs", "pollux"})
    void aNodeThatClosesForAMomentStopsNobody(String name) {
        EnergyProfile seven = new EnergyProfile(
                new int[] {7}, PoweredCluster.CAPS, (n, cap) -> 1, (n, cap) -> n * cap / 2, Confidence.HIGH);
        List<JobView> jobs = List.of(
                PoweredCluster.running(PoweredCluster.job("a", PoweredCluster.scaling(8), 10_000, 2, 4), 2, 400, 0),
                PoweredCluster.running(PoweredCluster.job("b", seven, 1000, 7, 7), 7, 400, 1),
                PoweredCluster.running(PoweredCluster.job("c", seven, 1000, 7, 7), 7, 400, 2));
        Snapshot snapshot = PoweredCluster.of(3, POWER, jobs).withOpen("n0", false);
        Plan plan = PolicyRegistry.BUILT_IN.policy(name, new Auto()).plan(snapshot);
        for (JobView job : snapshot.jobs()) {
            assertInstanceOf(Decision.Resize.class, plan.of(job.id()).orElseThrow());
        }
    }
}
