// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.model.ps;

/**
 * A measurement.
 *
 * @param size workers and parameter servers
 * @param seconds of an iteration, s
 * @param relativeError standard error of {@code seconds}, divided by it; NaN where nobody knows
 */
public record PsSample(PsSize size, double seconds, double relativeError) {
    /** @throws IllegalArgumentException where the time is not a finite number above 0, or the error is below 0 */
    public PsSample {
        if (!(seconds > 0) || Double.isInfinite(seconds)) {
            throw new IllegalArgumentException(
                    "iteration time " + seconds + " s of " + size.text() + " is not a finite number above 0");
        }
        if (relativeError < 0) {
            throw new IllegalArgumentException(
                    "relative error " + relativeError + " of the time of " + size.text() + " is below 0");
        }
    }

    /** A measurement of which nobody knows how good it is. */
    public PsSample(PsSize size, double seconds) {
        this(size, seconds, Double.NaN);
    }
}
