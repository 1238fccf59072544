// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

/**
 * What a job trains, as a trace tells it beside the run time.
 *
 * @param model the model's name
 * @param iterations how many it does
 * @param secondsPerIteration how long one takes, s; with {@code iterations} about the run time, which some traces round
 */
public record Training(String model, double iterations, double secondsPerIteration) {
    /** All iterations. */
    public Work work() {
        return new Work(iterations, secondsPerIteration);
    }
}
