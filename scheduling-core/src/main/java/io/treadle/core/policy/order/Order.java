// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.order;

import io.treadle.core.job.JobView;
import java.util.function.Supplier;

/** In which order jobs of one priority are served; those of a higher priority come before them in every order. */
public interface Order {
    String name();

    /** A job with a lower key is served before one with a higher. */
    double key(JobView job, Moment moment);

    /**
     * The key of a job that runs, as it counts beside those of jobs that wait: never above its own.
     *
     * @param seconds what a stop would cost the job, s at its share: nobody is to take its place for less than that
     */
    default double keyWhileItRuns(JobView job, Moment moment, double seconds) {
        double key = key(job, moment);
        return seconds == 0 ? key : Math.min(key, key(job.shorterBy(seconds), moment));
    }

    /**
     * Decides between equal keys; where it is equal too, jobs are served in the order in which they came to the queue,
     * or came back to it.
     */
    default double tieKey(JobView job) {
        return job.submitMs();
    }

    /** Whether the key of a job that waits is the same at every moment. */
    default boolean isTimeless() {
        return true;
    }

    /**
     * When the turn of a job ends that starts now, ms: it then makes way, even if nobody takes its place, and comes back
     * to the queue. {@link Long#MAX_VALUE} where jobs have no turns. Heeded where jobs take turns at all.
     */
    default long turnEndsMs(JobView job, long nowMs) {
        return Long.MAX_VALUE;
    }

    /**
     * This order where it is known beforehand how much service jobs take; most have no use for that.
     *
     * @param times gives that
     */
    default Order expecting(Supplier<ServiceTimes> times) {
        return this;
    }

    /** How jobs are ordered while all that wait came at this very moment. */
    default Order amongFresh() {
        return this;
    }
}
