// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ContainerAllocationProposal;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ResourceCommitRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/**
 * Room of nodes that members of a forming gang have yet to take. Others get what is left beside it: without that a large
 * gang, which is committed in many holds of the lock, would often lose a node to them in between. It lasts for the
 * milliseconds in which the gang forms.
 */
public final class FormingRoom {
    private final Map<NodeId, ResourceVector> claims = new ConcurrentHashMap<>();

    void claim(NodeId node, ResourceVector more) {
        claims.merge(node, more, ResourceVector::plus);
    }

    /** The members have it now, or do not need it any more. */
    void release(NodeId node, ResourceVector less) {
        claims.computeIfPresent(node, (key, claimed) -> {
            ResourceVector left = claimed.minus(less);
            return left.max(ResourceVector.ZERO).equals(ResourceVector.ZERO) ? null : left;
        });
    }

    /** Whether the proposal leaves forming gangs their room; for proposals of others. */
    public boolean isLeftBy(ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode> request) {
        if (claims.isEmpty() || !request.anythingAllocatedOrReserved()) {
            return true;
        }
        ContainerAllocationProposal<FiCaSchedulerApp, FiCaSchedulerNode> proposal =
                request.getFirstAllocatedOrReservedContainer();
        FiCaSchedulerNode node = proposal.getAllocatedOrReservedContainer().getSchedulerNode();
        ResourceVector claimed = claims.get(node.getNodeID());
        return claimed == null
                || (proposal.getAllocatedOrReservedContainer().isAllocated()
                        && YarnResources.vector(proposal.getAllocatedOrReservedResource())
                                .plus(claimed)
                                .fitsIn(YarnResources.vector(node.getUnallocatedResource())));
    }
}
