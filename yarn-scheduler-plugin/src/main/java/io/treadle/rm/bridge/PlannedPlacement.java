// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import com.google.common.collect.Iterators;
import io.treadle.rm.gang.GangHost;
import io.treadle.rm.gang.GangTable;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AppSchedulingInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.activities.DiagnosticsCollector;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.SchedulingMode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ContainerRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.PendingAsk;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.AppPlacementAllocator;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.CandidateNodeSet;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.PendingAskUpdateResult;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.jspecify.annotations.Nullable;

/**
 * Stands in front of the allocator of every ask, so that {@link NodeOffers} is heard before a proposal is made. A proposal
 * that is refused only at its commit ends CapacityScheduler's walk on that node, and the same proposal comes again at the
 * next visit: nobody else would ever be served there. The allocator behind it is the one that YARN, an admin or an
 * application names, and for scheduling requests YARN's own.
 */
public final class PlannedPlacement<N extends SchedulerNode> extends AppPlacementAllocator<N> {
    /** True on a thread that grants a planned job: it sees how many containers the job asks for. */
    private static final ThreadLocal<Boolean> GRANTING = ThreadLocal.withInitial(() -> false);

    private volatile @Nullable AppPlacementAllocator<N> behind;
    /** Everything of an application is asked for several times for each container: most of them are none. */
    private boolean isGang;

    private boolean hasResourceRequests;
    private Set<String> deviceTags = Set.of();

    @Override
    public void initialize(AppSchedulingInfo info, SchedulerRequestKey requestKey, RMContext context) {
        super.initialize(info, requestKey, context);
        isGang = GangTable.isGang(info.getApplicationSchedulingEnvs());
        behind = PlacementNames.allocator(info, requestKey, context);
    }

    /** Hadoop's own calls in {@code grant} see what planned jobs ask for. */
    static <T> T granting(Supplier<T> grant) {
        GRANTING.set(true);
        try {
            return grant.get();
        } finally {
            GRANTING.set(false);
        }
    }

    private AppPlacementAllocator<N> behind() {
        return Objects.requireNonNull(behind, "the allocator is used before it is initialised");
    }

    /** An ask by resource requests and one by scheduling requests cannot share a key: YARN's allocators refuse the second. */
    @Override
    public @Nullable PendingAskUpdateResult updatePendingAsk(Collection<ResourceRequest> requests, boolean recovers) {
        if (requests.isEmpty()) {
            return null;
        }
        hasResourceRequests = true;
        return behind().updatePendingAsk(requests, recovers);
    }

    @Override
    public PendingAskUpdateResult updatePendingAsk(
            SchedulerRequestKey key, SchedulingRequest request, boolean recovers) {
        if (!hasResourceRequests && behind().getSchedulingRequest() == null) {
            behind = PlacementNames.forSchedulingRequests(appSchedulingInfo, key, rmContext);
        }
        return behind().updatePendingAsk(key, request, recovers);
    }

    /**
     * Without the nodes that are reserved for a task of a planned job: YARN would propose the task at each heartbeat of
     * such a node, past {@link #precheckNode}.
     */
    @Override
    public Iterator<N> getPreferredNodeIterator(CandidateNodeSet<N> candidates) {
        Iterator<N> nodes = behind().getPreferredNodeIterator(candidates);
        return isLeftToPlanner() ? Iterators.filter(nodes, node -> !isReservedForThis(node)) : nodes;
    }

    private boolean isReservedForThis(SchedulerNode node) {
        RMContainer reserved = node.getReservedContainer();
        return reserved != null
                && reserved.getApplicationAttemptId().equals(appSchedulingInfo.getApplicationAttemptId());
    }

    @Override
    public boolean precheckNode(SchedulerNode node, SchedulingMode mode) {
        return precheckNode(node, mode, Optional.empty());
    }

    @Override
    public boolean precheckNode(SchedulerNode node, SchedulingMode mode, Optional<DiagnosticsCollector> collector) {
        Optional<String> obstacle = rmContext.getScheduler() instanceof GangHost host
                ? host.obstacle(
                        appSchedulingInfo,
                        schedulerRequestKey,
                        getPendingAsk(ResourceRequest.ANY).getPerAllocationResource(),
                        node)
                : Optional.empty();
        if (obstacle.isPresent()) {
            collector.ifPresent(c -> c.collect(obstacle.get(), "its diagnostics say why it waits"));
            return false;
        }
        return behind().precheckNode(node, mode, collector);
    }

    /**
     * Says which devices the next container of this ask gets. YARN gives a container of a scheduling request the tags of
     * the request and forgets those that it had. The caller holds the scheduler's write lock until the commit.
     */
    void choose(Set<String> tags) {
        deviceTags = tags;
    }

    @Override
    public ContainerRequest allocate(SchedulerRequestKey key, NodeType type, SchedulerNode node) {
        if (key.getContainerToUpdate() != null && rmContext.getScheduler() instanceof GangHost host) {
            host.increaseTaken(
                    appSchedulingInfo.getApplicationId(),
                    node.getPartition(),
                    getPendingAsk(ResourceRequest.ANY).getPerAllocationResource());
        }
        ContainerRequest taken = behind().allocate(key, type, node);
        SchedulingRequest request = taken.getSchedulingRequest();
        if (request == null || deviceTags.isEmpty()) {
            return taken;
        }
        Set<String> tags = new HashSet<>(request.getAllocationTags() == null ? Set.of() : request.getAllocationTags());
        tags.addAll(deviceTags);
        request.setAllocationTags(tags);
        return taken;
    }

    @Override
    public Map<String, ResourceRequest> getResourceRequests() {
        return behind().getResourceRequests();
    }

    /** YARN's preemption is to see no demand of a gang's tasks: what it would free a gang could not use. */
    @Override
    public PendingAsk getPendingAsk(String resourceName) {
        return isGang && GangPreemptionPolicy.isLooking() && isLeftToPlanner()
                ? PendingAsk.ZERO
                : behind().getPendingAsk(resourceName);
    }

    /**
     * None of a planned job, except for the planner as it grants it. CapacityScheduler would find the ask larger than what is
     * left of its queue before it asks {@link #precheckNode}: then it looks at nobody behind it in the queue, and keeps from
     * other queues what the queue has left, at each heartbeat, for as long as the gang waits.
     */
    @Override
    public int getOutstandingAsksCount(String resourceName) {
        return isHidden() ? 0 : behind().getOutstandingAsksCount(resourceName);
    }

    private boolean isHidden() {
        return isLeftToPlanner() && !GRANTING.get();
    }

    private boolean isLeftToPlanner() {
        return isGang
                && rmContext.getScheduler() instanceof GangHost host
                && host.isLeftToPlanner(appSchedulingInfo, schedulerRequestKey);
    }

    @Override
    public boolean canAllocate(NodeType type, SchedulerNode node) {
        return behind().canAllocate(type, node);
    }

    @Override
    public boolean canDelayTo(String resourceName) {
        return behind().canDelayTo(resourceName);
    }

    @Override
    public String getPrimaryRequestedNodePartition() {
        return behind().getPrimaryRequestedNodePartition();
    }

    @Override
    public int getUniqueLocationAsks() {
        return behind().getUniqueLocationAsks();
    }

    @Override
    public void showRequests() {
        behind().showRequests();
    }

    @Override
    public @Nullable SchedulingRequest getSchedulingRequest() {
        return behind().getSchedulingRequest();
    }

    @Override
    public int getPlacementAttempt() {
        return behind().getPlacementAttempt();
    }

    @Override
    public void incrementPlacementAttempt() {
        behind().incrementPlacementAttempt();
    }
}
