// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.result;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.commons.math3.distribution.TDistribution;
import org.jspecify.annotations.Nullable;

/**
 * A figure over several seeds.
 *
 * @param mean over the seeds
 * @param halfWidth of the 95 % confidence interval around it, by Student's t over independent seeds; 0 where there is
 *     but one seed, which says nothing
 */
public record SeedMean(double mean, double halfWidth) {
    private static final double UPPER = 0.975;

    /** @return nothing where a seed has no value */
    public static Optional<SeedMean> of(List<@Nullable Double> values) {
        if (values.isEmpty() || values.stream().anyMatch(Objects::isNull)) {
            return Optional.empty();
        }
        double[] known = values.stream().mapToDouble(value -> value).toArray();
        double sum = 0;
        for (double value : known) {
            sum += value;
        }
        double mean = sum / known.length;
        if (known.length == 1) {
            return Optional.of(new SeedMean(mean, 0));
        }
        double squares = 0;
        for (double value : known) {
            squares += (value - mean) * (value - mean);
        }
        double error = Math.sqrt(squares / (known.length - 1) / known.length);
        double t = new TDistribution(known.length - 1).inverseCumulativeProbability(UPPER);
        return Optional.of(new SeedMean(mean, t * error));
    }
}
