// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.placement.EvenSpread;
import io.treadle.core.plan.Certificate;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.Plan;
import io.treadle.core.plan.PlanVerifier;
import io.treadle.core.policy.Policy;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A round has so many steps: beyond them the best so far stands, and says that it is no more than that. */
class StepsTest {
    /** More jobs than the pool can hold, so that there is something to choose. */
    private static Snapshot crowded(long seed) {
        Random random = new Random(seed);
        List<JobView> jobs = IntStream.range(0, 60)
                .mapToObj(i -> PsJobs.random("j" + i, random))
                .toList();
        return PsPools.of(4, 0, jobs);
    }

    private static Plan plan(String name, long steps, Snapshot snapshot) {
        SmdRules usual = SmdRules.DEFAULT;
        SmdRules rules = new SmdRules(
                usual.epsilon(),
                usual.trimDelta(),
                usual.guesses(),
                steps,
                usual.capacityFactor(),
                usual.sticky(),
                usual.maxWaitSeconds(),
                usual.backfill(),
                usual.intervalMs());
        Policy policy = Objects.requireNonNull(SmdPolicies.all(rules).get(name)).apply(new EvenSpread());
        return policy.plan(snapshot);
    }

    @ParameterizedTest
    @ValueSource(strings = {"smd", "smd-plain", "smd-menu", "smd-menu-worth"})
    void cutOffAtOnceThePlanKeepsTheRules(String name) {
        for (long seed = 1; seed <= 5; seed++) {
            Snapshot snapshot = crowded(seed);
            Plan cut = plan(name, 1, snapshot);
            String where = name + ", seed " + seed;
            assertEquals(List.of(), PlanVerifier.problemsWithStops(snapshot, cut), where);
            assertTrue(cut.decisions().stream().anyMatch(decision -> decision instanceof Decision.Run), where);
            Certificate first = cut.certificate().orElseThrow();
            assertFalse(first.finished(), where);
            assertTrue(first.text().endsWith("; the search was cut short"), first.text());
            Certificate whole =
                    plan(name, SmdRules.DEFAULT.steps(), snapshot).certificate().orElseThrow();
            assertTrue(whole.finished(), where);
            // The bound holds for what more steps find.
            assertTrue(first.value() <= whole.value() * (1 + 1e-9), where);
            assertTrue(whole.value() <= first.bound() * (1 + 1e-9), where);
        }
    }
}
