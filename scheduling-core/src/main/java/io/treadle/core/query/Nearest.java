// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.query;

/** The worker on which one task alone would begin earliest. */
final class Nearest {
    private final Costs costs;

    Nearest(Costs costs) {
        this.costs = costs;
    }

    /**
     * @param here where its input is, which costs a transfer to everywhere else
     * @return of workers that are alike the lowest
     */
    int of(QueryTask task, int here, ClusterView seen) {
        int best = 0;
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < seen.workers(); i++) {
            double cost = costMs(task, here, i, seen.at(i));
            if (cost < least - Costs.SLACK_MS) {
                least = cost;
                best = i;
            }
        }
        return best;
    }

    /** Until it could begin there, ms. */
    double costMs(QueryTask task, int here, int worker, WorkerState state) {
        return state.waitMs()
                + (worker == here ? 0 : costs.delays().transferMs(task.inputKb()))
                + costs.fetchMs(task, state);
    }
}
