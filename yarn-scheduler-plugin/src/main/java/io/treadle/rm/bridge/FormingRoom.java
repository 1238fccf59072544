// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ContainerAllocationProposal;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ResourceCommitRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/**
 * Room of nodes that members of a forming gang have yet to take. Others get what is left beside it: without that a large
 * gang, which is committed in many holds of the lock, would often lose a node to them in between. It lasts while the
 * gang forms: for milliseconds, and for a second at most with hundreds of members.
 */
public final class FormingRoom {
    private final Map<NodeId, ResourceVector> claims = new ConcurrentHashMap<>();
    private final Map<NodeId, Set<String>> devices = new ConcurrentHashMap<>();

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

    /** @param uuids of devices that one gang will hold: the planner grants one gang after the other */
    void claimDevices(NodeId node, Set<String> uuids) {
        devices.put(node, Set.copyOf(uuids));
    }

    /** Its members hold them now, or do not need them any more. */
    void releaseDevices(NodeId node) {
        devices.remove(node);
    }

    /** Uuids of the node's devices that nobody else may be given now. */
    Set<String> devices(NodeId node) {
        return devices.getOrDefault(node, Set.of());
    }

    /** Whether a container of others has room on the node beside what forming gangs have yet to take there; true while none forms. */
    boolean isLeftBy(FiCaSchedulerNode node, ResourceVector size) {
        return claims.isEmpty()
                || size.plus(claims.getOrDefault(node.getNodeID(), ResourceVector.ZERO))
                        .fitsIn(YarnResources.vector(node.getUnallocatedResource()));
    }

    /** Whether the proposal leaves forming gangs their room; for proposals of others. Nobody reserves a node meanwhile. */
    public boolean isLeftBy(ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode> request) {
        if (claims.isEmpty() || !request.anythingAllocatedOrReserved()) {
            return true;
        }
        ContainerAllocationProposal<FiCaSchedulerApp, FiCaSchedulerNode> proposal =
                request.getFirstAllocatedOrReservedContainer();
        // Wherever YARN reserves, it counts as held by the root and by queues that the gang has yet to take from.
        return proposal.getAllocatedOrReservedContainer().isAllocated()
                && isLeftBy(
                        proposal.getAllocatedOrReservedContainer().getSchedulerNode(),
                        YarnResources.vector(proposal.getAllocatedOrReservedResource()));
    }
}
