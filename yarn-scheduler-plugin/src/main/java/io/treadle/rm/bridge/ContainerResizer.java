// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.gang.Gang;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerUpdateType;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.UpdateContainerRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.apache.hadoop.yarn.server.utils.BuilderUtils;

/**
 * Grows and shrinks running containers on the scheduler's own initiative, by YARN's container updates. An increase is
 * committed at once where the node has room, so that it never leaves a reservation behind.
 */
public final class ContainerResizer {
    /** An update takes effect when the AM's next heartbeat fetches it: until then it is not asked for again. */
    private static final long OUTSTANDING_MS = 10_000;

    /** @param target what the update makes of it; what is planned beyond that is an update of its own after this one */
    private record Outstanding(ResourceVector target, long sinceMs) {}

    private final SchedulerAccess scheduler;
    private final Map<ContainerId, Outstanding> outstanding = new ConcurrentHashMap<>();

    private final MemoryWishes memory;
    private final RoundedSizes rounding;

    public ContainerResizer(SchedulerAccess scheduler, MemoryWishes memory) {
        this.scheduler = scheduler;
        this.memory = memory;
        this.rounding = new RoundedSizes(scheduler);
    }

    /** Shrinks the containers that hold more than planned, in the dimensions in which they do; says how many. */
    public int shrink(Gang gang, Map<String, ResourceVector> sizes, long nowMs) {
        return resize(gang, sizes, nowMs, false);
    }

    /** Grows the containers that hold less than planned, where their node and queue have room; says how many. */
    public int grow(Gang gang, Map<String, ResourceVector> sizes, long nowMs) {
        return resize(gang, sizes, nowMs, true);
    }

    /**
     * Forgets updates of containers that are gone.
     *
     * @param jobs those that there are
     */
    public void expire(Set<String> jobs, long nowMs) {
        memory.keep(jobs, nowMs);
        outstanding
                .entrySet()
                .removeIf(o -> nowMs - o.getValue().sinceMs() > OUTSTANDING_MS
                        || !jobs.contains(o.getKey()
                                .getApplicationAttemptId()
                                .getApplicationId()
                                .toString()));
    }

    private int resize(Gang gang, Map<String, ResourceVector> sizes, long nowMs, boolean grow) {
        Optional<FiCaSchedulerApp> app = scheduler.app(gang.id());
        if (app.isEmpty() || sizes.isEmpty()) {
            return 0;
        }
        // What its containers give back may be what its own next ApplicationMaster waits for.
        boolean hasNoMaster = app.get().isWaitingForAMContainer();
        // While an ApplicationMaster starts again, YARN takes an increase for the container of the ApplicationMaster.
        if (!scheduler.isMasterRegistered(gang.id()) && (grow || !hasNoMaster)) {
            return 0;
        }
        List<Resize> wanted = new ArrayList<>();
        LiveTasks live = new LiveTasks(app.get(), gang.spec().groups().size());
        for (LiveTasks.Task task : live.tasks()) {
            ResourceVector size = sizes.get(task.container().getContainerId().toString());
            ResourceVector planned = size == null || !takesUpdates(scheduler, task.container())
                    ? task.size()
                    : attainable(gang, task, size, hasNoMaster, nowMs);
            if (mayResize(task, planned)) {
                ResourceVector target = grow ? planned.max(task.size()) : planned.min(task.size());
                if (!target.equals(task.size())) {
                    wanted.add(new Resize(task, target));
                }
            }
        }
        if (!hasNoMaster) {
            memory.tell(gang.id().toString(), live.containers());
        }
        List<Resize> resized = new ArrayList<>();
        if (hasNoMaster) {
            shrinkWithoutMaster(gang, app.get(), wanted, resized);
        } else {
            carryOut(app.get(), wanted, grow, resized);
        }
        resized.forEach(
                r -> outstanding.put(r.task().container().getContainerId(), new Outstanding(r.target(), nowMs)));
        return resized.size();
    }

    private ResourceVector attainable(
            Gang gang, LiveTasks.Task task, ResourceVector planned, boolean hasNoMaster, long nowMs) {
        long heldMiB = task.size().memoryMiB();
        if (hasNoMaster) {
            // Nobody is there to ask the worker for it.
            return planned.withMemoryMiB(Math.max(heldMiB, planned.memoryMiB()));
        }
        long attainableMiB = memory.attainable(
                gang.id().toString(), task.container().getContainerId(), heldMiB, planned.memoryMiB(), nowMs);
        // A worker gives memory back to the MiB. It keeps what rounding up to YARN's sizes adds to that.
        return attainableMiB == planned.memoryMiB()
                ? planned
                : planned.withMemoryMiB(Math.min(
                        heldMiB,
                        rounding.up(
                                        planned.withMemoryMiB(attainableMiB),
                                        YarnResources.resource(task.size().max(planned)))
                                .memoryMiB()));
    }

    /**
     * In place of the ApplicationMaster, which would fetch the new sizes. The next one is told them when it registers, and Hadoop
     * tells the node.
     */
    @SuppressWarnings("ReferenceEquality") // Another attempt of the application is another object.
    private void shrinkWithoutMaster(Gang gang, FiCaSchedulerApp app, List<Resize> wanted, List<Resize> resized) {
        Set<NodeId> nodes = wanted.stream()
                .map(resize -> resize.task().container().getAllocatedNode())
                .collect(Collectors.toSet());
        // Hadoop makes a token for each container meanwhile, with the address of its node.
        Set<NodeId> unresolved = scheduler.names().unresolved(nodes);
        List<Resize> possible = wanted.stream()
                .filter(resize -> !unresolved.contains(resize.task().container().getAllocatedNode()))
                .toList();
        if (possible.isEmpty()) {
            return;
        }
        carryOut(app, possible, false, resized);
        // When an attempt ends, what it has not fetched is given up: nobody fetches meanwhile.
        gang.delivery()
                .betweenAnswers(() -> PlannerThread.hold(() -> scheduler
                                .app(app.getApplicationId())
                                .filter(now -> now == app)
                                .isPresent()
                        && !app.pullNewlyDecreasedContainers().isEmpty()));
    }

    private record Resize(LiveTasks.Task task, ResourceVector target) {}

    /** What is in flight is found once in each hold of the scheduler's lock. */
    @SuppressWarnings("ReferenceEquality") // Another attempt of the application has other containers in flight.
    private void carryOut(FiCaSchedulerApp app, List<Resize> wanted, boolean grow, List<Resize> resized) {
        Set<ContainerId> updating = new HashSet<>();
        ShortHolds.run(
                scheduler,
                wanted.size(),
                () -> {
                    updating.clear();
                    updating.addAll(UpdatesInFlight.of(app));
                    return scheduler
                            .app(app.getApplicationId())
                            .filter(now -> now == app)
                            .isPresent();
                },
                i -> {
                    Resize resize = wanted.get(i);
                    if (!updating.contains(resize.task().container().getContainerId())
                            && (grow
                                    ? grow(app, resize.task(), resize.target())
                                    : shrink(app, resize.task(), resize.target()))) {
                        resized.add(resize);
                    }
                    return true;
                });
    }

    private boolean mayResize(LiveTasks.Task task, ResourceVector planned) {
        ContainerId id = task.container().getContainerId();
        Outstanding waiting = outstanding.get(id);
        if (waiting != null && task.size().equals(waiting.target())) {
            outstanding.remove(id);
            waiting = null;
        }
        return waiting == null
                && !planned.equals(task.size())
                && task.container().getState() == RMContainerState.RUNNING;
    }

    private boolean shrink(FiCaSchedulerApp app, LiveTasks.Task task, ResourceVector target) {
        ContainerUpdates updates = new ContainerUpdates();
        updates.getDecreaseRequests().add(request(task.container(), ContainerUpdateType.DECREASE_RESOURCE, target));
        scheduler.update(app, updates);
        return true;
    }

    private boolean grow(FiCaSchedulerApp app, LiveTasks.Task task, ResourceVector target) {
        RMContainer container = task.container();
        Optional<FiCaSchedulerNode> node = scheduler.node(container.getAllocatedNode());
        ResourceVector more = target.minus(task.size());
        if (node.isEmpty()
                || node.get().getRMNode().getState() != NodeState.RUNNING
                || node.get().getReservedContainer() != null
                || !more.fitsIn(YarnResources.vector(node.get().getUnallocatedResource()))
                || !more.fitsIn(QueueLimits.headroom(
                        app.getCSLeafQueue(), node.get().getPartition(), scheduler.clusterResource()))
                || (more.storageMBps() > 0 && more.storageMBps() > scheduler.sharedStorageFreeMBps())
                || !UserLimits.mayTake(
                        app.getCSLeafQueue(), app.getUser(), node.get().getPartition(), scheduler.clusterResource())) {
            return false;
        }
        ContainerUpdates updates = new ContainerUpdates();
        updates.getIncreaseRequests().add(request(container, ContainerUpdateType.INCREASE_RESOURCE, target));
        scheduler.update(app, updates);
        boolean committed = commitIncrease(app, node.get(), container, YarnResources.resource(more));
        if (!committed) {
            UpdatesInFlight.withdrawIncrease(app, container.getContainerId());
        }
        return committed;
    }

    private boolean commitIncrease(FiCaSchedulerApp app, FiCaSchedulerNode node, RMContainer container, Resource more) {
        Optional<SchedulerRequestKey> key = app.getSchedulerKeys().stream()
                .filter(k -> container.getContainerId().equals(k.getContainerToUpdate()))
                .findFirst();
        if (key.isEmpty()) {
            return false;
        }
        Container increase = BuilderUtils.newContainer(
                null,
                node.getNodeID(),
                node.getHttpAddress(),
                more,
                key.get().getPriority(),
                null,
                key.get().getAllocationRequestId());
        RMContainer member = app.allocate(node, key.get(), increase);
        // Hadoop asks for an increase at the host's name: where node names carry ports it is found as off-switch only.
        NodeType type = app.getAppSchedulingInfo().checkAllocation(NodeType.NODE_LOCAL, node, key.get())
                ? NodeType.NODE_LOCAL
                : NodeType.OFF_SWITCH;
        return member != null && scheduler.commitPlanned(GangCommitter.proposal(app, node, member, more, type));
    }

    /** Whether the container's node hears of new sizes: one that is being decommissioned does not, nor one that is lost. */
    static boolean takesUpdates(SchedulerAccess scheduler, RMContainer container) {
        return scheduler
                .node(container.getAllocatedNode())
                .filter(node -> node.getRMNode().getState() == NodeState.RUNNING)
                .isPresent();
    }

    private static UpdateContainerRequest request(
            RMContainer container, ContainerUpdateType type, ResourceVector target) {
        return UpdateContainerRequest.newInstance(
                container.getContainer().getVersion(),
                container.getContainerId(),
                type,
                YarnResources.resource(target),
                null);
    }
}
