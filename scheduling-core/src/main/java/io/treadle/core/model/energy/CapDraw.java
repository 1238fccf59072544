// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.model.energy;

import java.util.List;
import java.util.Optional;
import org.apache.commons.math3.analysis.polynomials.PolynomialFunction;
import org.apache.commons.math3.fitting.PolynomialCurveFitter;
import org.apache.commons.math3.fitting.WeightedObservedPoints;
import org.apache.commons.math3.optim.MaxEval;
import org.apache.commons.math3.optim.nonlinear.scalar.GoalType;
import org.apache.commons.math3.optim.univariate.BrentOptimizer;
import org.apache.commons.math3.optim.univariate.SearchInterval;
import org.apache.commons.math3.optim.univariate.UnivariateObjectiveFunction;

/**
 * Power that one GPU draws on average over its cap, for one batch size. A soft minimum of the cap and of what it would draw
 * without one: a mean stays below the cap, since not every moment would go beyond it. Between three or more measured caps a
 * parabola through the logarithms is nearer to what was measured.
 */
public final class CapDraw {
    /** How soft the minimum is; of 2, 3, 4, 6 and 10 the one nearest to what four GPU models were measured to draw. */
    private static final double SOFTNESS = 3;
    /** Limits are held on average, not to the watt. */
    static final double MOST_OVER_CAP = 1.02;

    private static final double LEAST_WATTS = 1;
    private static final double MOST_WATTS = 5000;
    private static final int CAPS_FOR_PARABOLA = 3;

    private final double uncappedWatts;
    private final Optional<Parabola> parabola;

    /** Of the logarithm of the draw over that of the cap. */
    private record Parabola(PolynomialFunction logDraw, double leastCap, double mostCap) {
        double watts(double capWatts) {
            return Math.min(Math.exp(logDraw.value(Math.log(capWatts))), MOST_OVER_CAP * capWatts);
        }
    }

    private CapDraw(double uncappedWatts, Optional<Parabola> parabola) {
        this.uncappedWatts = uncappedWatts;
        this.parabola = parabola;
    }

    /**
     * The curve with the least relative errors; one measurement is enough for one.
     *
     * @param samples of one batch size
     * @throws IllegalArgumentException where there are no samples
     */
    public static CapDraw fit(List<GpuSample> samples) {
        if (samples.isEmpty()) {
            throw new IllegalArgumentException("no measurements to fit a power draw to");
        }
        long caps = samples.stream().mapToDouble(GpuSample::capWatts).distinct().count();
        return new CapDraw(uncapped(samples), caps < CAPS_FOR_PARABOLA ? Optional.empty() : parabola(samples));
    }

    private static double uncapped(List<GpuSample> samples) {
        double log = new BrentOptimizer(1e-10, 1e-12)
                .optimize(
                        new MaxEval(1000),
                        GoalType.MINIMIZE,
                        new SearchInterval(Math.log(LEAST_WATTS), Math.log(MOST_WATTS)),
                        new UnivariateObjectiveFunction(x -> samples.stream()
                                .mapToDouble(
                                        s -> Math.abs(Math.log(softMinimum(s.capWatts(), Math.exp(x)) / s.drawWatts())))
                                .sum()))
                .getPoint();
        return Math.exp(log);
    }

    private static Optional<Parabola> parabola(List<GpuSample> samples) {
        WeightedObservedPoints points = new WeightedObservedPoints();
        samples.forEach(s -> points.add(Math.log(s.capWatts()), Math.log(s.drawWatts())));
        double least = samples.stream().mapToDouble(GpuSample::capWatts).min().orElseThrow();
        double most = samples.stream().mapToDouble(GpuSample::capWatts).max().orElseThrow();
        return Optional.of(new Parabola(
                new PolynomialFunction(PolynomialCurveFitter.create(2).fit(points.toList())), least, most));
    }

    /** Draw under a cap of what would draw so much without one; all in W. */
    public static double softMinimum(double capWatts, double uncappedWatts) {
        return Math.pow(Math.pow(capWatts, -SOFTNESS) + Math.pow(uncappedWatts, -SOFTNESS), -1 / SOFTNESS);
    }

    /** Draw at the cap in W, W. */
    public double watts(double capWatts) {
        double soft = softMinimum(capWatts, uncappedWatts);
        if (parabola.isEmpty()) {
            return soft;
        }
        // Beyond the measured caps as the soft minimum goes on from there.
        Parabola measured = parabola.get();
        double nearest = Math.max(measured.leastCap(), Math.min(measured.mostCap(), capWatts));
        double beyond = soft / softMinimum(nearest, uncappedWatts);
        return Math.min(MOST_OVER_CAP * capWatts, measured.watts(nearest) * beyond);
    }

    /** What it would draw without a cap, W; thousands where all that was measured drew its cap, as nothing tells then. */
    double uncappedWatts() {
        return uncappedWatts;
    }
}
