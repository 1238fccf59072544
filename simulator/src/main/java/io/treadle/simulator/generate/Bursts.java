// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.generate;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;

/**
 * Sizes of the batches in which jobs come. Batches that come by a Poisson process give counts whose variance over mean
 * is {@code E[size²] / E[size]}; sizes of a log-series with parameter {@code 1 - 1/ratio} have that ratio, and their
 * counts are negative binomial. Nine jobs in ten come in small batches of ratio 5, the tenth in large ones: together
 * they have Venus' ratio of 15.4 per ten minutes (HeliosData, as in Lucid's counts) and come near its quantiles, which
 * are 3 (median), 11 (90 %), 26 (99 %) and 88 (99.9 %).
 */
final class Bursts {
    /** Variance over mean of Venus' arrivals per ten minutes. */
    static final double RATIO = 15.4;

    private static final double SMALL_SHARE = 0.9;
    private static final double SMALL_RATIO = 5;
    /** One batch must not bend the curves over the day. */
    private static final double MOST_OF_ALL = 0.02;

    private static final int ALWAYS = 8;
    private static final double WIDEST = 8;
    private static final int STEPS = 20;

    private final double ratio;

    /** @param ofCurve what the curves over day and week already add at the cluster's own rate */
    Bursts(double ofCurve) {
        this.ratio = Math.max(SMALL_RATIO, RATIO - ofCurve);
    }

    /** Variance over mean that the batches alone give. */
    double ratio() {
        return ratio;
    }

    /** @return adding up to {@code jobs} */
    int[] sizes(int jobs, SplittableRandom random) {
        int small = (int) Math.round(jobs * SMALL_SHARE);
        int most = Math.max(ALWAYS, (int) (jobs * MOST_OF_ALL));
        double large = (ratio - SMALL_SHARE * SMALL_RATIO) / (1 - SMALL_SHARE);
        int[] first = sizes(small, SMALL_RATIO, most, () -> 0.5);
        // Few jobs and a largest batch cut the tail off: what is left must be the more uneven.
        double low = large;
        double high = large * WIDEST;
        for (int step = 0; step < STEPS; step++) {
            double middle = Math.sqrt(low * high);
            if (ratioOf(join(first, sizes(jobs - small, middle, most, () -> 0.5))) < ratio) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return join(
                sizes(small, SMALL_RATIO, most, random::nextDouble),
                // The few large ones decide the ratio: they are not left to chance.
                sizes(jobs - small, low, most, () -> 0.5));
    }

    private static double ratioOf(int[] sizes) {
        double sum = 0;
        double square = 0;
        for (int size : sizes) {
            sum += size;
            square += (double) size * size;
        }
        return square / sum;
    }

    private static int[] join(int[] first, int[] second) {
        int[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }

    /** @param draw from 0 to below 1 */
    private static int[] sizes(int jobs, double ratio, int most, DoubleSupplier draw) {
        double theta = 1 - 1 / ratio;
        double mean = theta / ((1 - theta) * -Math.log1p(-theta));
        int[] drawn = new int[Math.max(1, (int) Math.round(jobs / mean))];
        double below = 0;
        int size = 0;
        double term = -theta / Math.log1p(-theta);
        // One from each slice of equal share.
        for (int i = 0; i < drawn.length; i++) {
            double share = (i + draw.getAsDouble()) / drawn.length;
            while (below < share && size < most) {
                size++;
                below += term / size;
                term *= theta;
            }
            drawn[i] = Math.max(1, size);
        }
        int[] sizes = new int[jobs];
        int count = 0;
        // From the largest on, so that what is too much goes from the smallest.
        for (int left = jobs; left > 0; count++) {
            sizes[count] = count < drawn.length ? Math.min(left, drawn[drawn.length - 1 - count]) : 1;
            left -= sizes[count];
        }
        return Arrays.copyOf(sizes, count);
    }
}
