// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

/**
 * What a job loses of its work when it is stopped.
 *
 * @param restartSeconds what it does before it goes on with its work when it starts again, s at its share: loading,
 *     warming up
 * @param checkpointSeconds how long it works from checkpoint to checkpoint, s; it falls back to the last one. 0 where it
 *     loses nothing of what it has done
 */
public record Costs(double restartSeconds, double checkpointSeconds) {
    public static final Costs NONE = new Costs(0, 0);
}
