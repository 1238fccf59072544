// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.powerflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.model.energy.Confidence;
import io.treadle.core.model.energy.EnergyProfile;
import io.treadle.core.placement.Auto;
import io.treadle.core.plan.Decision;
import io.treadle.core.policy.PolicyRegistry;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One job of a queue that may draw less than the job would on all the GPUs that make it faster. */
class JobsLimitTest {
    /** Twice as fast on twice the GPUs, so that more of them always seem worth it; a GPU draws half its cap. */
    private static final EnergyProfile LINEAR = new EnergyProfile(
            new int[] {1, 2, 4, 8},
            new double[] {200, 400},
            (n, cap) -> 1.0 / n * (cap == 200 ? 1.25 : 1),
            (n, cap) -> n * cap / 2,
            Confidence.HIGH);

    private static Decision decision(double jobsLimitWatts) {
        Snapshot snapshot = PoweredCluster.of(
                8,
                PoweredCluster.POWER.withJobsLimit(jobsLimitWatts),
                List.of(PoweredCluster.job("a", LINEAR, 10_000)));
        return PolicyRegistry.BUILT_IN
                .policy("powerflow", new Auto())
                .plan(snapshot)
                .of("a")
                .orElseThrow();
    }

    /** As many GPUs as the limit is for under the lower cap. */
    @ParameterizedTest
    @CsvSource({"100, 1", "250, 2", "799, 4"})
    void fewerGpusWhereNoCapIsLowEnough(double watts, int gpus) {
        Decision.Run run = assertInstanceOf(Decision.Run.class, decision(watts));
        assertEquals(gpus, run.tasks().size());
        assertEquals(200, run.tasks().get(0).size().watts());
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 50})
    void belowTheLeastItWaits(double watts) {
        assertInstanceOf(Decision.Wait.class, decision(watts));
    }
}
