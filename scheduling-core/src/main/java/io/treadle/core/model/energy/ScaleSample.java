// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.model.energy;

/**
 * How long a gradient pass of a job took on several GPUs of full nodes.
 *
 * @param gpus all of them
 * @param batch samples of a pass on each GPU; may be a fraction, on average
 * @param passes that share an exchange
 * @param seconds of a pass, with its part of the exchange
 */
public record ScaleSample(int gpus, double batch, double passes, double seconds) {
    /** Where each pass has an exchange of its own. */
    public ScaleSample(int gpus, double batch, double seconds) {
        this(gpus, batch, 1, seconds);
    }

    public ScaleSample {
        if (gpus < 1) {
            throw new IllegalArgumentException("number of GPUs " + gpus + " is not above 0");
        }
        if (!(batch > 0) || Double.isInfinite(batch)) {
            throw new IllegalArgumentException("batch " + batch + " is not a finite number above 0");
        }
        if (!(passes > 0) || Double.isInfinite(passes)) {
            throw new IllegalArgumentException("number of passes " + passes + " is not a finite number above 0");
        }
        if (!(seconds > 0) || Double.isInfinite(seconds)) {
            throw new IllegalArgumentException("iteration time " + seconds + " s is not a finite number above 0");
        }
    }
}
