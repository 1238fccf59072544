// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.model.energy;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How fast a training job is and what its GPUs draw, over their number and their power cap, with what it learns per iteration
 * the same everywhere. A table, so that a plan over thousands of jobs asks no model again.
 */
public final class EnergyProfile {
    /** What a GPU without a job's iteration does while others of the job are waited for: part of its draw above idle. */
    private static final double EXCHANGE_DRAW = 0.65;

    private final int[] gpus;
    private final double[] caps;
    /** By number of GPUs, then by cap. */
    private final double[][] seconds;

    private final double[][] watts;
    private final Confidence confidence;

    /** A time in s, or a draw in W, of so many GPUs under a cap in W. */
    @FunctionalInterface
    public interface Figure {
        double of(int gpus, double capWatts);
    }

    /**
     * @param gpus numbers of GPUs that it may have, rising
     * @param caps power caps that the GPUs take, W, rising; the last is their default limit
     * @param seconds of an iteration
     * @param watts average draw of all of the job's GPUs together
     * @throws IllegalArgumentException where numbers or caps do not rise from above 0, or a figure is not above 0
     */
    public EnergyProfile(int[] gpus, double[] caps, Figure seconds, Figure watts, Confidence confidence) {
        this.gpus = gpus.clone();
        this.caps = caps.clone();
        this.confidence = confidence;
        requireRising("numbers of GPUs", Arrays.stream(gpus).asDoubleStream().toArray());
        requireRising("power caps", caps);
        this.seconds = table(seconds, "iteration time");
        this.watts = table(watts, "power draw");
    }

    /**
     * By the models of one GPU's curves and of the exchange between GPUs, where the same samples are spread over them.
     *
     * @param batch samples of an iteration on all GPUs together
     * @param idleWatts what a GPU draws that does nothing, W
     */
    public static EnergyProfile of(
            int[] gpus,
            double[] caps,
            long batch,
            GpuCurves curves,
            IterationTime times,
            double idleWatts,
            Confidence confidence) {
        return new EnergyProfile(
                gpus,
                caps,
                (n, cap) -> curves.seconds((double) batch / n, cap) + times.exchangeSeconds(n),
                (n, cap) -> {
                    double share = (double) batch / n;
                    double exchange = times.exchangeSeconds(n);
                    double gradient = curves.seconds(share, cap);
                    return n * draw(curves.watts(share, cap), gradient, exchange, idleWatts);
                },
                confidence);
    }

    /**
     * Average draw of a GPU that computes gradients for some time of each iteration and then exchanges them: meanwhile it draws
     * about two thirds of what it drew above idle (0.69 measured on V100s).
     *
     * @param gradientWatts while it computes, W
     */
    public static double draw(double gradientWatts, double gradientSeconds, double exchangeSeconds, double idleWatts) {
        double exchangeWatts = idleWatts + EXCHANGE_DRAW * Math.max(0, gradientWatts - idleWatts);
        return (gradientWatts * gradientSeconds + exchangeWatts * exchangeSeconds)
                / (gradientSeconds + exchangeSeconds);
    }

    /** The draw while it computes, W, of a GPU that draws so much on average: the reverse of {@link #draw}. */
    static double gradientWatts(double meanWatts, double gradientSeconds, double exchangeSeconds, double idleWatts) {
        if (meanWatts <= idleWatts) {
            return meanWatts;
        }
        double iteration = gradientSeconds + exchangeSeconds;
        return (meanWatts * iteration - (1 - EXCHANGE_DRAW) * idleWatts * exchangeSeconds)
                / (gradientSeconds + EXCHANGE_DRAW * exchangeSeconds);
    }

    /** Of a job of which nothing is known: it keeps its GPUs at their limit and draws it. */
    public static EnergyProfile unknown(int gpus, double limitWatts) {
        return new EnergyProfile(
                new int[] {gpus}, new double[] {limitWatts}, (n, cap) -> 1, (n, cap) -> n * cap, Confidence.LOW);
    }

    private static void requireRising(String what, double[] values) {
        double last = 0;
        for (double value : values) {
            if (!(value > last) || Double.isInfinite(value)) {
                throw new IllegalArgumentException(what + " " + Arrays.toString(values) + " do not rise from above 0");
            }
            last = value;
        }
        if (values.length == 0) {
            throw new IllegalArgumentException("no " + what);
        }
    }

    private double[][] table(Figure figure, String what) {
        double[][] table = new double[gpus.length][caps.length];
        for (int i = 0; i < gpus.length; i++) {
            for (int k = 0; k < caps.length; k++) {
                table[i][k] = figure.of(gpus[i], caps[k]);
                if (!(table[i][k] > 0) || Double.isInfinite(table[i][k])) {
                    throw new IllegalArgumentException(what + " of " + gpus[i] + " GPUs at " + caps[k] + " W is "
                            + table[i][k] + ", not a finite number above 0");
                }
            }
        }
        return table;
    }

    /** How many numbers of GPUs it knows. */
    public int sizes() {
        return gpus.length;
    }

    /** The number of GPUs of a size, sizes counted from 0. */
    public int gpus(int size) {
        return gpus[size];
    }

    /** The size of so many GPUs, counted from 0; below 0 where it knows no such. */
    public int sizeOf(long number) {
        return number > Integer.MAX_VALUE ? -1 : Arrays.binarySearch(gpus, (int) number);
    }

    /** How many power caps it knows. */
    public int caps() {
        return caps.length;
    }

    /** A power cap, W. */
    public double capWatts(int cap) {
        return caps[cap];
    }

    /** The cap nearest to so many watts; the highest for 0, which stands for none. */
    public int capOf(double capWatts) {
        if (capWatts <= 0) {
            return caps.length - 1;
        }
        int nearest = 0;
        for (int k = 1; k < caps.length; k++) {
            nearest = Math.abs(caps[k] - capWatts) < Math.abs(caps[nearest] - capWatts) ? k : nearest;
        }
        return nearest;
    }

    /** Time of an iteration, s. */
    public double seconds(int size, int cap) {
        return seconds[size][cap];
    }

    /** Average draw of all its GPUs while it trains, W. */
    public double watts(int size, int cap) {
        return watts[size][cap];
    }

    /** Energy of its GPUs for an iteration, J. */
    public double joules(int size, int cap) {
        return seconds[size][cap] * watts[size][cap];
    }

    public Confidence confidence() {
        return confidence;
    }

    @Override
    public boolean equals(@Nullable Object o) {
        return o instanceof EnergyProfile other
                && Arrays.equals(gpus, other.gpus)
                && Arrays.equals(caps, other.caps)
                && Arrays.deepEquals(seconds, other.seconds)
                && Arrays.deepEquals(watts, other.watts)
                && confidence == other.confidence;
    }

    @Override
    public int hashCode() {
        return Objects.hash(Arrays.hashCode(gpus), Arrays.hashCode(caps), Arrays.deepHashCode(seconds));
    }
}
