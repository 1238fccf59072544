// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.power;

/**
 * Where a GPU's limit may be.
 *
 * @param leastWatts the least that the device takes, W; 0 where unknown
 * @param ownWatts its own limit, which is the most, W; 0 where unknown
 */
public record CapRange(double leastWatts, double ownWatts) {}
