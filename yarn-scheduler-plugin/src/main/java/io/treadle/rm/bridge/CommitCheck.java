// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.job.DeviceShare;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.profile.Telemetry;
import io.treadle.rm.sleep.Sleeping;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/** Whether the members of a gang can be committed as planned; the cluster may have changed since the plan was made. */
final class CommitCheck {
    private final SchedulerAccess scheduler;
    private final Telemetry telemetry;
    private final Sleeping sleeping;
    private final GangReservations reservations;
    private final FiCaSchedulerApp app;
    private final Gang gang;
    private final Map<String, List<TaskPlacement>> byNode = new LinkedHashMap<>();
    private final ResourceVector sum;

    CommitCheck(
            SchedulerAccess scheduler,
            Telemetry telemetry,
            Sleeping sleeping,
            GangReservations reservations,
            FiCaSchedulerApp app,
            Gang gang,
            List<TaskPlacement> tasks) {
        this.scheduler = scheduler;
        this.telemetry = telemetry;
        this.sleeping = sleeping;
        this.reservations = reservations;
        this.app = app;
        this.gang = gang;
        tasks.forEach(task ->
                byNode.computeIfAbsent(task.nodeId(), key -> new ArrayList<>()).add(task));
        sum = sizeOf(tasks);
    }

    private static ResourceVector sizeOf(List<TaskPlacement> tasks) {
        return tasks.stream().map(TaskPlacement::size).reduce(ResourceVector.ZERO, ResourceVector::plus);
    }

    Set<NodeId> nodes() {
        return byNode.keySet().stream().map(NodeId::fromString).collect(Collectors.toSet());
    }

    /** What the gang will take on each node. */
    Map<NodeId, ResourceVector> sizes() {
        Map<NodeId, ResourceVector> sizes = new LinkedHashMap<>();
        byNode.forEach((node, tasks) -> sizes.put(NodeId.fromString(node), sizeOf(tasks)));
        return sizes;
    }

    /** Uuids of the devices that the gang will hold, a part or all of each. */
    Map<NodeId, Set<String>> devices() {
        Map<NodeId, Set<String>> devices = new LinkedHashMap<>();
        byNode.forEach((node, tasks) -> {
            Set<String> uuids = tasks.stream()
                    .flatMap(task -> task.devices().stream())
                    .map(DeviceShare::uuid)
                    .collect(Collectors.toSet());
            if (!uuids.isEmpty()) {
                devices.put(NodeId.fromString(node), uuids);
            }
        });
        return devices;
    }

    /** What is in the way of one member's devices. */
    Optional<String> device(TaskPlacement task) {
        return task.devices().isEmpty()
                ? Optional.empty()
                : scheduler
                        .node(NodeId.fromString(task.nodeId()))
                        .map(node -> device(node, List.of(task)))
                        .orElse(Optional.of("node " + task.nodeId() + " is gone"));
    }

    /** What is in the way on one of the nodes; it needs no lock, and is true for this moment only. */
    Optional<String> anyNode() {
        return byNode.keySet().stream()
                .map(this::node)
                .flatMap(Optional::stream)
                .findFirst();
    }

    /** What is in the way of the members on this node, of which none is committed yet. */
    Optional<String> node(String id) {
        List<TaskPlacement> tasks = byNode.getOrDefault(id, List.of());
        FiCaSchedulerNode node = scheduler.node(NodeId.fromString(id)).orElse(null);
        if (node == null || node.getRMNode().getState() != NodeState.RUNNING) {
            return Optional.of("node " + id + " is gone");
        }
        if (!(node.getPartition().equals(gang.partition()) || isLent(node.getPartition())) || isAvoided(node)) {
            return Optional.of("node " + id + " is no longer open to it");
        }
        if (sleeping.isGoing(node.getNodeID().getHost())) {
            return Optional.of("node " + id + " was about to be switched off");
        }
        if (node.getReservedContainer() != null) {
            return Optional.of("node " + id + " is reserved for another application");
        }
        ResourceVector free = YarnResources.vector(node.getUnallocatedResource())
                .minus(reservations.forOthers(node.getNodeID(), gang.id()));
        ResourceVector needed = sizeOf(tasks);
        if (!needed.fitsIn(free.max(ResourceVector.ZERO))) {
            return Optional.of("node " + id + " has "
                    + free.max(ResourceVector.ZERO).describe() + " free, the gang needs "
                    + needed.describe() + " there");
        }
        return device(node, tasks);
    }

    /** Whether the nodes of the partition are open to asks without a label, and the gang's have none. */
    private boolean isLent(String partition) {
        return gang.partition().isEmpty() && scheduler.lendingPartitions().contains(partition);
    }

    private boolean isAvoided(FiCaSchedulerNode node) {
        return Stream.of(node.getNodeName(), node.getNodeID().getHost(), node.getRackName())
                .anyMatch(app::isPlaceBlacklisted);
    }

    /** The plan chose its devices from a snapshot: since then another container may have got one, or one was lost. */
    private Optional<String> device(FiCaSchedulerNode node, List<TaskPlacement> tasks) {
        List<DeviceShare> wanted =
                tasks.stream().flatMap(t -> t.devices().stream()).toList();
        if (wanted.isEmpty()) {
            return Optional.empty();
        }
        return NodeDevices.of(node, telemetry)
                .map(devices -> devices.obstacle(wanted))
                .orElseGet(() -> Optional.of("its devices are no longer known one by one"))
                .map(why -> "node " + node.getNodeID() + ": " + why);
    }

    /** What is in the way of the gang as a whole, of which no member is committed yet. */
    Optional<String> limits() {
        if (app.isWaitingForAMContainer()) {
            return Optional.of("its ApplicationMaster is starting");
        }
        Optional<String> otherLabel = GangLabels.asked(app, gang)
                .filter(label -> !label.equals(gang.partition()))
                .findFirst();
        if (otherLabel.isPresent()) {
            return otherLabel.map(label -> "it asks for " + nodes(gang.partition()) + " and for " + nodes(label)
                    + ", and a gang starts on nodes of one label");
        }
        Optional<String> limit = byPartition().entrySet().stream()
                .map(part -> limit(part.getKey(), part.getValue()))
                .flatMap(Optional::stream)
                .findFirst();
        if (limit.isPresent()) {
            return limit;
        }
        long shared = sum.storageMBps() == 0 ? Long.MAX_VALUE : scheduler.sharedStorageFreeMBps();
        return sum.storageMBps() <= Math.max(0, shared)
                ? Optional.empty()
                : Optional.of("the shared file system has " + Math.max(0, shared) + " MB/s left, the gang needs "
                        + sum.storageMBps() + " MB/s");
    }

    private static String nodes(String label) {
        return label.isEmpty() ? "nodes without a label" : "nodes of label '" + label + "'";
    }

    /** What the gang will take in each partition: YARN has limits for each. */
    private Map<String, ResourceVector> byPartition() {
        Map<String, ResourceVector> sums = new LinkedHashMap<>();
        sizes().forEach((node, size) -> sums.merge(
                scheduler.node(node).map(FiCaSchedulerNode::getPartition).orElse(gang.partition()),
                size,
                ResourceVector::plus));
        return sums;
    }

    private Optional<String> limit(String partition, ResourceVector needed) {
        CSQueue queue = app.getCSLeafQueue();
        Resource cluster = scheduler.clusterResource();
        boolean isOwn = partition.equals(gang.partition());
        if (!(isOwn
                ? UserLimits.mayTake(queue, app.getUser(), partition, cluster)
                : UserLimits.mayTakeLent(queue, app.getUser(), partition, cluster))) {
            return Optional.of("user " + app.getUser() + " holds more of its queue than CapacityScheduler allows it");
        }
        ResourceVector headroom = isOwn
                ? QueueLimits.headroom(queue, partition, cluster)
                : QueueLimits.lentHeadroom(
                        queue, partition, YarnResources.vector(scheduler.partitionResource(partition)));
        return needed.fitsIn(headroom)
                ? Optional.empty()
                : Optional.of("its queue has " + headroom.describe() + " left, the gang needs " + needed.describe());
    }
}
