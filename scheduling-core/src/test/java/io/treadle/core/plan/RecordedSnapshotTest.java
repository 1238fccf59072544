// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.policy.Policy;
import io.treadle.core.policy.PolicyRegistry;
import io.treadle.core.policy.Session;
import io.treadle.core.record.SnapshotRecord;
import io.treadle.core.wire.WireFormatException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecordedSnapshotTest {
    private static final int SEEDS = 50;
    private static final int ROUNDS = 4;

    @Test
    void aSnapshotComesBackAsItWasAndIsPlannedAlike() {
        Policy policy =
                PolicyRegistry.BUILT_IN.policy("srtf+synergy-balanced", PolicyRegistry.BUILT_IN.placement("auto"));
        int changes = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            RandomClusters cluster = new RandomClusters(seed);
            for (int round = 0; round < ROUNDS; round++) {
                Snapshot snapshot = cluster.snapshot();
                Plan plan = policy.plan(snapshot);
                SnapshotRecord record = SnapshotRecord.of(policy.name(), snapshot, plan);
                String text = record.toJson();
                SnapshotRecord read = SnapshotRecord.fromJson("seed " + seed, text);
                assertEquals(record, read, "seed " + seed);
                assertEquals(text, read.toJson(), "seed " + seed);
                assertEquals(plan, policy.plan(read.snapshot()), "seed " + seed);
                assertEquals(record.changes(), changesOfSession(policy, read.snapshot()), "seed " + seed);
                changes += record.changes().size();
                cluster.next(plan);
            }
        }
        assertTrue(changes > SEEDS, "hardly anything changes: " + changes);
    }

    @Test
    void whatIsReadComesBackToo() {
        for (long seed = 0; seed < SEEDS; seed++) {
            Snapshot snapshot = new ReadingClusters(seed).snapshot();
            SnapshotRecord record = new SnapshotRecord("fifo", snapshot, Map.of());
            assertEquals(record, SnapshotRecord.fromJson("seed " + seed, record.toJson()), "seed " + seed);
        }
    }

    /** As the simulator decides. */
    private static Map<String, SnapshotRecord.Change> changesOfSession(Policy policy, Snapshot snapshot) {
        Session session = policy.open(snapshot.at(snapshot.nowMs(), List.of()));
        for (JobView job : snapshot.jobs()) {
            if (job.running()) {
                session.runs(job);
            } else {
                session.waits(job);
            }
        }
        return SnapshotRecord.changes(snapshot, session.decide(snapshot.nowMs()));
    }

    @Test
    void whatIsWrongIsNamed() {
        WireFormatException e =
                assertThrows(WireFormatException.class, () -> SnapshotRecord.fromJson("round 3", "{\"schema\": 2}"));
        assertTrue(String.valueOf(e.getMessage()).startsWith("round 3 has schema 2"), e.toString());
    }
}
