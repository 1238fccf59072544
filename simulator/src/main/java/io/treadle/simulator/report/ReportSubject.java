// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.trace.TraceJob;
import java.util.List;
import java.util.function.Predicate;

/**
 * What was replayed.
 *
 * @param trace what people call the trace
 * @param cluster where
 * @param jobs in order of submission, at least one
 * @param counts whether a job is among those that are measured
 * @param settings further settings as people wrote them, such as {@code --compat helios}; may be empty
 * @param policies how many policies there are to be
 */
public record ReportSubject(
        String trace,
        SimCluster cluster,
        List<TraceJob> jobs,
        Predicate<TraceJob> counts,
        String settings,
        int policies) {
    public ReportSubject {
        jobs = List.copyOf(jobs);
    }
}
