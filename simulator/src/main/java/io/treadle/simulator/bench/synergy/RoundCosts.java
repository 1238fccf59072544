// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.synergy;

/**
 * What rounds on one cluster take.
 *
 * @param anew in which all jobs wait and the cluster is empty
 * @param steady in which all run that found room, but one in a hundred has ended, and the rest wait
 */
record RoundCosts(RoundCost anew, RoundCost steady) {}
