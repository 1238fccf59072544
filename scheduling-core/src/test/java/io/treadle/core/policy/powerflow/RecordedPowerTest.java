// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.powerflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.PowerView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.placement.Auto;
import io.treadle.core.plan.Plan;
import io.treadle.core.policy.Policy;
import io.treadle.core.policy.PolicyRegistry;
import io.treadle.core.record.SnapshotRecord;
import io.treadle.core.wire.WireFormatException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Rounds of policies that go by power come back from a record as they were, and are planned alike. */
class RecordedPowerTest {
    @Test
    void aRoundUnderABudgetComesBackAndIsPlannedAlike() {
        Policy policy = PolicyRegistry.BUILT_IN.policy("powerflow", new Auto());
        int stops = 0;
        for (long seed = 1; seed <= 50; seed++) {
            Random random = new Random(seed);
            int nodes = 1 + random.nextInt(4);
            PowerView power = PoweredCluster.POWER
                    .withLimit(nodes * (900 + 2000 * random.nextDouble()))
                    .withJoulesLeft(1e9 * random.nextDouble())
                    .withPrice(random.nextInt(2) * 1e-4 * random.nextDouble());
            Snapshot snapshot =
                    PoweredCluster.of(nodes, power, PoweredCluster.random(random, nodes, 1 + random.nextInt(20)));
            Plan plan = policy.plan(snapshot);
            SnapshotRecord record = SnapshotRecord.of("powerflow", snapshot, plan);
            SnapshotRecord read = SnapshotRecord.fromJson("seed " + seed, record.toJson());
            assertEquals(record, read, "seed " + seed);
            assertEquals(plan, policy.plan(read.snapshot()), "seed " + seed);
            stops += (int) record.changes().values().stream()
                    .filter(SnapshotRecord.Change::stops)
                    .count();
        }
        assertTrue(stops > 10, "jobs stop or move " + stops + " times");
    }

    @Test
    void nodesThatAreOffAndLimitsThatAreNoneComeBack() {
        Snapshot snapshot = PoweredCluster.of(
                2, PoweredCluster.POWER.withAsleep(Set.of("n1")).withJobsLimit(700), List.of());
        SnapshotRecord record = new SnapshotRecord("powerflow", snapshot, Map.of());
        assertEquals(record, SnapshotRecord.fromJson("it", record.toJson()));
    }

    @Test
    void figuresThatAreMissingAreNamed() {
        Snapshot snapshot = PoweredCluster.of(
                1, PoweredCluster.POWER, List.of(PoweredCluster.job("j", PoweredCluster.scaling(1), 10)));
        String text = new SnapshotRecord("powerflow", snapshot, Map.of())
                .toJson()
                .replaceFirst("\"seconds\":\\[[0-9.]+,", "\"seconds\":[");
        WireFormatException e = assertThrows(WireFormatException.class, () -> SnapshotRecord.fromJson("round 1", text));
        assertTrue(
                String.valueOf(e.getMessage())
                        .contains("'seconds' of a recorded job has 5 figures, must be one for each of 6"),
                e.toString());
    }
}
