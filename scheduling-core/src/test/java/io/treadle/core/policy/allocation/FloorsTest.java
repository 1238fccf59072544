// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.plan.RandomClusters;
import io.treadle.core.policy.Policy;
import io.treadle.core.policy.PolicyRegistry;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FloorsTest {
    private static final int SEEDS = 300;
    private static final int ROUNDS = 6;

    /** All at once is the same as job by job, with a look at what there is before each step. */
    @ParameterizedTest
    @ValueSource(strings = {"fifo+proportional", "srtf+synergy-tune", "srtf+synergy-balanced"})
    void whatRunningJobsKeepIsTheSameInSteps(String name) {
        Policy policy = PolicyRegistry.BUILT_IN.policy(name, PolicyRegistry.BUILT_IN.placement("auto"));
        int kept = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            RandomClusters cluster = new RandomClusters(seed);
            for (int round = 0; round < ROUNDS; round++) {
                Snapshot snapshot = cluster.snapshot();
                Floors floors = Floors.of(snapshot, new Sizes(snapshot));
                Floors inSteps = Floors.inSteps(snapshot, new Sizes(snapshot));
                String where = name + ", seed " + seed + ", round " + round;
                for (JobView job : snapshot.jobs()) {
                    assertEquals(inSteps.get(job), floors.get(job), where);
                    kept += floors.get(job) == null ? 0 : 1;
                }
                for (int node = 0; node < snapshot.nodes().size(); node++) {
                    assertEquals(inSteps.ledger().free(node), floors.ledger().free(node), where);
                }
                assertEquals(inSteps.ledger().queueFree(), floors.ledger().queueFree(), where);
                cluster.next(policy.plan(snapshot));
            }
        }
        int total = kept;
        assertTrue(total > SEEDS, () -> "hardly anything runs: " + total);
    }
}
