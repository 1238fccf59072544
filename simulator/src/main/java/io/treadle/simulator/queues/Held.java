// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.queues;

import io.treadle.core.job.JobView;
import io.treadle.core.job.RunningTask;
import io.treadle.core.resource.ResourceVector;

/** What a job of a queue holds. */
record Held(Leaf leaf, JobView view, ResourceVector size) {
    Held(Leaf leaf, JobView view) {
        this(
                leaf,
                view,
                view.tasks().stream().map(RunningTask::size).reduce(ResourceVector.ZERO, ResourceVector::plus));
    }

    String jobId() {
        return view.id();
    }
}
