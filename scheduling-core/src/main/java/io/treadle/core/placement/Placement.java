// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import io.treadle.core.job.JobView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.plan.TaskPlacement;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;

/** Finds nodes for the tasks of one job. */
public interface Placement {
    /** The name on the command line and in queue settings. */
    String name();

    /**
     * This placement where it is known beforehand what comes; most have no use for that.
     *
     * @param tasks gives those that stand for what usually comes
     */
    default Placement expecting(Supplier<TypicalTasks> tasks) {
        return this;
    }

    /**
     * This placement where tasks are to grow once all are placed; most look at what tasks are charged alone.
     *
     * @param wishes what they could use
     */
    default Placement towards(Wishes wishes) {
        return this;
    }

    /**
     * How badly these tasks would go with what is left where they fit best, from 0; empty where they fit nowhere. Placements
     * that see no difference say 0.
     */
    default OptionalDouble misfit(JobView job, List<TaskGroup> tasks, TaskSizer sizer, Ledger ledger) {
        return OptionalDouble.of(0);
    }

    /** Whether it matters to it which GPUs of a node a task gets, though to the task they are all the same. */
    default boolean tellsGpusApart() {
        return false;
    }

    /**
     * Places all tasks and charges them to the ledger, or none and leaves the ledger as it was.
     *
     * @param tasks the group of each task that is to start, groups in the job's order
     * @return a placement for each task, in their order; empty if they do not all fit
     */
    Optional<List<TaskPlacement>> place(JobView job, List<TaskGroup> tasks, TaskSizer sizer, Ledger ledger);
}
