// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.resource.ResourceVector;

/** How fast a task of a job is. */
@FunctionalInterface
public interface TaskSpeed {
    /** Of tasks of which nothing is known. */
    TaskSpeed UNKNOWN = (group, node, size) -> Double.POSITIVE_INFINITY;

    /** In any unit, the same for all sizes; infinite where nothing is known of tasks of the group: nothing makes them faster. */
    double speed(TaskGroup group, NodeView node, ResourceVector size);
}
