// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

/**
 * What a sweep's report is about.
 *
 * @param jobs what is replayed, as people call it
 * @param cluster what people call the cluster
 * @param settings what differs from the usual
 * @param pages whether each point has its own report
 */
public record SweepSubject(String jobs, String cluster, String settings, boolean pages) {}
