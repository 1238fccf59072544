// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.queues;

import io.treadle.core.job.RunningTask;
import io.treadle.core.resource.ResourceVector;
import java.util.List;

/** What a job of a queue holds. */
record Held(String jobId, Leaf leaf, List<RunningTask> tasks, ResourceVector size) {
    Held(String jobId, Leaf leaf, List<RunningTask> tasks) {
        this(
                jobId,
                leaf,
                tasks,
                tasks.stream().map(RunningTask::size).reduce(ResourceVector.ZERO, ResourceVector::plus));
    }
}
