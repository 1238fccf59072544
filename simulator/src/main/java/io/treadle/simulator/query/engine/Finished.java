// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.query.engine;

import java.util.List;

/**
 * A request that has been answered.
 *
 * @param endMs when its last task ended
 * @param workers which worker ran each task, by the task's id
 */
public record Finished(Request request, double endMs, List<Integer> workers) {
    public Finished {
        workers = List.copyOf(workers);
    }

    public double latencyMs() {
        return endMs - request.arrivalMs();
    }

    /** In what it takes at best. */
    public double slowdown() {
        return latencyMs() / request.graph().bestMs();
    }
}
