// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import com.google.common.collect.Lists;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.UpdateContainerRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.AppPlacementAllocator;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * Containers whose update is committed and not yet fetched by their ApplicationMaster. Hadoop cannot bear a second one
 * meanwhile: fetching an increase forgets the decrease of the same container, and fetching that decrease then fails the
 * heartbeat of the ApplicationMaster with a NullPointerException.
 */
public final class UpdatesInFlight {
    private UpdatesInFlight() {}

    static Set<ContainerId> of(FiCaSchedulerApp app) {
        Set<ContainerId> updating = new HashSet<>();
        for (Map.Entry<ContainerId, RMContainer> entry :
                app.getLiveContainersMap().entrySet()) {
            RMContainer container = entry.getValue();
            ContainerId grows = container.getAllocatedSchedulerKey().getContainerToUpdate();
            if (grows != null) {
                updating.add(grows);
            } else if (!entry.getKey().equals(container.getContainerId())) {
                // A container that shrinks is listed a second time, under the id of what it gives back.
                updating.add(container.getContainerId());
            }
        }
        return updating;
    }

    /**
     * Gives up the decreases that an attempt of the application has not fetched and, once it has ended, never will: its
     * containers keep their size. Hadoop forgets which entries stand for them and would keep them for ever. The caller
     * holds the scheduler's write lock.
     */
    public static void abandon(FiCaSchedulerApp app, SchedulerAccess scheduler) {
        for (Map.Entry<ContainerId, RMContainer> entry :
                List.copyOf(app.getLiveContainersMap().entrySet())) {
            RMContainer container = entry.getValue();
            if (!entry.getKey().equals(container.getContainerId())) {
                scheduler
                        .node(container.getAllocatedNode())
                        .filter(node -> isUnfetched(node, entry.getKey()))
                        .ifPresent(node -> {
                            app.getLiveContainersMap().remove(entry.getKey());
                            node.releaseContainer(entry.getKey(), true);
                        });
            }
        }
    }

    /**
     * Lets CapacityScheduler move an application to another queue with each of its containers once: it moves what is listed, and a
     * container that shrinks is listed twice. What it has given back already is released first, in the queue that holds it. The
     * caller holds the scheduler's write lock, and no answer to the ApplicationMaster is under way.
     */
    static void listedOnce(FiCaSchedulerApp app, SchedulerAccess scheduler, Runnable move) {
        Map<ContainerId, RMContainer> unfetched = new HashMap<>();
        for (Map.Entry<ContainerId, RMContainer> entry :
                List.copyOf(app.getLiveContainersMap().entrySet())) {
            ContainerId listed = entry.getKey();
            if (!listed.equals(entry.getValue().getContainerId())) {
                Optional<RMContainer> givesBack =
                        scheduler.node(entry.getValue().getAllocatedNode()).flatMap(node -> running(node, listed));
                if (givesBack.filter(tool -> !isUnfetched(tool)).isPresent()) {
                    scheduler.takeBack(givesBack.get(), "its container has shrunk");
                } else {
                    unfetched.put(listed, entry.getValue());
                }
            }
        }
        app.getLiveContainersMap().keySet().removeAll(unfetched.keySet());
        try {
            move.run();
        } finally {
            app.getLiveContainersMap().putAll(unfetched);
        }
    }

    private static Optional<RMContainer> running(FiCaSchedulerNode node, ContainerId id) {
        return node.getCopiedListOfRunningContainers().stream()
                .filter(container -> container.getContainerId().equals(id))
                .findFirst();
    }

    private static boolean isUnfetched(RMContainer givesBack) {
        return givesBack.getAllocatedResource().equals(Resources.none());
    }

    /** What a container gives back has no size until the decrease is fetched. From then on Hadoop is about to release it. */
    private static boolean isUnfetched(FiCaSchedulerNode node, ContainerId givesBack) {
        return running(node, givesBack).filter(UpdatesInFlight::isUnfetched).isPresent();
    }

    /**
     * Takes back what is asked for to grow a container by. Without it the ask of a container that has ended stays for as long as
     * its attempt, as nothing is offered to it: its user counts as one who waits, and preemption frees room that nobody takes.
     */
    static void withdrawIncrease(FiCaSchedulerApp app, ContainerId container) {
        for (SchedulerRequestKey key : app.getSchedulerKeys()) {
            AppPlacementAllocator<?> asks = app.getAppSchedulingInfo().getAppPlacementAllocator(key);
            if (container.equals(key.getContainerToUpdate()) && asks != null) {
                Map<String, ResourceRequest> none = new HashMap<>();
                asks.getResourceRequests().forEach((place, ask) -> none.put(place, noneOf(ask)));
                app.getAppSchedulingInfo().updateResourceRequests(Map.of(key, none), false);
            }
        }
    }

    private static ResourceRequest noneOf(ResourceRequest ask) {
        ResourceRequest none = ResourceRequest.clone(ask);
        none.setNumContainers(0);
        return none;
    }

    /**
     * The requests of an ApplicationMaster that can be obeyed now; it repeats the others until it sees the new size.
     *
     * @param mayGrow whether it decides the sizes of its containers itself; otherwise the scheduler alone grows them
     */
    public static ContainerUpdates settled(
            FiCaSchedulerApp app, ContainerUpdates requested, boolean mayGrow, SchedulerAccess scheduler) {
        Set<ContainerId> kept = of(app);
        for (RMContainer container : app.getLiveContainers()) {
            // The books would have a size that the node never hears of.
            if (!ContainerResizer.takesUpdates(scheduler, container)) {
                kept.add(container.getContainerId());
            }
        }
        ContainerUpdates settled = new ContainerUpdates();
        if (mayGrow) {
            copy(requested.getIncreaseRequests(), settled.getIncreaseRequests(), kept);
        }
        copy(requested.getDecreaseRequests(), settled.getDecreaseRequests(), kept);
        copy(requested.getPromotionRequests(), settled.getPromotionRequests(), kept);
        copy(requested.getDemotionRequests(), settled.getDemotionRequests(), kept);
        settled.getDecreaseRequests().forEach(request -> growNothing(app, request));
        return settled;
    }

    /**
     * YARN has rounded the request up to multiples of its smallest container. A container that has a size of another kind,
     * as it is older than the cluster's settings, must not grow by a decrease: nobody has looked whether there is room.
     */
    private static void growNothing(FiCaSchedulerApp app, UpdateContainerRequest request) {
        RMContainer container = app.getRMContainer(request.getContainerId());
        if (container != null && request.getCapability() != null) {
            request.setCapability(
                    Resources.componentwiseMin(request.getCapability(), container.getAllocatedResource()));
        }
    }

    /** The same requests in several parts, so that the scheduler's lock is held for some of them at a time. */
    public static List<ContainerUpdates> inParts(ContainerUpdates requested) {
        List<ContainerUpdates> parts = new ArrayList<>();
        split(requested.getIncreaseRequests(), ContainerUpdates::getIncreaseRequests, parts);
        split(requested.getDecreaseRequests(), ContainerUpdates::getDecreaseRequests, parts);
        split(requested.getPromotionRequests(), ContainerUpdates::getPromotionRequests, parts);
        split(requested.getDemotionRequests(), ContainerUpdates::getDemotionRequests, parts);
        return parts;
    }

    private static void split(
            List<UpdateContainerRequest> requests,
            Function<ContainerUpdates, List<UpdateContainerRequest>> kind,
            List<ContainerUpdates> parts) {
        for (List<UpdateContainerRequest> part : Lists.partition(requests, ShortHolds.MOST_STEPS)) {
            ContainerUpdates updates = new ContainerUpdates();
            kind.apply(updates).addAll(part);
            parts.add(updates);
        }
    }

    /** Whether nothing is asked for. */
    public static boolean isEmpty(ContainerUpdates requested) {
        return requested.getIncreaseRequests().isEmpty()
                && requested.getDecreaseRequests().isEmpty()
                && requested.getPromotionRequests().isEmpty()
                && requested.getDemotionRequests().isEmpty();
    }

    private static void copy(
            List<UpdateContainerRequest> from, List<UpdateContainerRequest> to, Set<ContainerId> updating) {
        from.stream().filter(r -> !updating.contains(r.getContainerId())).forEach(to::add);
    }
}
