// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.model.SensitivityMatrix;
import io.treadle.core.policy.Policy;
import io.treadle.core.policy.PolicyRegistry;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Profiles that no measurement gives, but a person or a program of somebody else may: speeds that fall with more of
 * something, are nought, or beyond all reason, and points that no node has. They may cost their job speed, and never break
 * a rule for others.
 */
class OddProfilesTest {
    private static final int SEEDS = 400;
    private static final int ROUNDS = 3;
    private static final long MOST_VCORES = 1_000_000;
    private static final long MOST_MIB = 1L << 40;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "fifo+proportional",
                "las+synergy-greedy",
                "fifo+synergy-tune",
                "srtf+synergy-tune",
                "fifo+synergy-balanced",
                "srtf+synergy-balanced",
                "fifo+synergy-opt"
            })
    void plansKeepTheRules(String policyName) {
        Policy policy = PolicyRegistry.BUILT_IN.policy(
                policyName, PolicyRegistry.BUILT_IN.placement(PolicyRegistry.DEFAULT_PLACEMENT));
        int started = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            boolean rising = seed % 2 == 0;
            RandomClusters cluster = new RandomClusters(seed, random -> profile(random, rising));
            for (int round = 0; round < ROUNDS; round++) {
                Snapshot snapshot = cluster.snapshot();
                String where = policyName + ", seed " + seed + ", round " + round;
                Plan plan = plan(policy, snapshot, where);
                assertEquals(List.of(), PlanVerifier.problems(snapshot, plan), where);
                assertEquals(plan, policy.plan(snapshot), () -> where + ": the same snapshot gave another plan");
                // Where more may hurt, more of one thing and less of another is anybody's guess. The artifact's rules
                // clip
                // each dimension of a demand that no node has by itself, whatever that does to the speed.
                if (rising && !policyName.endsWith("tune") && !policyName.endsWith("greedy")) {
                    assertEquals(List.of(), EveryPolicyKeepsTheRulesTest.slowerThanAtShare(snapshot, plan), where);
                }
                started += (int) plan.decisions().stream()
                        .filter(d -> d instanceof Decision.Run)
                        .count();
                cluster.next(plan);
            }
        }
        int total = started;
        assertTrue(total > SEEDS, () -> "hardly anything starts: " + total);
    }

    private static Plan plan(Policy policy, Snapshot snapshot, String where) {
        try {
            return policy.plan(snapshot);
        } catch (RuntimeException e) {
            throw new AssertionError(where, e);
        }
    }

    private static SensitivityMatrix profile(Random random, boolean rising) {
        return switch (random.nextInt(6)) {
            case 0 -> matrix(random, rising, new long[] {1, 2, 4, 9}, new long[] {1024, 4096}, 1);
            case 1 -> matrix(random, rising, new long[] {1, 3, 8}, new long[] {0}, 0);
            case 2 -> matrix(random, rising, new long[] {1, MOST_VCORES}, new long[] {0, MOST_MIB}, 1e12);
            case 3 -> matrix(random, rising, new long[] {MOST_VCORES / 2, MOST_VCORES}, new long[] {MOST_MIB}, 1e-300);
            case 4 -> matrix(random, rising, new long[] {1}, new long[] {0}, 1e300);
            default -> matrix(random, rising, new long[] {2, 500}, new long[] {512, 1_000_000}, 10);
        };
    }

    /** Any speed up to the fastest at any point, and any need of storage. */
    private static SensitivityMatrix matrix(
            Random random, boolean rising, long[] vcores, long[] memoryMiB, double fastest) {
        boolean reads = random.nextBoolean();
        double[][] speeds = new double[vcores.length][memoryMiB.length];
        double[][] storage = new double[vcores.length][memoryMiB.length];
        for (int c = 0; c < vcores.length; c++) {
            for (int m = 0; m < memoryMiB.length; m++) {
                double before = Math.max(c == 0 ? 0 : speeds[c - 1][m], m == 0 ? 0 : speeds[c][m - 1]);
                double drawn = fastest * random.nextDouble();
                speeds[c][m] = rising ? Math.max(before, drawn) : drawn;
                storage[c][m] = reads ? random.nextInt(3) * 1e9 * random.nextDouble() : 0;
            }
        }
        return new SensitivityMatrix(vcores, memoryMiB, speeds, storage);
    }
}
