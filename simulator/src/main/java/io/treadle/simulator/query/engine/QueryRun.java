// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.query.engine;

import java.util.List;

/**
 * What came of all requests under a policy.
 *
 * @param finished in the order of their arrival
 * @param workers one for each
 * @param waiting time that requests were on their way, for each stretch of time
 * @param wallSeconds how long the simulation took
 */
public record QueryRun(
        String policy,
        List<Finished> finished,
        List<WorkerFigures> workers,
        CacheFigures cache,
        FoldingSeries waiting,
        double wallSeconds) {
    public QueryRun {
        finished = List.copyOf(finished);
        workers = List.copyOf(workers);
    }

    /** When the last request was answered, ms. */
    public double endMs() {
        return finished.stream().mapToDouble(Finished::endMs).max().orElse(0);
    }
}
