// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.cluster;

/**
 * What jobs lose by being placed or handled otherwise than they run best; policies weigh it against what it brings.
 *
 * @param crossing by the network between their tasks
 * @param stopSeconds by a stop: what a job does again and what it does before it goes on, s at its share
 * @param moveSeconds by a move, likewise
 */
public record Overheads(Crossing crossing, double stopSeconds, double moveSeconds) {
    public static final Overheads NONE = new Overheads(Crossing.NONE, 0, 0);
}
