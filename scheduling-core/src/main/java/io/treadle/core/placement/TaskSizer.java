// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.resource.ResourceVector;

/** How much a task gets on a node. */
@FunctionalInterface
public interface TaskSizer {
    ResourceVector size(TaskGroup group, NodeView node);
}
