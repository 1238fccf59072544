// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.generate;

/** A bucket's share of the jobs, spread over durations as {@code weight · exp(θ t)} with the θ that gives its mean. */
final class Tilt {
    private static final int MOST_STEPS = 100;
    private static final double EXACT = 1e-10;

    private final double[] seconds;
    private final double share;
    private final double mean;
    private final double[] cells;
    private double theta;

    /**
     * @param seconds where the weights lie, rising
     * @param share what the cells add up to
     * @param mean that they shall have, s
     */
    Tilt(double[] seconds, double share, double mean) {
        this.seconds = seconds;
        this.share = share;
        this.mean = mean;
        this.cells = new double[seconds.length];
    }

    double[] cells() {
        return cells;
    }

    /** Newton's steps from the last θ, halving where one would leave what is known to hold it. */
    double[] solve(double[] weights) {
        double low = Double.NEGATIVE_INFINITY;
        double high = Double.POSITIVE_INFINITY;
        for (int step = 0; step < MOST_STEPS; step++) {
            Moments now = moments(weights);
            double off = now.mean - mean;
            if (Math.abs(off) <= EXACT * mean) {
                break;
            }
            if (off > 0) {
                high = theta;
            } else {
                low = theta;
            }
            double next = theta - off / now.variance;
            if (!(next > low && next < high)) {
                next = Double.isInfinite(low)
                        ? high - widen(high)
                        : Double.isInfinite(high) ? low + widen(low) : (low + high) / 2;
            }
            theta = next;
        }
        return cells;
    }

    private static double widen(double theta) {
        return Math.max(1e-9, Math.abs(theta));
    }

    private static int first(double[] weights) {
        int i = 0;
        while (weights[i] == 0) {
            i++;
        }
        return i;
    }

    private static int last(double[] weights) {
        int i = weights.length - 1;
        while (weights[i] == 0) {
            i--;
        }
        return i;
    }

    private record Moments(double mean, double variance) {}

    /** Sets the cells for the present θ. */
    private Moments moments(double[] weights) {
        // The largest exponent is 0: neither overflow nor a sum of nothing.
        double anchor = seconds[theta > 0 ? last(weights) : first(weights)];
        double sum = 0;
        double first = 0;
        double second = 0;
        for (int i = 0; i < cells.length; i++) {
            double cell = weights[i] == 0 ? 0 : weights[i] * Math.exp(theta * (seconds[i] - anchor));
            cells[i] = cell;
            sum += cell;
            first += cell * seconds[i];
            second += cell * seconds[i] * seconds[i];
        }
        for (int i = 0; i < cells.length; i++) {
            cells[i] *= share / sum;
        }
        double average = first / sum;
        return new Moments(average, Math.max(second / sum - average * average, Double.MIN_NORMAL));
    }
}
