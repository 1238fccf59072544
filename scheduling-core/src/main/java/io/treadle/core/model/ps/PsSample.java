// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.model.ps;

/**
 * A measurement.
 *
 * @param size workers and parameter servers
 * @param seconds of an iteration, s
 */
public record PsSample(PsSize size, double seconds) {
    /** @throws IllegalArgumentException where the time is not a finite number above 0 */
    public PsSample {
        if (!(seconds > 0) || Double.isInfinite(seconds)) {
            throw new IllegalArgumentException(
                    "iteration time " + seconds + " s of " + size.text() + " is not a finite number above 0");
        }
    }
}
