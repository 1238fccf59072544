// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeImpl;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/** What a node has, whether it is being decommissioned or not. */
final class PlannedCapacity {
    private PlannedCapacity() {}

    /**
     * All resources of the node. While a node is decommissioned gracefully, YARN lowers its total to what its containers
     * hold, so that it gets no new ones. The tasks there keep their shares of the node as it was.
     */
    static ResourceVector of(FiCaSchedulerNode node) {
        ResourceVector total = YarnResources.vector(node.getTotalResource());
        if (isDraining(node) && node.getRMNode() instanceof RMNodeImpl known) {
            Resource before = known.getOriginalTotalCapability();
            return before == null ? total : total.max(YarnResources.vector(before));
        }
        return total;
    }

    /** Whether the node takes no new containers and no changes to those that it has. */
    static boolean isDraining(FiCaSchedulerNode node) {
        return node.getRMNode().getState() == NodeState.DECOMMISSIONING;
    }
}
