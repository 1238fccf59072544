// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.gang.GangHost;
import io.treadle.rm.profile.Telemetry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.PendingAsk;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;

/**
 * Who would be served if a gang ended. YARN's preemption goes by sums of queues: an application that waits for a GPU counts as
 * one that waits for vcores, and containers of others end for it although no GPU becomes free. A gang would end whole, come back
 * at once to the room that nobody took, and end again, without end. Any thread.
 */
final class Beneficiaries {
    private final SchedulerAccess scheduler;
    private final GangHost host;
    private final GangReservations reservations;
    private final Telemetry telemetry;

    Beneficiaries(SchedulerAccess scheduler, GangHost host, GangReservations reservations, Telemetry telemetry) {
        this.scheduler = scheduler;
        this.host = host;
        this.reservations = reservations;
        this.telemetry = telemetry;
    }

    /**
     * Whether anybody might be: a gang that has room reserved on one of these nodes, or an ask that fits on one of them once what
     * other queues hold there has ended too, and that its queue and its user may have. Limits of queues above are not looked at.
     */
    boolean isThereOne(ApplicationId gang, List<RMContainer> containers) {
        Set<NodeId> ids = containers.stream().map(RMContainer::getAllocatedNode).collect(Collectors.toSet());
        if (ids.stream().anyMatch(id -> !reservations.forOthers(id, gang).isZero())) {
            return true;
        }
        List<FiCaSchedulerNode> nodes =
                ids.stream().flatMap(id -> scheduler.node(id).stream()).toList();
        // Unless it is told to, YARN's preemption ends nothing for others of the same queue.
        Optional<AbstractLeafQueue> leftOut = scheduler.preemption().withinQueues()
                ? Optional.empty()
                : scheduler.app(gang).map(FiCaSchedulerApp::getCSLeafQueue);
        return scheduler.leafQueues().stream()
                .flatMap(path -> scheduler.queue(path).stream())
                .filter(AbstractLeafQueue.class::isInstance)
                .map(AbstractLeafQueue.class::cast)
                .anyMatch(queue -> !leftOut.equals(Optional.of(queue)) && isOneIn(queue, gang, nodes));
    }

    /** Only among applications that the queue has activated: others wait for its limit of masters, which no end of a gang moves. */
    private boolean isOneIn(AbstractLeafQueue queue, ApplicationId gang, List<FiCaSchedulerNode> nodes) {
        Map<FiCaSchedulerNode, Room> rooms = new HashMap<>();
        for (FiCaSchedulerApp app : queue.getApplications()) {
            if (!app.getApplicationId().equals(gang) && !isPlannedGang(app)) {
                for (SchedulerRequestKey key : app.getSchedulerKeys()) {
                    PendingAsk ask = app.getPendingAsk(key, ResourceRequest.ANY);
                    ResourceVector size = YarnResources.vector(ask.getPerAllocationResource());
                    if (ask.getCount() > 0
                            && nodes.stream()
                                    .anyMatch(node -> rooms.computeIfAbsent(node, n -> roomFor(queue, gang, n))
                                                    .isMadeFor(size)
                                            && mayHave(queue, app, key, node, size, gang))) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** Whether the queue, the user and the ask itself would let the application have it there. */
    private boolean mayHave(
            AbstractLeafQueue queue,
            FiCaSchedulerApp app,
            SchedulerRequestKey key,
            FiCaSchedulerNode node,
            ResourceVector size,
            ApplicationId gang) {
        String partition = node.getPartition();
        // What it would not take there would leave the room to the gang.
        return AskedPlaces.include(app, key, node)
                && size.fitsIn(QueueLimits.room(queue, partition)
                        .plus(heldIn(queue, gang))
                        .max(ResourceVector.ZERO))
                && UserLimits.mayTake(queue, app.getUser(), partition, scheduler.clusterResource());
    }

    /** What the gang holds of the queue: nothing where it runs in another one. */
    private ResourceVector heldIn(AbstractLeafQueue queue, ApplicationId gang) {
        return scheduler
                .app(gang)
                .filter(app -> app.getCSLeafQueue().equals(queue))
                .map(app -> YarnResources.vector(app.getCurrentConsumption()))
                .orElse(ResourceVector.ZERO);
    }

    /** Its tasks come through plans, and its room by reservations; its ApplicationMaster comes as all others do. */
    private boolean isPlannedGang(FiCaSchedulerApp app) {
        return !Foreign.isPlain(app) && host.isServedByPlanner(app.getApplicationId());
    }

    /**
     * Room on a node.
     *
     * @param free now; nothing where CapacityScheduler has reserved the node for somebody
     * @param after what the queue could have of the node without the gang and without the tasks of other queues
     */
    private record Room(ResourceVector free, ResourceVector after) {
        /** What fits already comes without that anybody ends. */
        boolean isMadeFor(ResourceVector size) {
            return size.fitsIn(after) && !size.fitsIn(free);
        }
    }

    private Room roomFor(AbstractLeafQueue queue, ApplicationId gang, FiCaSchedulerNode node) {
        ResourceVector free = YarnResources.vector(node.getUnallocatedResource());
        ResourceVector after = free;
        List<RMContainer> all = node.getCopiedListOfRunningContainers();
        List<RMContainer> staying = new ArrayList<>();
        for (RMContainer container : all) {
            ApplicationId id = container.getApplicationAttemptId().getApplicationId();
            boolean ends = id.equals(gang)
                    || scheduler
                            .app(id)
                            .filter(app -> app.getCSLeafQueue().equals(queue))
                            .isEmpty();
            if (ends && !container.isAMContainer()) {
                after = after.plus(YarnResources.taken(container));
            } else {
                staying.add(container);
            }
        }
        return new Room(
                node.getReservedContainer() == null ? inWorkingGpus(node, free, all) : ResourceVector.ZERO,
                inWorkingGpus(node, after, staying));
    }

    /** YARN counts GPUs that are lost, or that are in slices, as the others. */
    private ResourceVector inWorkingGpus(FiCaSchedulerNode node, ResourceVector room, List<RMContainer> holders) {
        return telemetry
                .node(node.getNodeID().toString())
                .flatMap(record -> NodeDevices.of(record, holders))
                .map(devices -> room.withGpus(
                        Math.min(room.gpus(), devices.freeWhole(Set.of()).size())))
                .orElse(room);
    }
}
