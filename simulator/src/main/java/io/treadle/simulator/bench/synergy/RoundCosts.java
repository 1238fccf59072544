// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.synergy;

/**
 * What rounds on one cluster take.
 *
 * @param anew in which all jobs wait and the cluster is empty
 * @param steady in which all run that found room, but one in a hundred has ended, and the rest wait
 * @param missed part of what no allocation could exceed that is missed where all start, from 0 to 1; below 0 where the
 *     policy does not say
 */
record RoundCosts(RoundCost anew, RoundCost steady, double missed) {}
