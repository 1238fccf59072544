// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.gang.GangHost;
import io.treadle.rm.gang.GangTable;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AppSchedulingInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.activities.DiagnosticsCollector;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.SchedulingMode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ContainerRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.PendingAsk;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.LocalityAppPlacementAllocator;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.jspecify.annotations.Nullable;

/**
 * Offers no node to the task containers of a planned job: they are committed by the planner, whole gangs at a time. Its
 * AM container, its container updates and every other application are placed as ever, except that whole GPUs are only
 * asked of nodes where they are free one by one: what is refused at the commit alone is proposed again at the next visit,
 * and nobody behind it ever gets anything there.
 */
public final class PlannedPlacement<N extends SchedulerNode> extends LocalityAppPlacementAllocator<N> {
    private @Nullable SchedulerRequestKey key;

    @Override
    public void initialize(AppSchedulingInfo info, SchedulerRequestKey requestKey, RMContext context) {
        super.initialize(info, requestKey, context);
        key = requestKey;
    }

    @Override
    public boolean precheckNode(SchedulerNode node, SchedulingMode mode) {
        return mayOffer(node) && super.precheckNode(node, mode);
    }

    @Override
    public boolean precheckNode(SchedulerNode node, SchedulingMode mode, Optional<DiagnosticsCollector> collector) {
        if (mayOffer(node)) {
            return super.precheckNode(node, mode, collector);
        }
        collector.ifPresent(c -> c.collect(
                isGang()
                        ? "the planner grants this gang whole"
                        : "the node's GPUs are taken, sliced or lost, or its room is reserved for a gang",
                "its diagnostics say why it waits"));
        return false;
    }

    @Override
    public ContainerRequest allocate(SchedulerRequestKey requestKey, NodeType type, SchedulerNode node) {
        if (requestKey.getContainerToUpdate() != null && rmContext.getScheduler() instanceof GangHost host) {
            host.increaseTaken(
                    appSchedulingInfo.getApplicationId(),
                    node.getPartition(),
                    getPendingAsk(ResourceRequest.ANY).getPerAllocationResource());
        }
        return super.allocate(requestKey, type, node);
    }

    /** YARN's preemption is to see no demand of a gang's tasks: what it would free a gang could not use. */
    @Override
    public PendingAsk getPendingAsk(String resourceName) {
        PendingAsk ask = super.getPendingAsk(resourceName);
        boolean hidden = GangPreemptionPolicy.isLooking()
                && isGang()
                && key != null
                && key.getContainerToUpdate() == null
                && rmContext.getScheduler() instanceof GangHost host
                && host.isPlanned(appSchedulingInfo.getApplicationId())
                && !host.isWaitingForAppMaster(appSchedulingInfo.getApplicationId());
        return hidden ? PendingAsk.ZERO : ask;
    }

    private boolean isGang() {
        return GangTable.isGang(appSchedulingInfo.getApplicationSchedulingEnvs());
    }

    private boolean mayOffer(SchedulerNode node) {
        ApplicationId id = appSchedulingInfo.getApplicationId();
        if (key == null || !(rmContext.getScheduler() instanceof GangHost host)) {
            return true;
        }
        // What is refused at the commit alone would be proposed again at the next visit.
        ResourceVector ask =
                YarnResources.vector(getPendingAsk(ResourceRequest.ANY).getPerAllocationResource());
        if (!host.leavesReservedRoom(node, id, ask)) {
            return false;
        }
        if (!isGang() || !host.isPlanned(id)) {
            return ask.gpus() == 0 || key.getContainerToUpdate() != null || host.offersGpus(node, ask.gpus());
        }
        if (key.getContainerToUpdate() != null) {
            // The stock check compares host names: two NodeManagers on one host would be confused.
            RMContainer container = rmContext.getScheduler().getRMContainer(key.getContainerToUpdate());
            return container != null && node.getNodeID().equals(container.getAllocatedNode());
        }
        return host.isWaitingForAppMaster(id);
    }
}
