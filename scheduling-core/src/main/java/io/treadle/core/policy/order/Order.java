// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.order;

import io.treadle.core.job.JobView;

/** In which order jobs are served. Jobs with equal keys stay in the order in which they came. */
public interface Order {
    String name();

    /** A job with a lower key is served before one with a higher. */
    double key(JobView job, Moment moment);

    /** Whether the key of a job that waits is the same at every moment. */
    default boolean isTimeless() {
        return true;
    }

    /** How jobs are ordered while all that wait came at this very moment; decides between equal keys at others. */
    default Order amongFresh() {
        return this;
    }
}
