// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.cluster.DeviceView;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.sleep.Sleeping;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/** Finds containers after whose end a waiting gang has room. Used by the planner thread. */
public final class RoomFinder {
    /** By which nodes come first: where most is free, where most would be. */
    private static final List<Function<NodeRoom, ResourceVector>> SIZES = List.of(room -> room.free, room -> room.all);

    private final SchedulerAccess scheduler;
    private final QueueRoom queueRoom;
    private final GangReservations reservations;
    private final Sleeping sleeping;

    public RoomFinder(SchedulerAccess scheduler, GangReservations reservations, Sleeping sleeping) {
        this.scheduler = scheduler;
        this.queueRoom = new QueueRoom(scheduler);
        this.reservations = reservations;
        this.sleeping = sleeping;
    }

    /**
     * What may have to end, the best first: once all of one set has, each task of the gang has room by resources. Whether the
     * gang's policy would start it then is for the caller to ask. Containers that preemption may end come first where preemption
     * is on; then those that may end by themselves, first without long-lived ones. Each way is tried with tasks where most is
     * free, and with as few nodes as possible.
     *
     * @param job the gang as its queue's snapshot shows it
     * @param keptFor how long the room would be kept
     * @return at most six, none of them of what is free already; none where the gang does not fit even so
     */
    public List<Claimant> find(JobView job, Snapshot snapshot, String partition, Duration keptFor) {
        FiCaSchedulerApp gang =
                scheduler.app(ApplicationId.fromString(job.id())).orElse(null);
        if (gang == null) {
            return List.of();
        }
        Guarantees guarantees = new Guarantees(partition, snapshot.capacity());
        ResourceVector need = GangClaims.need(job);
        Victims victims =
                new Victims(scheduler, guarantees, gang.getApplicationId(), QueueOrder.servedBefore(gang), need);
        ResourceVector ask = job.groups().stream().map(TaskGroup::ask).reduce(ResourceVector.ZERO, ResourceVector::max);
        List<Predicate<RMContainer>> ways = new ArrayList<>();
        if (scheduler.preemption().isOn()) {
            ways.add(victims::mayBePreempted);
        }
        // What has run for longer than room is kept will hardly end in that time.
        long since = snapshot.nowMs() - keptFor.toMillis();
        ways.add(container -> victims.mayEndByItself(container) && container.getCreationTime() >= since);
        ways.add(victims::mayEndByItself);
        Set<Claimant> found = new LinkedHashSet<>();
        for (Predicate<RMContainer> way : ways) {
            List<NodeRoom> rooms = rooms(job, snapshot, guarantees, way);
            for (Function<NodeRoom, ResourceVector> size : SIZES) {
                rooms.forEach(NodeRoom::clear);
                rooms.sort(largestFirst(size, ask));
                place(job, rooms)
                        .map(full -> leaving(gang, need, full, victims, guarantees))
                        .ifPresent(found::add);
            }
        }
        found.removeIf(claimant -> !claimant.foresees());
        return List.copyOf(found);
    }

    /** By GPUs, vcores and memory, as far as the gang asks for them. */
    private static Comparator<NodeRoom> largestFirst(Function<NodeRoom, ResourceVector> size, ResourceVector ask) {
        return Comparator.<NodeRoom>comparingLong(
                        room -> -size.apply(room).where(ask).gpus())
                .thenComparingLong(room -> -size.apply(room).where(ask).vcores())
                .thenComparingLong(room -> -size.apply(room).where(ask).memoryMiB())
                .thenComparing(room -> room.view.id());
    }

    private List<NodeRoom> rooms(
            JobView job, Snapshot snapshot, Guarantees guarantees, Predicate<RMContainer> mayLeave) {
        ApplicationId gang = ApplicationId.fromString(job.id());
        List<NodeRoom> rooms = new ArrayList<>();
        Heartbeats heartbeats = scheduler.heartbeats();
        for (NodeView view : snapshot.nodes()) {
            FiCaSchedulerNode node =
                    scheduler.node(NodeId.fromString(view.id())).orElse(null);
            if (node == null || job.avoidedNodes().contains(view.id()) || !isOpen(node, heartbeats, guarantees, gang)) {
                continue;
            }
            ResourceVector free = YarnResources.vector(node.getUnallocatedResource())
                    .minus(reservations.forOthers(node.getNodeID(), gang));
            List<RMContainer> leavable = node.getCopiedListOfRunningContainers().stream()
                    .filter(mayLeave)
                    .sorted(Victims.YOUNGEST_FIRST)
                    .toList();
            rooms.add(new NodeRoom(view, free, leavable, node.getReservedContainer() != null));
        }
        return rooms;
    }

    private boolean isOpen(FiCaSchedulerNode node, Heartbeats heartbeats, Guarantees guarantees, ApplicationId gang) {
        return node.getRMNode().getState() == NodeState.RUNNING
                && heartbeats.silentMs(node) == 0
                && !sleeping.isGoing(node.getNodeID().getHost())
                && NodeReservations.mayBeDropped(scheduler, node, guarantees, gang);
    }

    /** Gives each task a node: first what is free, then what would be. Empty where a task finds none. */
    private static Optional<List<NodeRoom>> place(JobView job, List<NodeRoom> rooms) {
        for (TaskGroup group : job.groups()) {
            long left = job.missing(group);
            for (boolean withLeavable : new boolean[] {false, true}) {
                for (NodeRoom room : rooms) {
                    if (left > 0 && room.suits(group)) {
                        left -= room.take(group.ask(), left, withLeavable);
                    }
                }
            }
            if (left > 0) {
                return Optional.empty();
            }
        }
        return Optional.of(rooms);
    }

    /** @return one that foresees nothing where all is there already: then it is its policy that lets the gang wait */
    private Claimant leaving(
            FiCaSchedulerApp gang, ResourceVector need, List<NodeRoom> rooms, Victims victims, Guarantees guarantees) {
        Set<ContainerId> leaving = new HashSet<>();
        Map<String, ResourceVector> freed = new HashMap<>();
        Set<NodeId> dropped = new HashSet<>();
        for (NodeRoom room : rooms) {
            if (!room.taken.isZero() && room.isReserved) {
                dropped.add(NodeId.fromString(room.view.id()));
            }
            ResourceVector missing = room.taken.minus(room.free).max(ResourceVector.ZERO);
            for (RMContainer container : room.leavable) {
                ResourceVector size = YarnResources.taken(container);
                if (!size.where(missing).isZero()) {
                    for (RMContainer member : victims.withItsGang(container)) {
                        if (leaving.add(member.getContainerId())) {
                            freed.merge(
                                    victims.queue(member)
                                            .map(CSQueue::getQueuePath)
                                            .orElse(""),
                                    YarnResources.taken(member),
                                    ResourceVector::plus);
                        }
                    }
                    missing = missing.minus(size).max(ResourceVector.ZERO);
                }
            }
        }
        boolean isAllThere =
                leaving.isEmpty() && dropped.isEmpty() && need.fitsIn(queueRoom.now(gang, guarantees.partition()));
        return new Claimant(
                gang.getApplicationId(),
                leaving,
                dropped,
                isAllThere ? Optional.empty() : Optional.of(queueRoom.headroom(gang, guarantees, freed)));
    }

    /** One node while tasks are given to it. */
    private static final class NodeRoom {
        final NodeView view;
        final ResourceVector free;
        final List<RMContainer> leavable;
        /** By YARN, for another application that has no better claim. */
        final boolean isReserved;
        /** What would be free without {@link #leavable}. */
        final ResourceVector all;

        ResourceVector taken = ResourceVector.ZERO;

        NodeRoom(NodeView view, ResourceVector free, List<RMContainer> leavable, boolean isReserved) {
            this.view = view;
            this.free = free;
            this.leavable = leavable;
            this.isReserved = isReserved;
            this.all = leavable.stream().map(YarnResources::taken).reduce(free, ResourceVector::plus);
        }

        void clear() {
            taken = ResourceVector.ZERO;
        }

        boolean suits(TaskGroup group) {
            return group.gpuModels().isEmpty()
                    || view.devices().stream().map(DeviceView::model).anyMatch(group::accepts);
        }

        /** @return how many of so many tasks it takes */
        long take(ResourceVector ask, long tasks, boolean withLeavable) {
            long count =
                    Math.min(tasks, (withLeavable ? all : free).minus(taken).count(ask));
            taken = taken.plus(ask.times(count));
            return count;
        }
    }
}
