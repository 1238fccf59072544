// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.SchedulingMode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/**
 * What one user's asks without a label may take in each partition. YARN's limits differ from partition to partition, and a
 * policy knows one limit for all nodes that it sees: so free room beyond a partition's limit is hidden on its nodes. For one
 * snapshot.
 */
final class LentRoom {
    private final SchedulerAccess scheduler;
    private final AbstractLeafQueue queue;
    private final String user;
    /** By partition, what may still be shown. */
    private final Map<String, ResourceVector> left = new HashMap<>();

    LentRoom(SchedulerAccess scheduler, AbstractLeafQueue queue, String user) {
        this.scheduler = scheduler;
        this.queue = queue;
        this.user = user;
    }

    /** @param free by node id, what no container holds there */
    List<NodeView> hide(List<NodeView> nodes, Map<String, ResourceVector> free) {
        List<NodeView> shown = new ArrayList<>();
        for (NodeView view : nodes) {
            Optional<FiCaSchedulerNode> node = scheduler.node(NodeId.fromString(view.id()));
            if (node.isPresent()) {
                shown.add(hide(view, node.get().getPartition(), free.getOrDefault(view.id(), ResourceVector.ZERO)));
            }
        }
        return shown;
    }

    private NodeView hide(NodeView node, String partition, ResourceVector free) {
        if (!node.open()) {
            return node;
        }
        ResourceVector room = left.computeIfAbsent(partition, this::room);
        // Some of it may be hidden already, as it is reserved for a gang.
        ResourceVector open = free.min(node.available()).max(ResourceVector.ZERO);
        ResourceVector shown = open.min(room).max(ResourceVector.ZERO);
        left.put(partition, room.minus(shown));
        ResourceVector hidden = open.minus(shown);
        return hidden.isZero() ? node : node.withOthersTask(hidden);
    }

    private ResourceVector room(String partition) {
        ResourceVector all = YarnResources.vector(scheduler.partitionResource(partition));
        boolean isOwn = partition.isEmpty();
        ResourceVector ofQueue = isOwn
                ? QueueLimits.headroom(queue, partition, scheduler.clusterResource())
                : QueueLimits.lentHeadroom(queue, partition, all);
        SchedulingMode mode =
                isOwn ? SchedulingMode.RESPECT_PARTITION_EXCLUSIVITY : SchedulingMode.IGNORE_PARTITION_EXCLUSIVITY;
        return ofQueue.min(new UserLimits(queue, partition, mode, all).room(user));
    }
}
