// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.power;

/**
 * How one GPU's cap stands.
 *
 * @param wantedWatts what is wanted, brought into what the device can do, W; 0 where nothing is
 * @param effectiveWatts limit that was read back after the last change, W; 0 where none was read
 * @param actuator who sets limits on it
 * @param trouble why what is wanted is not in force; empty where it is
 */
public record CapState(double wantedWatts, double effectiveWatts, String actuator, String trouble) {}
