// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.placement.TaskSizer;
import io.treadle.core.resource.ResourceVector;
import org.jspecify.annotations.Nullable;

/** Remembers the last size: most tasks of a gang are of one group, on nodes that differ by name alone. */
final class LastSize implements TaskSizer {
    private final TaskSizer sizer;
    private @Nullable TaskGroup group;
    private @Nullable NodeView node;
    private ResourceVector size = ResourceVector.ZERO;

    LastSize(TaskSizer sizer) {
        this.sizer = sizer;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // the same object, or it is asked again
    public ResourceVector size(TaskGroup ofGroup, NodeView onNode) {
        if (group != ofGroup || node == null || (node != onNode && !node.isSizedLike(onNode))) {
            size = sizer.size(ofGroup, onNode);
            group = ofGroup;
        }
        node = onNode;
        return size;
    }
}
