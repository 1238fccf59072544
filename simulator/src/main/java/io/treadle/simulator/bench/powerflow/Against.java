// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.powerflow;

import io.treadle.simulator.result.SeedMean;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One policy beside another over several seeds.
 *
 * @param logTimes logarithm of how many times as long jobs take with the other for the same energy, seed by seed
 * @param saved part of energy that is saved where jobs end no later than at best with the other; seeds in which they never
 *     end as soon are left out
 * @param seeds how many
 */
record Against(Optional<SeedMean> logTimes, Optional<SeedMean> saved, int savedSeeds, int seeds) {
    static Against of(List<Frontier> ours, List<Frontier> theirs) {
        List<Double> times = new ArrayList<>();
        List<Double> saved = new ArrayList<>();
        for (int i = 0; i < ours.size(); i++) {
            ours.get(i).timesFaster(theirs.get(i)).ifPresent(faster -> times.add(Math.log(faster)));
            ours.get(i).saved(theirs.get(i)).ifPresent(saved::add);
        }
        return new Against(SeedMean.of(List.copyOf(times)), SeedMean.of(List.copyOf(saved)), saved.size(), ours.size());
    }

    /** Geometric mean over the seeds; empty where energies never meet. */
    OptionalDouble times() {
        return logTimes.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(Math.exp(logTimes.get().mean()));
    }

    String timesInWords() {
        return logTimes.map(mean -> seeds == 1
                        ? String.format(Locale.ROOT, "%.2f", Math.exp(mean.mean()))
                        : String.format(
                                Locale.ROOT,
                                "%.2f (%.2f to %.2f)",
                                Math.exp(mean.mean()),
                                Math.exp(mean.mean() - mean.halfWidth()),
                                Math.exp(mean.mean() + mean.halfWidth())))
                .orElse("–");
    }

    String savedInWords() {
        return saved.map(mean -> String.format(Locale.ROOT, "%.1f %%", 100 * mean.mean())
                        + (seeds == 1 ? "" : String.format(Locale.ROOT, " ± %.1f", 100 * mean.halfWidth()))
                        + (savedSeeds < seeds ? " (in " + savedSeeds + " of " + seeds + ")" : ""))
                .orElse("–");
    }
}
