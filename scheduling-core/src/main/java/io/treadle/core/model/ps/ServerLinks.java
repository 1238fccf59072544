// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.model.ps;

/**
 * What it costs workers and parameter servers to talk.
 *
 * @param workerBytesPerSecond of a worker's network; infinite where it is no limit
 * @param serverBytesPerSecond of a server's network; infinite where it is no limit
 * @param updateSecondsPerByte what a server takes to add a worker's gradients to its parameters, s for each byte
 * @param workerSeconds what each worker adds to an iteration, s
 * @param serverSeconds what each server adds to an iteration, s
 */
public record ServerLinks(
        double workerBytesPerSecond,
        double serverBytesPerSecond,
        double updateSecondsPerByte,
        double workerSeconds,
        double serverSeconds) {
    /** @throws IllegalArgumentException where a bandwidth is not above 0, or a time is not finite or below 0 */
    public ServerLinks {
        checkBandwidth("workerBytesPerSecond", workerBytesPerSecond);
        checkBandwidth("serverBytesPerSecond", serverBytesPerSecond);
        checkTime("updateSecondsPerByte", updateSecondsPerByte);
        checkTime("workerSeconds", workerSeconds);
        checkTime("serverSeconds", serverSeconds);
    }

    private static void checkBandwidth(String what, double value) {
        if (!(value > 0)) {
            throw new IllegalArgumentException(what + " is " + value + ", must be above 0");
        }
    }

    private static void checkTime(String what, double value) {
        if (!(value >= 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(what + " is " + value + ", must be a number of 0 or more");
        }
    }

    /** Push and pull of a byte of gradients by each worker, s: its own network is full, or that of the servers. */
    double secondsPerByte(double workersPerServer) {
        return Math.max(2 / workerBytesPerSecond, (2 / serverBytesPerSecond + updateSecondsPerByte) * workersPerServer);
    }
}
