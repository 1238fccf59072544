// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

import io.treadle.core.job.JobView;
import io.treadle.core.policy.order.Moment;
import io.treadle.core.policy.order.Order;
import java.util.Comparator;

/**
 * An order as a comparator of jobs: those of higher priority first, as in YARN's queues, then by the order's key, then by
 * what decides its ties.
 */
final class Keys {
    private Keys() {}

    static Comparator<JobView> comparator(Order order, Moment moment) {
        return againstRunning(order, moment, 0);
    }

    /**
     * Of a job that waits, first, and one that runs.
     *
     * @param stopSeconds what a stop would cost the one that runs, s at its share
     */
    static Comparator<JobView> againstRunning(Order order, Moment moment, double stopSeconds) {
        return (a, b) -> {
            int prior = Integer.compare(b.priority(), a.priority());
            if (prior != 0) {
                return prior;
            }
            int compared = Double.compare(order.key(a, moment), order.keyWhileItRuns(b, moment, stopSeconds));
            return compared != 0 ? compared : Double.compare(order.tieKey(a), order.tieKey(b));
        };
    }
}
