// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

import io.treadle.core.job.JobView;
import io.treadle.core.plan.Decision;
import io.treadle.core.resource.ResourceVector;
import java.util.List;

/**
 * A session of one of several queues on the same nodes, such as the leaf queues of a ResourceManager. Whoever shares the
 * nodes out asks one queue after the other for its next start, and tells each what the others take and give back. It
 * decides as {@link Policy#plan} would on a snapshot in which {@code othersUse} of the nodes says the same.
 */
public interface SharedSession extends Session {
    /**
     * What changes for jobs that run; none starts.
     *
     * @param mayMove whether something was given back since it was last asked, so that jobs may move there
     */
    List<Decision> settle(long nowMs, boolean mayMove);

    /**
     * What is to change at this moment without moves, with the first of the starts alone. A start is carried out once
     * {@link #runs} is told of it, and void once {@link #withdraw} is.
     */
    List<Decision> decideFirst(long nowMs);

    /** The same, where no job waits but this one. */
    List<Decision> decideOnly(String jobId, long nowMs);

    /** The job does not start after all. */
    void withdraw(String jobId);

    /** A job of another queue holds its tasks now. */
    void othersTook(JobView job);

    void othersGaveBack(JobView job);

    /** Whether jobs of other queues wait. */
    void othersWait(boolean wait);

    /** The most that the queue may hold from now on, everything counted. */
    void limit(ResourceVector limit);
}
