// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.check;

import io.treadle.core.plan.TaskPlacement;
import io.treadle.simulator.engine.JobRun;
import java.util.List;

/**
 * One rule. Within a moment it is told what came and went as the journal is, and then, once for each job, what has changed
 * hands: first all that was given back, then all that was taken.
 *
 * @see BrokenRuleException what it throws
 */
interface Check {
    default void came(JobRun job, long nowMs) {}

    default void started(JobRun job, long nowMs) {}

    /** It goes on with other sizes, or in another place. */
    default void resized(JobRun job, long nowMs) {}

    /** It waits again. */
    default void paused(JobRun job, long nowMs) {}

    default void ended(JobRun job, long nowMs) {}

    /** It waits no longer and never ran. */
    default void leftOut(JobRun job, long nowMs) {}

    default void nodeDown(String node) {}

    default void nodeUp(String node) {}

    default void gaveBack(JobRun job, List<TaskPlacement> tasks) {}

    default void took(JobRun job, List<TaskPlacement> tasks) {}

    /** All of a moment has happened. */
    default void settled(long nowMs) {}

    /** The run is over. */
    default void over(long nowMs) {}

    /** What was checked, with numbers, as part of a line. */
    String words();
}
