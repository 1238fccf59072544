// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import com.google.common.collect.Iterators;
import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.gang.GangHost;
import io.treadle.rm.gang.GangTable;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
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
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.LocalityAppPlacementAllocator;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.PendingAskUpdateResult;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.jspecify.annotations.Nullable;

/**
 * The allocator of every ask, so that {@link NodeOffers} is heard before a proposal is made. A proposal that is refused
 * only at its commit ends CapacityScheduler's walk on that node, and the same proposal comes again at the next visit:
 * nobody else would ever be served there. It is YARN's own for resource requests, or stands in front of the one that an
 * admin or an application names, and for scheduling requests in front of YARN's own for those.
 */
public final class PlannedPlacement<N extends SchedulerNode> extends LocalityAppPlacementAllocator<N> {
    /** True on a thread that grants a planned job: it sees how many containers the job asks for. */
    private static final ThreadLocal<Boolean> GRANTING = ThreadLocal.withInitial(() -> false);

    /** Null where this is the allocator itself: the most asks, of which everything is asked many times a container. */
    private volatile @Nullable AppPlacementAllocator<N> behind;

    /** Kept here: everything is asked many times a container, and to ask what the scheduler is costs more than some answers. */
    private @Nullable GangHost host;

    private boolean isGang;
    /** Of one container. It is read for each node that is looked at, and changes only with the ask. */
    private volatile ResourceVector size = ResourceVector.ZERO;
    /** By node or rack at which containers of another size are asked for: by YARN's rules one key may have several. */
    private volatile Map<String, ResourceVector> sizesElsewhere = Map.of();

    /** Goes up before and after each change of what is asked for: it is odd meanwhile. */
    private final AtomicInteger changes = new AtomicInteger();

    private volatile @Nullable Known known;

    private boolean hasResourceRequests;
    private Set<String> deviceTags = Set.of();

    /**
     * What is asked for on any node. YARN's own takes a lock and looks it up each time, several times for each application that it
     * offers a node.
     *
     * @param changes how often the ask had changed
     * @param isNowhereElse whether no node and no rack is named: so most asks are
     */
    private record Known(int changes, PendingAsk ask, boolean isNowhereElse) {}

    @Override
    public void initialize(AppSchedulingInfo info, SchedulerRequestKey requestKey, RMContext context) {
        super.initialize(info, requestKey, context);
        host = context.getScheduler() instanceof GangHost ours ? ours : null;
        isGang = GangTable.isGang(info.getApplicationSchedulingEnvs());
        behind = PlacementNames.<N>named(info, requestKey, context).orElse(null);
    }

    /** Hadoop's own calls in {@code grant} see what planned jobs ask for. */
    static boolean granting(BooleanSupplier grant) {
        GRANTING.set(true);
        try {
            return grant.getAsBoolean();
        } finally {
            GRANTING.set(false);
        }
    }

    /** An ask by resource requests and one by scheduling requests cannot share a key: YARN's allocators refuse the second. */
    @Override
    public @Nullable PendingAskUpdateResult updatePendingAsk(Collection<ResourceRequest> requests, boolean recovers) {
        if (requests.isEmpty()) {
            return null;
        }
        hasResourceRequests = true;
        AppPlacementAllocator<N> other = behind;
        PendingAskUpdateResult result = other == null
                ? changing(() -> super.updatePendingAsk(requests, recovers))
                : other.updatePendingAsk(requests, recovers);
        measure(requests);
        return result;
    }

    @Override
    public PendingAskUpdateResult updatePendingAsk(
            SchedulerRequestKey key, SchedulingRequest request, boolean recovers) {
        AppPlacementAllocator<N> other = behind;
        if (!hasResourceRequests && (other == null || other.getSchedulingRequest() == null)) {
            other = PlacementNames.forSchedulingRequests(appSchedulingInfo, key, rmContext);
            behind = other;
        }
        PendingAskUpdateResult result = other == null
                ? super.updatePendingAsk(key, request, recovers)
                : other.updatePendingAsk(key, request, recovers);
        measure(List.of());
        return result;
    }

    private void measure(Collection<ResourceRequest> changed) {
        ResourceVector any = YarnResources.vector(ask(ResourceRequest.ANY).getPerAllocationResource());
        boolean isOther = !any.equals(size);
        Map<String, ResourceVector> elsewhere = new HashMap<>(isOther ? Map.of() : sizesElsewhere);
        for (ResourceRequest request : isOther ? getResourceRequests().values() : changed) {
            ResourceVector there = YarnResources.vector(request.getCapability());
            if (request.getNumContainers() == 0 || there.equals(any)) {
                elsewhere.remove(request.getResourceName());
            } else {
                elsewhere.put(request.getResourceName(), there);
            }
        }
        size = any;
        sizesElsewhere = Map.copyOf(elsewhere);
    }

    /** Of the container that would be proposed for the node, or more where it may be one of several sizes. */
    private ResourceVector sizeOn(SchedulerNode node) {
        Map<String, ResourceVector> elsewhere = sizesElsewhere;
        return elsewhere.isEmpty()
                ? size
                : size.max(elsewhere.getOrDefault(node.getRackName(), ResourceVector.ZERO))
                        .max(elsewhere.getOrDefault(node.getNodeName(), ResourceVector.ZERO));
    }

    private PendingAsk ask(String resourceName) {
        AppPlacementAllocator<N> other = behind;
        if (other != null) {
            return other.getPendingAsk(resourceName);
        }
        if (resourceName.equals(ResourceRequest.ANY)) {
            return known().ask();
        }
        return known().isNowhereElse() ? PendingAsk.ZERO : super.getPendingAsk(resourceName);
    }

    private <T> T changing(Supplier<T> change) {
        changes.incrementAndGet();
        try {
            return change.get();
        } finally {
            changes.incrementAndGet();
        }
    }

    private Known known() {
        int now = changes.get();
        Known before = known;
        if (before != null && before.changes() == now) {
            return before;
        }
        PendingAsk ask = super.getPendingAsk(ResourceRequest.ANY);
        Map<String, ResourceRequest> requests = super.getResourceRequests();
        Known read = new Known(now, ask, requests.size() == 1 && requests.containsKey(ResourceRequest.ANY));
        if (now % 2 == 0) {
            known = read;
        }
        return read;
    }

    /**
     * Without the nodes that are reserved for a task of a planned job: YARN would propose the task at each heartbeat of
     * such a node, past {@link #precheckNode}.
     */
    @Override
    public Iterator<N> getPreferredNodeIterator(CandidateNodeSet<N> candidates) {
        AppPlacementAllocator<N> other = behind;
        Iterator<N> nodes =
                other == null ? super.getPreferredNodeIterator(candidates) : other.getPreferredNodeIterator(candidates);
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
        GangHost ours = host;
        Optional<String> obstacle = ours == null
                ? Optional.empty()
                : ours.obstacle(appSchedulingInfo, schedulerRequestKey, sizeOn(node), node);
        if (obstacle.isPresent()) {
            collector.ifPresent(c -> c.collect(obstacle.get(), "its diagnostics say why it waits"));
            return false;
        }
        AppPlacementAllocator<N> other = behind;
        return other == null ? super.precheckNode(node, mode, collector) : other.precheckNode(node, mode, collector);
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
        GangHost ours = host;
        if (key.getContainerToUpdate() != null && ours != null) {
            ours.increaseTaken(
                    appSchedulingInfo.getApplicationId(),
                    node.getPartition(),
                    getPendingAsk(ResourceRequest.ANY).getPerAllocationResource());
        }
        AppPlacementAllocator<N> other = behind;
        if (other == null) {
            return allocateOwn(key, type, node);
        }
        ContainerRequest taken = other.allocate(key, type, node);
        SchedulingRequest request = taken.getSchedulingRequest();
        if (request == null || deviceTags.isEmpty()) {
            return taken;
        }
        Set<String> tags = new HashSet<>(request.getAllocationTags() == null ? Set.of() : request.getAllocationTags());
        tags.addAll(deviceTags);
        request.setAllocationTags(tags);
        return taken;
    }

    /** The caller holds the lock of the application's asks, under which all of them change. */
    private ContainerRequest allocateOwn(SchedulerRequestKey key, NodeType type, SchedulerNode node) {
        Known before = known();
        ContainerRequest taken = changing(() -> super.allocate(key, type, node));
        int left = before.ask().getCount() - 1;
        // With the last one YARN's own looks whether the application asks for anything else.
        if (before.isNowhereElse() && left > 0) {
            PendingAsk ask = new PendingAsk(before.ask().getPerAllocationResource(), left);
            known = new Known(before.changes() + 2, ask, true);
        }
        return taken;
    }

    @Override
    public Map<String, ResourceRequest> getResourceRequests() {
        AppPlacementAllocator<N> other = behind;
        return other == null ? super.getResourceRequests() : other.getResourceRequests();
    }

    /** YARN's preemption is to see no demand of a gang's tasks: what it would free a gang could not use. */
    @Override
    public PendingAsk getPendingAsk(String resourceName) {
        GangHost ours = host;
        return isGang
                        && ours != null
                        && GangPreemptionPolicy.isLooking()
                        && ours.isServedByPlanner(appSchedulingInfo.getApplicationId())
                ? PendingAsk.ZERO
                : ask(resourceName);
    }

    /**
     * None of a planned job, except for the planner as it grants it. CapacityScheduler would find the ask larger than what is
     * left of its queue before it asks {@link #precheckNode}: then it looks at nobody behind it in the queue, and keeps from
     * other queues what the queue has left, at each heartbeat, for as long as the gang waits.
     */
    @Override
    public int getOutstandingAsksCount(String resourceName) {
        if (isHidden()) {
            return 0;
        }
        AppPlacementAllocator<N> other = behind;
        return other == null ? ask(resourceName).getCount() : other.getOutstandingAsksCount(resourceName);
    }

    private boolean isHidden() {
        return isLeftToPlanner() && !GRANTING.get();
    }

    private boolean isLeftToPlanner() {
        GangHost ours = host;
        return isGang && ours != null && ours.isLeftToPlanner(appSchedulingInfo, schedulerRequestKey);
    }

    @Override
    public boolean canAllocate(NodeType type, SchedulerNode node) {
        AppPlacementAllocator<N> other = behind;
        if (other != null) {
            return other.canAllocate(type, node);
        }
        Known now = known();
        return now.isNowhereElse()
                ? now.ask().getCount() > 0 && type != NodeType.RACK_LOCAL && type != NodeType.NODE_LOCAL
                : super.canAllocate(type, node);
    }

    @Override
    public boolean canDelayTo(String resourceName) {
        AppPlacementAllocator<N> other = behind;
        if (other != null) {
            return other.canDelayTo(resourceName);
        }
        return (known().isNowhereElse() && !resourceName.equals(ResourceRequest.ANY)) || super.canDelayTo(resourceName);
    }

    @Override
    public String getPrimaryRequestedNodePartition() {
        AppPlacementAllocator<N> other = behind;
        return other == null ? super.getPrimaryRequestedNodePartition() : other.getPrimaryRequestedNodePartition();
    }

    @Override
    public int getUniqueLocationAsks() {
        AppPlacementAllocator<N> other = behind;
        return other == null ? super.getUniqueLocationAsks() : other.getUniqueLocationAsks();
    }

    @Override
    public void showRequests() {
        AppPlacementAllocator<N> other = behind;
        if (other == null) {
            super.showRequests();
        } else {
            other.showRequests();
        }
    }

    @Override
    public @Nullable SchedulingRequest getSchedulingRequest() {
        AppPlacementAllocator<N> other = behind;
        return other == null ? super.getSchedulingRequest() : other.getSchedulingRequest();
    }

    @Override
    public int getPlacementAttempt() {
        AppPlacementAllocator<N> other = behind;
        return other == null ? super.getPlacementAttempt() : other.getPlacementAttempt();
    }

    @Override
    public void incrementPlacementAttempt() {
        AppPlacementAllocator<N> other = behind;
        if (other == null) {
            super.incrementPlacementAttempt();
        } else {
            other.incrementPlacementAttempt();
        }
    }
}
