// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cluster;

/**
 * How often a node fails; both times are exponentially distributed.
 *
 * @param meanUpMs from a repair, or the trace's zero, to the next failure, ms
 * @param meanDownMs from a failure to its repair, ms
 */
public record FailureRate(double meanUpMs, double meanDownMs) {}
