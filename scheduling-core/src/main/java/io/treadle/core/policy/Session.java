// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

import io.treadle.core.cluster.PowerView;
import io.treadle.core.job.JobView;
import io.treadle.core.plan.Decision;
import java.util.List;

/**
 * A policy at work on the jobs of one queue that come and go one by one, for whoever decides so often that a snapshot of
 * everything would cost too much. It decides as {@link Policy#plan} would on a snapshot of the same jobs.
 */
public interface Session {
    /** Later than any moment. */
    long NEVER = Long.MAX_VALUE;

    /** A job that holds nothing: it has come, or has stopped. */
    void waits(JobView job);

    /** A job as it runs now: what was decided for it has been carried out. */
    void runs(JobView job);

    /** A job has ended. */
    void ended(String jobId);

    /** New tasks may start on the node from now on, or not; what runs there goes on. */
    void nodeOpens(String nodeId, boolean isOpen);

    /** What the nodes draw and may draw from now on; for policies that look at it. */
    default void power(PowerView power) {}

    /**
     * What is to change at this moment. The caller carries all of it out.
     *
     * @param nowMs ms on the jobs' clock
     */
    List<Decision> decide(long nowMs);

    /** When it is to be asked again though nothing comes or goes, ms; {@link #NEVER} where there is no need. */
    default long wakesMs() {
        return NEVER;
    }
}
