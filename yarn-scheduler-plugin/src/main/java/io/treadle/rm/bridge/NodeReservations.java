// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.gang.Gang;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/** YARN's own reservations, of which a node has at most one: it keeps the whole node for one container. */
public final class NodeReservations {
    private final SchedulerAccess scheduler;

    public NodeReservations(SchedulerAccess scheduler) {
        this.scheduler = scheduler;
    }

    /**
     * Drops those that CapacityScheduler made for tasks of gangs while their queue behaved as plain capacity: now that the tasks
     * come through plans nothing would ever use them, and the node stays closed to everybody.
     */
    public void dropThoseOf(List<Gang> gangs) {
        for (Gang gang : gangs) {
            Optional<FiCaSchedulerApp> app = scheduler.app(gang.id()).filter(a -> !a.isWaitingForAMContainer());
            app.map(FiCaSchedulerApp::getReservedContainers).orElse(List.of()).forEach(scheduler::unreserve);
        }
    }

    /**
     * Drops those of a partition whose applications have no better claim than a gang that is owed room: what YARN has reserved counts as
     * held by the queues above both, and would keep the gang from room that is free for it.
     *
     * @param all what the partition has
     */
    public void dropForRoomOf(Gang gang, ResourceVector all) {
        Guarantees guarantees = new Guarantees(gang.partition(), all);
        for (FiCaSchedulerNode node : scheduler.nodes()) {
            RMContainer reserved = node.getReservedContainer();
            if (reserved != null
                    && node.getPartition().equals(gang.partition())
                    && mayBeDropped(scheduler, node, guarantees, gang.id())) {
                scheduler.unreserve(reserved);
            }
        }
    }

    /**
     * Whether the node is reserved for nobody, or for an application that has no better claim than a gang that is owed room: its
     * queue and those above it have their guarantees without it, or it comes after the gang in the gang's own queue. Once the gang has room reserved there, {@link ProposalGuard} refuses and drops it.
     */
    static boolean mayBeDropped(
            SchedulerAccess scheduler, FiCaSchedulerNode node, Guarantees guarantees, ApplicationId gang) {
        RMContainer reserved = node.getReservedContainer();
        if (reserved == null) {
            return true;
        }
        FiCaSchedulerApp app = scheduler
                .app(reserved.getApplicationAttemptId().getApplicationId())
                .orElse(null);
        if (app == null) {
            return true;
        }
        CSQueue queue = app.getCSLeafQueue();
        Map<String, ResourceVector> without =
                Map.of(queue.getQueuePath(), YarnResources.vector(reserved.getReservedResource()));
        return !app.isWaitingForAMContainer()
                && scheduler
                        .app(gang)
                        .filter(own -> guarantees.isOver(queue, own.getCSLeafQueue(), without) || isBefore(own, app))
                        .isPresent();
    }

    private static boolean isBefore(FiCaSchedulerApp gang, FiCaSchedulerApp other) {
        return Foreign.isPlain(other)
                && other.getCSLeafQueue().equals(gang.getCSLeafQueue())
                && QueueOrder.comesAfter(other, gang);
    }
}
