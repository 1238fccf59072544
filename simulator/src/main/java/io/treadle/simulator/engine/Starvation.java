// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.core.job.JobView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Jobs that have waited for so long without a break that they go before all others from the next decision on, for good:
 * Synergy's artifact gives them a higher priority after a thousand hours, whatever the order but fifo.
 */
final class Starvation {
    private record Waiting(JobRun job, long sinceMs) {}

    private final long afterMs;
    /** Those that began to wait, in the order in which they did; some wait no longer. */
    private final Deque<Waiting> queue = new ArrayDeque<>();

    private final Map<JobRun, Long> waiting = new HashMap<>();
    private final Set<JobRun> starved = new HashSet<>();

    /** @param afterMs {@link Long#MAX_VALUE} where nobody ever starves */
    Starvation(long afterMs) {
        this.afterMs = afterMs;
    }

    /** @param sinceMs no earlier than of any job before */
    void waits(JobRun job, long sinceMs) {
        if (afterMs < Long.MAX_VALUE && !starved.contains(job)) {
            queue.add(new Waiting(job, sinceMs));
            waiting.put(job, sinceMs);
        }
    }

    void runs(JobRun job) {
        waiting.remove(job);
    }

    /** Those that have begun to starve since this was last asked. */
    List<JobRun> begun(long nowMs) {
        List<JobRun> begun = new ArrayList<>();
        while (!queue.isEmpty() && nowMs - queue.element().sinceMs() > afterMs) {
            Waiting first = queue.remove();
            if (waiting.remove(first.job(), first.sinceMs())) {
                starved.add(first.job());
                begun.add(first.job());
            }
        }
        return begun;
    }

    /** The job as it waits. */
    JobView view(JobRun job) {
        JobView view = job.view();
        return starved.contains(job) ? view.withPriority(view.priority() + 1) : view;
    }
}
