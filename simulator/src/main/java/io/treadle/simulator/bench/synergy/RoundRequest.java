// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.synergy;

/**
 * A round of decisions that is to be timed, in words that go from one JVM to another.
 *
 * @param trace its jobs, whenever they come
 * @param cluster file or name
 * @param policy as on the command line
 * @param times by how much the GPUs of each job are multiplied
 * @param seconds how long it is repeated before it counts, and then again
 */
record RoundRequest(String trace, String cluster, String policy, int times, double seconds) {}
