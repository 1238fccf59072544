// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.core.job.TaskGroup;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.trace.TraceJob;
import java.util.List;
import java.util.Set;

/** Jobs as AnalySIM's public predecessor has them ({@code job.py}). */
final class AnalysimJobs {
    /** What a job takes on each of its nodes ({@code cluster.py}). */
    private static final long VCORES = 4;

    private AnalysimJobs() {}

    /** @param single whether its GPUs may be anywhere: then each is a task, and CPU does not count */
    static TraceJob of(TraceJob job, boolean single) {
        int nodes = job.groups().stream().mapToInt(TaskGroup::min).sum();
        long each = (job.gpus() + nodes - 1) / nodes;
        TaskGroup group = single
                ? group((int) (nodes * each), ResourceVector.of(1, 0, 0))
                : group(nodes, ResourceVector.of(each, VCORES, 0));
        return job.inWholeSeconds().withGroups(List.of(group));
    }

    private static TaskGroup group(int tasks, ResourceVector ask) {
        return new TaskGroup("worker", tasks, tasks, ask, Set.of());
    }
}
