// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

import io.treadle.core.job.RunningTask;
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
     * What is to change at this moment, with the first of the starts alone. A start is carried out once {@link #runs} is
     * told of it, and void once {@link #withdraw} is.
     */
    List<Decision> decideFirst(long nowMs);

    /** The same, where no job waits but this one. */
    List<Decision> decideOnly(String jobId, long nowMs);

    /** The job does not start after all. */
    void withdraw(String jobId);

    /** Jobs of other queues hold this now. */
    void othersTook(List<RunningTask> tasks);

    void othersGaveBack(List<RunningTask> tasks);

    /** The most that the queue may hold from now on, everything counted. */
    void limit(ResourceVector limit);
}
