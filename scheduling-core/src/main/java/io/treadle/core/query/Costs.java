// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.query;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * What planners weigh.
 *
 * @param delays of models and outputs
 * @param cacheAware whether it counts which models a worker has; an ablation where not
 * @param evictionPenalty how many times its fetch a model costs more where others have to go for it, 0 or more
 */
public record Costs(DelayModel delays, boolean cacheAware, double evictionPenalty) {
    /** Differences below are none. */
    static final double SLACK_MS = 1e-9;

    public Costs {
        checkArgument(
                evictionPenalty >= 0 && Double.isFinite(evictionPenalty),
                "eviction penalty is %s, must be a finite number of 0 or more",
                evictionPenalty);
    }

    /** As Compass has it. */
    public static Costs of(DelayModel delays) {
        return new Costs(delays, true, 1);
    }

    /** Until a worker has the models of a task, ms. */
    double fetchMs(QueryTask task, WorkerState worker) {
        if (!cacheAware) {
            return 0;
        }
        double missingKb = 0;
        double fetchMs = 0;
        for (Model model : task.models()) {
            if (!worker.holds(model.id())) {
                missingKb += model.kb();
                fetchMs += delays.fetchMs(model);
            }
        }
        return worker.freeKb() < missingKb ? fetchMs * (1 + evictionPenalty) : fetchMs;
    }
}
