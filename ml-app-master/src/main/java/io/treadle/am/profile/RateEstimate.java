// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Speed of a job over a window, and how far it can be trusted.
 *
 * @param samplesPerSecond sum over its workers
 * @param relativeError standard error of {@code samplesPerSecond}, divided by it; infinite where it cannot be told
 * @param seconds length of the window
 * @param reports steps of progress of the worker that reports least often
 * @param degrees degrees of freedom of the error; 0 where it cannot be told
 */
public record RateEstimate(double samplesPerSecond, double relativeError, double seconds, int reports, int degrees) {
    private static final int LEAST_BATCHES = 8;
    private static final int MOST_BATCHES = 16;
    /** Noise that lasts for less is averaged within a batch, where the window is long enough. */
    private static final double BATCH_SECONDS = 1;

    private static final int REPORTS_FOR_ERROR = 3;

    /**
     * The speed from {@code fromSeconds} to the last reading that every worker has given. The window begins at each
     * worker's first reading in it, so that work begun at another speed does not count. Empty where some worker has
     * fewer than two readings in it.
     *
     * <p>It is the slope of the least-squares line through what all have done at each reading of the slowest reporter: one
     * that comes early or late, because CPU quotas are handed out in bursts, counts for little, also where it is the first
     * or the last.
     *
     * <p>The error is that of a ratio (Cochran, Sampling Techniques, §6.4) over batches of successive reports, of equal
     * numbers: samples and time of a batch both vary. Batches end where the slowest reporter has a reading, so that no
     * step is cut, which would make the noise look less than it is. All noise is taken to add up from batch to batch: then
     * the slope varies more than the ratio by {@link #slopeVariance}, and where reports only come early or late it is
     * better than is said.
     */
    public static Optional<RateEstimate> over(List<SampleSeries> workers, double fromSeconds) {
        double left = fromSeconds;
        double right = Double.POSITIVE_INFINITY;
        int fewest = Integer.MAX_VALUE;
        SampleSeries slowest = new SampleSeries();
        for (SampleSeries worker : workers) {
            left = Math.max(left, worker.firstFrom(fromSeconds));
            right = Math.min(right, worker.lastSeconds());
            int count = worker.countFrom(fromSeconds);
            if (count < fewest) {
                fewest = count;
                slowest = worker;
            }
        }
        if (workers.isEmpty() || fewest < 2 || right <= left) {
            return Optional.empty();
        }
        double[] readings = slowest.secondsBetween(left, right);
        int reports = Math.max(1, readings.length - 1);
        if (reports > 1) {
            left = readings[0];
            right = readings[reports];
        }
        double seconds = right - left;
        double ratio = (samplesAt(workers, right) - samplesAt(workers, left)) / seconds;
        double rate = readings.length < REPORTS_FOR_ERROR ? ratio : Math.max(0, slope(workers, readings));
        if (reports < REPORTS_FOR_ERROR || rate <= 0) {
            return Optional.of(new RateEstimate(rate, Double.POSITIVE_INFINITY, seconds, reports, 0));
        }
        int wished = (int) Math.max(LEAST_BATCHES, Math.min(MOST_BATCHES, seconds / BATCH_SECONDS));
        int batches = Math.min(wished, reports);
        double squares = 0;
        double from = left;
        for (int i = 1; i <= batches; i++) {
            double to = i == batches ? right : readings[Math.round((float) i * reports / batches)];
            double done = samplesAt(workers, to) - samplesAt(workers, from);
            double residual = done - ratio * (to - from);
            squares += residual * residual;
            from = to;
        }
        double variance = squares * batches / (batches - 1) * slopeVariance(reports);
        double error = Math.sqrt(variance) / (rate * seconds);
        return Optional.of(new RateEstimate(rate, error, seconds, reports, batches - 1));
    }

    /** Variance of the slope through a random walk of so many steps, over that of the line from its first to its last. */
    static double slopeVariance(int steps) {
        double points = steps + 1.0;
        return 6 * (points * points + 1) / (5 * points * (points + 1));
    }

    private static double slope(List<SampleSeries> workers, double[] seconds) {
        double[] samples =
                Arrays.stream(seconds).map(time -> samplesAt(workers, time)).toArray();
        double meanSeconds = Arrays.stream(seconds).average().orElseThrow();
        double meanSamples = Arrays.stream(samples).average().orElseThrow();
        double products = 0;
        double squares = 0;
        for (int i = 0; i < seconds.length; i++) {
            products += (seconds[i] - meanSeconds) * (samples[i] - meanSamples);
            squares += (seconds[i] - meanSeconds) * (seconds[i] - meanSeconds);
        }
        return products / squares;
    }

    RateEstimate withError(double newRelativeError) {
        return new RateEstimate(samplesPerSecond, newRelativeError, seconds, reports, degrees);
    }

    private static double samplesAt(List<SampleSeries> workers, double seconds) {
        double sum = 0;
        for (SampleSeries worker : workers) {
            sum += worker.samplesAt(seconds);
        }
        return sum;
    }
}
