// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.model.ps;

/**
 * A layer of a model.
 *
 * @param forwardSecondsPerSample of a worker, s
 * @param backwardSecondsPerSample of a worker, s
 * @param forwardSeconds what a pass takes whatever its samples, s
 * @param backwardSeconds likewise, s
 * @param gradientBytes of its parameters: what a worker pushes and pulls in an iteration
 */
public record Layer(
        double forwardSecondsPerSample,
        double backwardSecondsPerSample,
        double forwardSeconds,
        double backwardSeconds,
        double gradientBytes) {
    /** @throws IllegalArgumentException where a number is not finite or below 0 */
    public Layer {
        check("forwardSecondsPerSample", forwardSecondsPerSample);
        check("backwardSecondsPerSample", backwardSecondsPerSample);
        check("forwardSeconds", forwardSeconds);
        check("backwardSeconds", backwardSeconds);
        check("gradientBytes", gradientBytes);
    }

    private static void check(String what, double value) {
        if (!(value >= 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException("layer's " + what + " is " + value + ", must be a number of 0 or more");
        }
    }
}
