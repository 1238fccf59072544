// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.PendingAsk;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where YARN's preemption is on: ends containers in the room that is reserved for a gang. It takes all that the gang lacks or
 * nothing, and takes it once: who may take the room beside the gang is served first. Used by the planner thread.
 */
public final class RoomPreemption {
    private static final Logger LOG = LoggerFactory.getLogger(RoomPreemption.class);

    private final SchedulerAccess scheduler;
    private final GangReservations reservations;
    /** By gang, the containers that were asked for and when, ms. */
    private final Map<ApplicationId, Map<RMContainer, Long>> asked = new HashMap<>();

    public RoomPreemption(SchedulerAccess scheduler, GangReservations reservations) {
        this.scheduler = scheduler;
        this.reservations = reservations;
    }

    /** Forgets all gangs but these. */
    public void keep(Collection<ApplicationId> gangs) {
        asked.keySet().retainAll(gangs);
    }

    /**
     * @param need what the tasks ask for that the gang cannot start without; more may be reserved
     * @param all what the partition of the gang has
     */
    public void goOn(GangReservation reservation, ResourceVector need, ResourceVector all, long nowMs) {
        PreemptionSettings settings = scheduler.preemption();
        if (!settings.isOn()) {
            asked.remove(reservation.gang());
            return;
        }
        if (isWaitedForByThoseBefore(reservation)) {
            // They would take what becomes free, and it would be asked back again: YARN's own preemption serves them.
            return;
        }
        Victims victims = new Victims(
                scheduler,
                new Guarantees(reservation.partition(), all),
                reservation.gang(),
                reservation.before(),
                need);
        Map<RMContainer, Long> waited = asked.computeIfAbsent(reservation.gang(), key -> new LinkedHashMap<>());
        // What is ended holds its room until its node says that it is gone: until then it is no reason to end more.
        waited.keySet().removeIf(container -> !isOnItsNode(container));
        Map<NodeId, ResourceVector> missing = missing(reservation);
        Map<String, ResourceVector> givenUp = spare(waited.keySet(), missing, victims);
        waited.keySet()
                .forEach(container -> missing.computeIfPresent(
                        container.getAllocatedNode(), (node, lacks) -> lacks.minus(size(container))));
        missing.values().removeIf(lacks -> lacks.max(ResourceVector.ZERO).isZero());
        Optional<List<RMContainer>> rest = choose(missing, victims, waited.keySet(), givenUp);
        if (rest.isEmpty()) {
            // A part of what the gang lacks cannot be had any more: for it nobody is ended.
            return;
        }
        // All of them or none: some of those that were asked last may end by themselves.
        if (waited.values().stream().allMatch(sinceMs -> nowMs - sinceMs >= settings.patienceMs())) {
            waited.keySet().stream().filter(Victims::isLive).forEach(scheduler::endByPreemption);
        }
        if (nowMs + settings.patienceMs() >= reservation.untilMs()) {
            // What is asked back now would come too late.
            return;
        }
        if (!rest.get().isEmpty()) {
            LOG.info(
                    "{} containers are asked back for the gang of {}: {}",
                    rest.get().size(),
                    reservation.gang(),
                    rest.get());
        }
        rest.get().forEach(container -> {
            waited.put(container, nowMs);
            scheduler.askForPreemption(container);
        });
    }

    /** Whether an application that comes before the gang, and may have more, waits for a container that the room would hold. */
    private boolean isWaitedForByThoseBefore(GangReservation reservation) {
        return reservation.before().stream()
                .flatMap(id -> scheduler.app(id).stream())
                .anyMatch(app -> asksForRoom(app, reservation)
                        && UserLimits.mayTake(
                                app.getCSLeafQueue(),
                                app.getUser(),
                                reservation.partition(),
                                scheduler.clusterResource()));
    }

    private boolean asksForRoom(FiCaSchedulerApp app, GangReservation reservation) {
        for (SchedulerRequestKey key : app.getSchedulerKeys()) {
            PendingAsk ask = app.getPendingAsk(key, ResourceRequest.ANY);
            if (key.getContainerToUpdate() == null
                    && ask.getCount() > 0
                    && mayTakeRoom(app, key, YarnResources.vector(ask.getPerAllocationResource()), reservation)) {
                return true;
            }
        }
        return false;
    }

    /** One that keeps off all of these nodes would wait for ever, and every gang behind it with it. */
    private boolean mayTakeRoom(
            FiCaSchedulerApp app, SchedulerRequestKey key, ResourceVector size, GangReservation reservation) {
        return reservation.rooms().entrySet().stream()
                .filter(room -> size.fitsIn(room.getValue()))
                .flatMap(room -> scheduler.node(room.getKey()).stream())
                .anyMatch(node -> AskedPlaces.include(app, key, node));
    }

    private Map<NodeId, ResourceVector> missing(GangReservation reservation) {
        Map<NodeId, ResourceVector> missing = new HashMap<>();
        reservation.rooms().forEach((id, room) -> scheduler.node(id).ifPresent(node -> {
            ResourceVector lacks = room.minus(free(node, reservation.gang())).where(room);
            if (!lacks.max(ResourceVector.ZERO).isZero()) {
                missing.put(id, lacks);
            }
        }));
        return missing;
    }

    private ResourceVector free(FiCaSchedulerNode node, ApplicationId gang) {
        return YarnResources.vector(node.getUnallocatedResource())
                .minus(reservations.forOthers(node.getNodeID(), gang));
    }

    /**
     * Leaves out of those that were asked for what needs no end, as room has become free by itself meanwhile, and what has come to
     * be within the guarantee of its queue: YARN looks again before it ends anything, too.
     *
     * @return what the queues of those that are left give up
     */
    private static Map<String, ResourceVector> spare(
            Set<RMContainer> asked, Map<NodeId, ResourceVector> missing, Victims victims) {
        Map<NodeId, ResourceVector> left = new HashMap<>(missing);
        Map<String, ResourceVector> givenUp = new HashMap<>();
        // A gang goes whole: what holds for its first member holds for it.
        Set<ApplicationId> gangs = new HashSet<>();
        asked.removeIf(container -> {
            ResourceVector lacks = left.getOrDefault(container.getAllocatedNode(), ResourceVector.ZERO)
                    .max(ResourceVector.ZERO);
            if (size(container).where(lacks).isZero()) {
                return true;
            }
            ApplicationId application = container.getApplicationAttemptId().getApplicationId();
            if (Victims.isLive(container) && !gangs.contains(application)) {
                String queue = queue(victims, container);
                if (!victims.mayBePreempted(container, givenUp)) {
                    return true;
                }
                List<RMContainer> whole = victims.withItsGang(container);
                whole.forEach(member -> givenUp.merge(queue, size(member), ResourceVector::plus));
                if (!whole.equals(List.of(container))) {
                    gangs.add(application);
                }
            }
            left.put(container.getAllocatedNode(), lacks.minus(size(container)));
            return false;
        });
        return givenUp;
    }

    private static String queue(Victims victims, RMContainer container) {
        return victims.queue(container).map(CSQueue::getQueuePath).orElse("");
    }

    /** Containers that free all that is missing; empty where that cannot be had. */
    private Optional<List<RMContainer>> choose(
            Map<NodeId, ResourceVector> missing,
            Victims victims,
            Set<RMContainer> before,
            Map<String, ResourceVector> givenUpBefore) {
        List<RMContainer> chosen = new ArrayList<>();
        Set<RMContainer> gone = new HashSet<>();
        before.forEach(container -> gone.addAll(victims.withItsGang(container)));
        Map<String, ResourceVector> givenUp = new HashMap<>(givenUpBefore);
        for (Map.Entry<NodeId, ResourceVector> node : missing.entrySet()) {
            ResourceVector lacks = node.getValue().max(ResourceVector.ZERO);
            for (RMContainer container : youngestFirst(node.getKey())) {
                if (lacks.isZero()) {
                    break;
                }
                String queue = queue(victims, container);
                // What was asked for before is not missing any more.
                boolean helps = !before.contains(container)
                        && !size(container).where(lacks).isZero();
                if (helps
                        && (gone.contains(container)
                                || !Victims.isLive(container)
                                || victims.mayBePreempted(container, givenUp))) {
                    lacks = lacks.minus(size(container)).max(ResourceVector.ZERO);
                    if (!gone.contains(container) && Victims.isLive(container)) {
                        for (RMContainer member : victims.withItsGang(container)) {
                            chosen.add(member);
                            gone.add(member);
                            givenUp.merge(queue, size(member), ResourceVector::plus);
                        }
                    }
                }
            }
            if (!lacks.isZero()) {
                return Optional.empty();
            }
        }
        return Optional.of(chosen);
    }

    private boolean isOnItsNode(RMContainer container) {
        return scheduler
                .node(container.getAllocatedNode())
                .filter(node -> node.getCopiedListOfRunningContainers().contains(container))
                .isPresent();
    }

    private List<RMContainer> youngestFirst(NodeId node) {
        return scheduler.node(node).map(FiCaSchedulerNode::getCopiedListOfRunningContainers).orElse(List.of()).stream()
                .sorted(Victims.YOUNGEST_FIRST)
                .toList();
    }

    private static ResourceVector size(RMContainer container) {
        return YarnResources.taken(container);
    }
}
