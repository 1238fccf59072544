// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.job.DeviceShare;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.profile.Telemetry;
import io.treadle.rm.sleep.Sleeping;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerImpl;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.SchedulingMode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ContainerAllocationProposal;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ResourceCommitRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.SchedulerContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.apache.hadoop.yarn.server.utils.BuilderUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Commits the members of a gang through CapacityScheduler's own path: all of them, or none. */
public final class GangCommitter {
    private static final Logger LOG = LoggerFactory.getLogger(GangCommitter.class);

    private final SchedulerAccess scheduler;
    private final Telemetry telemetry;
    private final Sleeping sleeping;
    private final GangReservations reservations;

    public GangCommitter(
            SchedulerAccess scheduler, Telemetry telemetry, Sleeping sleeping, GangReservations reservations) {
        this.reservations = reservations;
        this.sleeping = sleeping;
        this.scheduler = scheduler;
        this.telemetry = telemetry;
    }

    /**
     * @return empty when every member is committed; otherwise why none is
     */
    public Optional<String> commit(Gang gang, List<TaskPlacement> tasks) {
        Optional<FiCaSchedulerApp> app = scheduler.app(gang.id());
        if (app.isEmpty()) {
            return Optional.of("its ApplicationMaster is gone");
        }
        // The AM is being answered now: the next round tries again.
        if (!gang.delivery().tryLock()) {
            return Optional.of("its ApplicationMaster is being answered");
        }
        try {
            List<String> problems = new ArrayList<>();
            scheduler.locked(() -> {
                firstObstacle(app.get(), gang, tasks)
                        .or(() -> commitAll(app.get(), gang, tasks))
                        .ifPresent(problems::add);
                return problems.isEmpty();
            });
            return problems.stream().findFirst();
        } finally {
            gang.delivery().unlock();
        }
    }

    /** Checks every member before the first is touched, so that taking back is rare. */
    private Optional<String> firstObstacle(FiCaSchedulerApp app, Gang gang, List<TaskPlacement> tasks) {
        if (app.isWaitingForAMContainer()) {
            return Optional.of("its ApplicationMaster is starting");
        }
        Map<String, ResourceVector> byNode = new HashMap<>();
        tasks.forEach(t -> byNode.merge(t.nodeId(), t.size(), ResourceVector::plus));
        String partition = null;
        for (Map.Entry<String, ResourceVector> entry : byNode.entrySet()) {
            FiCaSchedulerNode node =
                    scheduler.node(NodeId.fromString(entry.getKey())).orElse(null);
            if (node == null || node.getRMNode().getState() != NodeState.RUNNING) {
                return Optional.of("node " + entry.getKey() + " is gone");
            }
            if (!node.getPartition().equals(gang.partition()) || isAvoided(app, node)) {
                return Optional.of("node " + entry.getKey() + " is no longer open to it");
            }
            if (sleeping.isGoing(node.getNodeID().getHost())) {
                return Optional.of("node " + entry.getKey() + " was about to be switched off");
            }
            if (node.getReservedContainer() != null) {
                return Optional.of("node " + entry.getKey() + " is reserved for another application");
            }
            ResourceVector free = YarnResources.vector(node.getUnallocatedResource())
                    .minus(reservations.forOthers(node.getNodeID(), gang.id()));
            if (!entry.getValue().fitsIn(free.max(ResourceVector.ZERO))) {
                return Optional.of("node " + entry.getKey() + " has "
                        + free.max(ResourceVector.ZERO).describe() + " free, the gang needs "
                        + entry.getValue().describe() + " there");
            }
            Optional<String> device = deviceObstacle(node, tasks);
            if (device.isPresent()) {
                return device;
            }
            partition = node.getPartition();
        }
        if (partition != null
                && !UserLimits.mayTake(app.getCSLeafQueue(), app.getUser(), partition, scheduler.clusterResource())) {
            return Optional.of("user " + app.getUser() + " holds more of its queue than CapacityScheduler allows it");
        }
        ResourceVector sum = tasks.stream().map(TaskPlacement::size).reduce(ResourceVector.ZERO, ResourceVector::plus);
        ResourceVector headroom = QueueLimits.headroom(
                app.getCSLeafQueue(), partition == null ? "" : partition, scheduler.clusterResource());
        if (!sum.fitsIn(headroom)) {
            return Optional.of("its queue has " + headroom.describe() + " left, the gang needs " + sum.describe());
        }
        long shared = scheduler.sharedStorageFreeMBps();
        return sum.storageMBps() <= Math.max(0, shared)
                ? Optional.empty()
                : Optional.of("the shared file system has " + Math.max(0, shared) + " MB/s left, the gang needs "
                        + sum.storageMBps() + " MB/s");
    }

    private static boolean isAvoided(FiCaSchedulerApp app, FiCaSchedulerNode node) {
        return Stream.of(node.getNodeName(), node.getNodeID().getHost(), node.getRackName())
                .anyMatch(app::isPlaceBlacklisted);
    }

    /** The plan chose its devices from a snapshot: since then another container may have got one, or one was lost. */
    private Optional<String> deviceObstacle(FiCaSchedulerNode node, List<TaskPlacement> tasks) {
        String id = node.getNodeID().toString();
        List<DeviceShare> wanted = tasks.stream()
                .filter(t -> t.nodeId().equals(id))
                .flatMap(t -> t.devices().stream())
                .toList();
        if (wanted.isEmpty()) {
            return Optional.empty();
        }
        return NodeDevices.of(node, telemetry)
                .map(devices -> devices.obstacle(wanted))
                .orElseGet(() -> Optional.of("its devices are no longer known one by one"))
                .map(why -> "node " + id + ": " + why);
    }

    private Optional<String> commitAll(FiCaSchedulerApp app, Gang gang, List<TaskPlacement> tasks) {
        List<RMContainer> committed = new ArrayList<>();
        Map<SchedulerRequestKey, Resource> asks = new HashMap<>();
        for (TaskPlacement task : tasks) {
            Optional<RMContainer> member;
            try {
                member = commitOne(app, gang, task, asks);
            } catch (RuntimeException e) {
                takeBack(app, committed, asks);
                throw e;
            }
            if (member.isEmpty()) {
                LOG.warn(
                        "Gang of {} is taken back: member {} of {} on {} was refused",
                        gang.id(),
                        committed.size() + 1,
                        tasks.size(),
                        task.nodeId());
                takeBack(app, committed, asks);
                return Optional.of("a member on " + task.nodeId() + " was refused");
            }
            committed.add(member.get());
        }
        AskSizes.restore(app, asks);
        LOG.info("Gang of {} is granted whole: {} containers", gang.id(), committed.size());
        return Optional.empty();
    }

    private void takeBack(FiCaSchedulerApp app, List<RMContainer> committed, Map<SchedulerRequestKey, Resource> asks) {
        committed.forEach(c -> scheduler.takeBack(c, "the gang could not be granted whole"));
        AskSizes.restore(app, asks);
    }

    private Optional<RMContainer> commitOne(
            FiCaSchedulerApp app, Gang gang, TaskPlacement task, Map<SchedulerRequestKey, Resource> asks) {
        Optional<SchedulerRequestKey> key = key(app, gang.spec(), task.group());
        FiCaSchedulerNode node =
                scheduler.node(NodeId.fromString(task.nodeId())).orElseThrow();
        if (key.isEmpty() || app.getOutstandingAsksCount(key.get()) <= 0) {
            return Optional.empty();
        }
        Resource size = YarnResources.resource(task.size());
        asks.putIfAbsent(
                key.get(), app.getPendingAsk(key.get(), ResourceRequest.ANY).getPerAllocationResource());
        // Metrics count what is granted against what was asked: the ask takes the planned size first.
        AskSizes.set(app, key.get(), size);
        Container container = BuilderUtils.newContainer(
                null,
                node.getNodeID(),
                node.getHttpAddress(),
                size,
                key.get().getPriority(),
                null,
                key.get().getAllocationRequestId());
        RMContainer member = app.allocate(node, key.get(), container);
        if (member == null) {
            return Optional.empty();
        }
        if (!task.devices().isEmpty()) {
            ((RMContainerImpl) member).setAllocationTags(NodeDevices.tagsOf(task.devices()));
        }
        return scheduler.commitPlanned(proposal(app, node, member, size, NodeType.OFF_SWITCH))
                ? Optional.of(member)
                : Optional.empty();
    }

    static ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode> proposal(
            FiCaSchedulerApp app, FiCaSchedulerNode node, RMContainer container, Resource size, NodeType type) {
        var allocated = new SchedulerContainer<>(app, node, container, node.getPartition(), true);
        var proposal = new ContainerAllocationProposal<>(
                allocated, List.of(), null, type, type, SchedulingMode.RESPECT_PARTITION_EXCLUSIVITY, size);
        app.incUnconfirmedRes(size);
        return new ResourceCommitRequest<>(List.of(proposal), List.of(), List.of());
    }

    private static Optional<SchedulerRequestKey> key(FiCaSchedulerApp app, GangSpec spec, String group) {
        for (int i = 0; i < spec.groups().size(); i++) {
            if (spec.groups().get(i).name().equals(group)) {
                long id = GangSpec.requestIdOf(i);
                return app.getSchedulerKeys().stream()
                        .filter(k -> k.getContainerToUpdate() == null && k.getAllocationRequestId() == id)
                        .filter(k -> app.getOutstandingAsksCount(k) > 0)
                        .findFirst();
            }
        }
        return Optional.empty();
    }
}
