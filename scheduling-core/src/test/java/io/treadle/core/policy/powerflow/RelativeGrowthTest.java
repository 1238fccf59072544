// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.powerflow;

import static io.treadle.core.policy.powerflow.PoweredCluster.POWER;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.cluster.PowerView;
import io.treadle.core.model.energy.Confidence;
import io.treadle.core.model.energy.EnergyProfile;
import java.util.List;
import org.junit.jupiter.api.Test;

class RelativeGrowthTest {
    private static final double[] ONE_CAP = {400};

    /** Of one or two GPUs that draw 100 W each, with no share of a node counted. */
    private static EnergyProfile two(double secondsOfTwo) {
        return new EnergyProfile(
                new int[] {1, 2}, ONE_CAP, (n, cap) -> n == 1 ? 1 : secondsOfTwo, (n, cap) -> 100 * n, Confidence.HIGH);
    }

    private static List<Integer> sizes(long gpus, double limit, EnergyProfile... energies) {
        List<Candidate> jobs = new java.util.ArrayList<>();
        for (EnergyProfile energy : energies) {
            jobs.add(Candidate.of(PoweredCluster.job("j" + jobs.size(), energy, 100), POWER, 0));
        }
        Situation situation =
                new Situation(jobs, gpus, 8, PowerView.unlimited(0, 0, 400).withLimit(limit), 0, Pinned.NONE, 0, 0);
        List<Choice> chosen = new RelativeGrowth().choose(situation);
        return jobs.stream()
                .map(job -> chosen.stream()
                        .filter(c -> c.job() == job)
                        .mapToInt(Choice::size)
                        .findFirst()
                        .orElse(-1))
                .toList();
    }

    @Test
    void whoSavesEnergyIsFirst() {
        // 0.45 s on two: less energy than 1 s on one. 0.5 s: as much, and 0.6 s: a fifth more for 40 % less time.
        assertEquals(List.of(0, 1), sizes(3, 1e9, two(0.6), two(0.45)));
        assertEquals(List.of(0, 1, 0), sizes(4, 1e9, two(0.6), two(0.5), two(0.7)));
    }

    @Test
    void aStepThatDoesNotFitIsPassedOver() {
        // All three start with 300 W; only the last may grow, by 50 W.
        EnergyProfile frugal = new EnergyProfile(
                new int[] {1, 2},
                ONE_CAP,
                (n, cap) -> n == 1 ? 1 : 0.9,
                (n, cap) -> n == 1 ? 100 : 150,
                Confidence.HIGH);
        assertEquals(List.of(0, 0, 1), sizes(8, 350, two(0.55), two(0.55), frugal));
    }

    @Test
    void whoDoesNotFitAtAllWaits() {
        assertEquals(List.of(0, -1), sizes(8, 150, two(0.55), two(0.55)));
        assertEquals(List.of(), sizes(8, 150));
    }
}
