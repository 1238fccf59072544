// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import io.treadle.core.job.JobView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.plan.TaskPlacement;
import java.util.List;
import java.util.Optional;

/** What suits the allocation: {@link Balanced} where tasks are to grow on their nodes, else {@link Consolidate}. */
public final class Auto implements Placement {
    private final Placement consolidate = new Consolidate();

    @Override
    public String name() {
        return "auto";
    }

    @Override
    public Placement towards(Wishes wishes) {
        return new Balanced().towards(wishes);
    }

    @Override
    public Optional<List<TaskPlacement>> place(JobView job, List<TaskGroup> tasks, TaskSizer sizer, Ledger ledger) {
        return consolidate.place(job, tasks, sizer, ledger);
    }
}
