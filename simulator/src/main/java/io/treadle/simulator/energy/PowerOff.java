// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.energy;

/**
 * When nodes that nobody uses are switched off.
 *
 * @param idleSeconds how long a node must have been empty, s
 * @param wakeSeconds how long it takes to start again, s
 * @param spare empty nodes that stay on for jobs to come
 * @param offWatts what a node draws that is off, W
 */
public record PowerOff(double idleSeconds, double wakeSeconds, int spare, double offWatts) {
    /** Where nobody says otherwise: five minutes, two, one node, 15 W. */
    public static final PowerOff USUAL = new PowerOff(300, 120, 1, 15);
}
