// SPDX-License-Identifier: Apache-2.0
package io.treadle.live;

/**
 * A worker measured at one size.
 *
 * @param samplesPerSecond its speed
 * @param relativeError standard error of the speed, relative to it
 * @param seconds after which its speed was known well enough; the change of size and settling are not counted
 */
record SizeSpeed(long vcores, double samplesPerSecond, double relativeError, double seconds) {}
