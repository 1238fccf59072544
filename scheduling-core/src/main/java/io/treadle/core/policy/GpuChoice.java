// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

import io.treadle.core.explain.Reason;
import io.treadle.core.job.JobView;
import io.treadle.core.plan.Decision;
import io.treadle.core.policy.order.Moment;
import io.treadle.core.policy.order.Order;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who holds GPUs from now on, by their number alone: jobs in their order, waiting and running together, as long as there
 * are GPUs. A job that runs counts as shorter by what a stop would cost it. Of jobs that compare
 * equal, those that wait before those that run. A job that holds more tasks than it needs
 * is chosen with all of them or stops.
 *
 * @param starting waiting jobs that may start, in their order
 * @param stopping running jobs that make way
 * @param again whether one of these may be chosen again with the tasks that it needs
 */
record GpuChoice(List<JobView> starting, List<Decision.Stop> stopping, boolean again) {
    /** @param gpus all that can be used */
    static GpuChoice of(Order order, Waiting waiting, Running running, long gpus, Moment moment) {
        List<JobView> chosen = new ArrayList<>();
        if (running.gpus() + waiting.gpus() < gpus) {
            // Nobody has to make way, whatever the order.
            waiting.served(moment.nowMs()).forEach(chosen::add);
            return new GpuChoice(chosen, List.of(), false);
        }
        List<Decision.Stop> stopping = new ArrayList<>();
        boolean again = false;
        long quota = gpus;
        // What is left only gets less: where one finds too little, so do those of its shape behind it.
        waiting.roomWasMade();
        Iterator<JobView> waits =
                waiting.served(moment.nowMs(), job -> isLast(chosen, job)).iterator();
        Comparator<JobView> comparator = running.againstWaiting(moment);
        Iterator<JobView> runs = running.inOrder(moment);
        @Nullable JobView nextWaiting = next(waits);
        @Nullable JobView nextRunning = next(runs);
        while (nextRunning != null || (nextWaiting != null && quota > 0)) {
            if (nextWaiting != null
                    && quota > 0
                    && (nextRunning == null || comparator.compare(nextWaiting, nextRunning) <= 0)) {
                if (nextWaiting.gpus() <= quota) {
                    quota -= nextWaiting.gpus();
                    chosen.add(nextWaiting);
                }
                nextWaiting = next(waits);
            } else if (nextRunning != null) {
                long held = nextRunning.heldGpus();
                if (held <= quota) {
                    quota -= held;
                } else {
                    stopping.add(new Decision.Stop(nextRunning.id(), new Reason.Displaced(held, Math.max(0, quota))));
                    again |= held > nextRunning.gpus();
                }
                nextRunning = next(runs);
            }
        }
        return new GpuChoice(chosen, stopping, again);
    }

    private static boolean isLast(List<JobView> chosen, JobView job) {
        return !chosen.isEmpty() && chosen.get(chosen.size() - 1).id().equals(job.id());
    }

    private static @Nullable JobView next(Iterator<JobView> jobs) {
        return jobs.hasNext() ? jobs.next() : null;
    }
}
