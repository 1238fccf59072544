// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.model.energy;

/**
 * How long an iteration of a job took on several GPUs of full nodes.
 *
 * @param gpus all of them
 * @param batch samples of an iteration on each GPU; may be a fraction, on average
 * @param seconds of an iteration
 */
public record ScaleSample(int gpus, double batch, double seconds) {
    public ScaleSample {
        if (gpus < 1) {
            throw new IllegalArgumentException("number of GPUs " + gpus + " is not above 0");
        }
        if (!(batch > 0) || Double.isInfinite(batch)) {
            throw new IllegalArgumentException("batch " + batch + " is not a finite number above 0");
        }
        if (!(seconds > 0) || Double.isInfinite(seconds)) {
            throw new IllegalArgumentException("iteration time " + seconds + " s is not a finite number above 0");
        }
    }
}
