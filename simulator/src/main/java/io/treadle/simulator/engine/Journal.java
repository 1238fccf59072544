// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.core.plan.TaskPlacement;
import java.util.List;

/**
 * Is told what happens in a run as it happens; times in ms since the trace's zero, none before the one told last.
 * Within one moment stops and ends of jobs may be told after starts that use what they set free.
 */
public interface Journal {
    /** Keeps nothing. */
    Journal NONE = new Journal() {};

    /** The job waits from now on. Jobs come in order of submission; in rounds they are seen later than submitted. */
    default void came(JobRun job, long nowMs) {}

    default void started(JobRun job, long nowMs, List<TaskPlacement> tasks) {}

    /** It goes on in the same places, its tasks with other sizes. */
    default void resized(JobRun job, long nowMs, List<TaskPlacement> tasks) {}

    /** It is to go on later. */
    default void stopped(JobRun job, long nowMs) {}

    /** A node of its went down; it is to go on later. */
    default void failed(JobRun job, long nowMs) {
        stopped(job, nowMs);
    }

    default void nodeDown(String node, long nowMs) {}

    default void nodeUp(String node, long nowMs) {}

    /** It goes on elsewhere without a break. */
    default void moved(JobRun job, long nowMs, List<TaskPlacement> tasks) {}

    /** Its lease is over; it goes on without a break where it is started again in the same moment in the same place. */
    default void returned(JobRun job, long nowMs) {}

    default void ended(JobRun job, long nowMs) {}

    /** A job that never ends found no room when it came: it will not be started. */
    default void leftOut(JobRun job, long nowMs) {}

    /** Another who is told the same, after this one. */
    default Journal and(Journal other) {
        return new TwoJournals(this, other);
    }
}
