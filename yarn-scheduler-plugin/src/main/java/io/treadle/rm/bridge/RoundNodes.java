// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.cluster.DeviceView;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.conf.SchedulerConf;
import io.treadle.rm.profile.Telemetry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.jspecify.annotations.Nullable;

/**
 * The nodes as the queues' policies see them. All queues share what is read of a node: it is read again only where the node
 * has changed, so that each queue still sees what the plans before it in the round have done. A queue's view differs from
 * the shared one only on nodes where its own tasks run. Used by the planner thread.
 */
final class RoundNodes {
    private final SchedulerAccess scheduler;
    private final Telemetry telemetry;
    private final RoundTasks tasks;
    private final SchedulerConf conf;
    private final Map<NodeId, Cell> cells = new HashMap<>();
    private final Map<String, NodeReading> readings = new HashMap<>();
    /** All of {@link #cells} by their ids. */
    private List<Cell> sorted = List.of();

    private int round;

    private static final class Cell {
        private final FiCaSchedulerNode node;
        private final String id;
        private @Nullable NodeReading reading;
        /** The node without a task of the queue that is planned; null where it has to be made again. */
        private @Nullable NodeView shared;

        private int sharedIn;
        private ResourceVector sharedKept = ResourceVector.ZERO;

        private Cell(FiCaSchedulerNode node) {
            this.node = node;
            this.id = node.getNodeID().toString();
        }
    }

    RoundNodes(SchedulerAccess scheduler, Telemetry telemetry, RoundTasks tasks, SchedulerConf conf) {
        this.scheduler = scheduler;
        this.telemetry = telemetry;
        this.tasks = tasks;
        this.conf = conf;
    }

    /** What containers are tasks of ours may have changed without a change of their nodes. */
    void roundBegins() {
        round++;
    }

    /** No more rounds are expected soon. */
    void forget() {
        cells.clear();
        readings.clear();
        sorted = List.of();
    }

    /**
     * The nodes of some partitions by their ids, as they are now.
     *
     * @param own the tasks of the queue that is planned
     * @param kept vcores and memory that each node keeps free for others
     * @param withoutEnded whether the room of containers that are about to be gone counts as free
     * @param nowMs ms since the epoch
     * @param claimant for whom some containers are taken to have ended
     */
    List<NodeView> views(
            Set<String> partitions,
            Collection<LiveTasks> own,
            ResourceVector kept,
            boolean withoutEnded,
            long nowMs,
            Claimant claimant) {
        Set<ContainerId> planned = new HashSet<>();
        Set<NodeId> touched = new HashSet<>();
        for (LiveTasks each : own) {
            planned.addAll(each.containers());
            touched.addAll(each.nodes());
        }
        follow(scheduler.nodes());
        readings.clear();
        Heartbeats heartbeats = scheduler.heartbeats();
        List<NodeView> views = new ArrayList<>(sorted.size());
        for (Cell cell : sorted) {
            if (partitions.contains(cell.node.getPartition())) {
                NodeReading reading = read(cell);
                readings.put(cell.id, reading);
                boolean isSilent = heartbeats.silentMs(cell.node) > 0;
                Set<ContainerId> ended = union(
                        reading.among(claimant.ended()),
                        withoutEnded && !isSilent ? GivenBack.of(reading, nowMs) : Set.of());
                NodeView view = ended.isEmpty() && !touched.contains(cell.node.getNodeID())
                        ? shared(cell, reading, kept)
                        : view(cell.node, reading, union(planned, ended), kept);
                boolean isOpen = isOpen(cell.node, isSilent, claimant.dropped());
                views.add(view.open() == isOpen ? view : view.withOpen(isOpen));
            }
        }
        return views;
    }

    private static Set<ContainerId> union(Set<ContainerId> some, Set<ContainerId> others) {
        if (some.isEmpty() || others.isEmpty()) {
            return some.isEmpty() ? others : some;
        }
        Set<ContainerId> both = new HashSet<>(some);
        both.addAll(others);
        return both;
    }

    /** By node of the last {@link #views}, what no container holds there; empty where nothing is reserved for gangs. */
    Map<String, ResourceVector> free(GangReservations reservations) {
        return reservations.all().isEmpty() ? Map.of() : free();
    }

    /** By node of the last {@link #views}, what no container holds there. */
    Map<String, ResourceVector> free() {
        Map<String, ResourceVector> free = new HashMap<>();
        for (Cell cell : sorted) {
            if (readings.containsKey(cell.id)) {
                free.put(cell.id, YarnResources.vector(cell.node.getUnallocatedResource()));
            }
        }
        return free;
    }

    /** What was read of a node for the last {@link #views}; empty for nodes of other partitions. */
    Optional<NodeReading> reading(String id) {
        return Optional.ofNullable(readings.get(id));
    }

    /** What was read of all nodes for the last {@link #views}. */
    Collection<NodeReading> readings() {
        return readings.values();
    }

    private void follow(Collection<FiCaSchedulerNode> nodes) {
        boolean isSame = nodes.size() == cells.size() && nodes.stream().allMatch(this::isKnown);
        if (!isSame) {
            Map<NodeId, Cell> now = new HashMap<>();
            nodes.forEach(
                    node -> now.put(node.getNodeID(), isKnown(node) ? cells.get(node.getNodeID()) : new Cell(node)));
            cells.clear();
            cells.putAll(now);
            sorted = cells.values().stream()
                    .sorted(Comparator.comparing((Cell cell) -> cell.id))
                    .toList();
        }
    }

    @SuppressWarnings("ReferenceEquality") // A node that was lost and came again is another object of the same id.
    private boolean isKnown(FiCaSchedulerNode node) {
        Cell cell = cells.get(node.getNodeID());
        return cell != null && cell.node == node;
    }

    private NodeReading read(Cell cell) {
        NodeReading reading = cell.reading;
        if (reading == null || !reading.holdsFor(cell.node, telemetry)) {
            reading = NodeReading.of(cell.node, cell.id, telemetry);
            cell.reading = reading;
            cell.shared = null;
        }
        return reading;
    }

    private NodeView shared(Cell cell, NodeReading reading, ResourceVector kept) {
        NodeView view = cell.shared;
        ResourceVector capacity = PlannedCapacity.of(cell.node);
        if (view == null
                || cell.sharedIn != round
                || !cell.sharedKept.equals(kept)
                || !view.capacity().equals(capacity)) {
            view = view(cell.node, reading, Set.of(), kept);
            cell.shared = view;
            cell.sharedIn = round;
            cell.sharedKept = kept;
        }
        return view;
    }

    /**
     * A reservation of another application keeps its meaning: nothing of ours starts there meanwhile.
     *
     * @param dropped nodes of which such a reservation is taken to be dropped
     */
    private boolean isOpen(FiCaSchedulerNode node, boolean isSilent, Set<NodeId> dropped) {
        return !isSilent
                && node.getRMNode().getState() == NodeState.RUNNING
                && scheduler.names().mayResolve(node.getNodeID())
                && (node.getReservedContainer() == null || dropped.contains(node.getNodeID()));
    }

    /** @param notTaken containers whose room is left to the planner */
    private NodeView view(FiCaSchedulerNode node, NodeReading reading, Set<ContainerId> notTaken, ResourceVector kept) {
        ResourceVector othersUse = ResourceVector.ZERO;
        // What is kept free is for those that are no tasks of ours, of whatever queue.
        long foreignVcores = 0;
        for (NodeReading.Held held : reading.containers()) {
            if (!notTaken.contains(held.id())) {
                othersUse = othersUse.plus(held.size());
                foreignVcores += tasks.ask(held.id()) == null ? held.size().vcores() : 0;
            }
        }
        List<DeviceView> devices =
                reading.devices().map(known -> known.views(notTaken)).orElse(List.of());
        NodeView view = new NodeView(
                reading.id(),
                node.getRackName(),
                PlannedCapacity.of(node),
                othersUse,
                ResourceVector.of(
                        0, Math.max(kept.vcores(), conf.nodeReserveVcores() - foreignVcores), kept.memoryMiB()),
                devices,
                isOpen(node, false, Set.of()));
        ResourceVector shares = ResourceVector.ZERO;
        for (NodeReading.Held held : reading.containers()) {
            ResourceVector ask = tasks.ask(held.id());
            if (ask != null && !notTaken.contains(held.id())) {
                shares = shares.plus(view.asShare(ask, held.size()));
            }
        }
        return view.withOthersTasks(shares);
    }
}
