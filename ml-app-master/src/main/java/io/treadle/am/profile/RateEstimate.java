// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

import java.util.List;
import java.util.Optional;

/**
 * Speed of a job over a window, and how far it can be trusted.
 *
 * @param samplesPerSecond sum over its workers
 * @param relativeError standard error of the mean over segments of the window, divided by the mean; infinite where it
 *     cannot be told
 * @param seconds length of the window
 */
public record RateEstimate(double samplesPerSecond, double relativeError, double seconds) {
    private static final int SEGMENTS = 6;
    private static final int READINGS_FOR_ERROR = 4;

    /**
     * The speed from {@code fromSeconds} to the last reading that every worker has given. The window begins at each
     * worker's first reading in it, so that work begun at another speed does not count. Empty where some worker has
     * fewer than two readings in it.
     */
    public static Optional<RateEstimate> over(List<SampleSeries> workers, double fromSeconds) {
        double left = fromSeconds;
        double right = Double.POSITIVE_INFINITY;
        int fewest = Integer.MAX_VALUE;
        for (SampleSeries worker : workers) {
            left = Math.max(left, worker.firstFrom(fromSeconds));
            right = Math.min(right, worker.lastSeconds());
            fewest = Math.min(fewest, worker.countFrom(fromSeconds));
        }
        if (workers.isEmpty() || fewest < 2 || right <= left) {
            return Optional.empty();
        }
        double[] rates = new double[SEGMENTS];
        double step = (right - left) / SEGMENTS;
        double mean = 0;
        for (int i = 0; i < SEGMENTS; i++) {
            for (SampleSeries worker : workers) {
                rates[i] += (worker.samplesAt(left + (i + 1) * step) - worker.samplesAt(left + i * step)) / step;
            }
            mean += rates[i] / SEGMENTS;
        }
        double squares = 0;
        for (double rate : rates) {
            squares += (rate - mean) * (rate - mean);
        }
        double error = Math.sqrt(squares / (SEGMENTS - 1) / SEGMENTS);
        boolean known = fewest >= READINGS_FOR_ERROR && mean > 0;
        return Optional.of(new RateEstimate(mean, known ? error / mean : Double.POSITIVE_INFINITY, right - left));
    }
}
