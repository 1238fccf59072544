// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;

/**
 * Room below the maximum of queues and below the limit of a user, for gangs that are owed room. A gang's queue, or one above it,
 * may be full of what comes after the gang while nodes have room. Safe for use by several threads.
 */
final class QueueRoom {
    private final SchedulerAccess scheduler;

    QueueRoom(SchedulerAccess scheduler) {
        this.scheduler = scheduler;
    }

    /** What the gang's queue and its user may take now. */
    ResourceVector now(FiCaSchedulerApp gang, String partition) {
        ResourceVector queue = QueueLimits.headroom(gang.getCSLeafQueue(), partition, scheduler.clusterResource());
        return queue.min(limits(gang, partition).room(gang.getUser())).max(ResourceVector.ZERO);
    }

    private UserLimits limits(FiCaSchedulerApp gang, String partition) {
        ResourceVector all = YarnResources.vector(scheduler.partitionResource(partition));
        return new UserLimits(gang.getCSLeafQueue(), partition, all);
    }

    /**
     * What the gang's queue may take once some containers have ended. Where a queue's maximum is in the way, the applications below
     * it that come after the gang, and what other queues hold beyond their guarantees, are taken to end, too.
     *
     * @param freed what ends, by path of its leaf queue
     */
    ResourceVector headroom(FiCaSchedulerApp gang, Guarantees guarantees, Map<String, ResourceVector> freed) {
        String partition = guarantees.partition();
        ResourceVector headroom = YarnResources.vector(scheduler.clusterResource());
        for (CSQueue level = gang.getCSLeafQueue(); level != null; level = level.getParent()) {
            ResourceVector given = QueueLimits.below(level, freed);
            // At the root the nodes are the limit, of which others say what becomes free.
            ResourceVector more = level.getParent() == null ? given : given.max(after(gang, level, guarantees));
            headroom = headroom.min(QueueLimits.room(level, partition).plus(more));
        }
        return headroom.max(ResourceVector.ZERO);
    }

    private static ResourceVector after(FiCaSchedulerApp gang, CSQueue level, Guarantees guarantees) {
        if (!QueueLimits.isBelow(gang.getCSLeafQueue().getQueuePath(), level)) {
            return guarantees.beyond(level);
        }
        List<CSQueue> children = level.getChildQueues();
        return children == null
                ? guarantees.heldByLaterPlainApplications(gang, QueueOrder.servedBefore(gang))
                : children.stream()
                        .map(child -> after(gang, child, guarantees))
                        .reduce(ResourceVector.ZERO, ResourceVector::plus);
    }

    /**
     * Whether a container of {@code asker} leaves below each maximum, and below their user's limit, what gangs with reserved room
     * still lack. Applications of a gang's own queue that come before it need not, nor those of other queues that are guaranteed
     * the container. Dimensions of which the gang lacks nothing, or of which the container takes nothing, do not matter.
     */
    boolean isLeftBy(ApplicationId asker, SchedulerNode node, ResourceVector container, GangReservations reservations) {
        List<GangReservation> standing = reservations.standing();
        if (standing.isEmpty()) {
            return true;
        }
        FiCaSchedulerApp app = scheduler.app(asker).orElse(null);
        return app == null || standing.stream().allMatch(kept -> isLeftBy(app, node, container, kept));
    }

    private boolean isLeftBy(
            FiCaSchedulerApp asker, SchedulerNode node, ResourceVector container, GangReservation kept) {
        String partition = node.getPartition();
        if (!kept.partition().equals(partition) || asker.getApplicationId().equals(kept.gang())) {
            return true;
        }
        FiCaSchedulerApp gang = scheduler.app(kept.gang()).orElse(null);
        if (gang == null) {
            return true;
        }
        ResourceVector lacks = kept.all();
        ResourceVector asked = container.where(lacks);
        boolean isOfItsQueue = asker.getCSLeafQueue().equals(gang.getCSLeafQueue());
        if (isOfItsQueue
                ? comesFirst(asker, gang, kept)
                : isGuaranteed(asker.getCSLeafQueue(), gang.getCSLeafQueue(), partition, container)) {
            return true;
        }
        ResourceVector both = both(asked, lacks);
        // The limit takes a look at each user of the queue: it is that of the planner's last round.
        if (isOfItsQueue
                && asker.getUser().equals(gang.getUser())
                && !both.fitsIn(kept.userLimit().minus(limits(gang, partition).used(gang.getUser())))) {
            return false;
        }
        for (CSQueue level = gang.getCSLeafQueue(); level.getParent() != null; level = level.getParent()) {
            if (QueueLimits.isBelow(asker.getCSLeafQueue().getQueuePath(), level)
                    && !both.fitsIn(QueueLimits.room(level, partition).max(ResourceVector.ZERO))) {
                return false;
            }
        }
        // At the root the nodes are the limit. What YARN reserves on one of them for a container that has no room there
        // counts as held all the same: there may be less left than is free for the gang.
        return container.fitsIn(YarnResources.vector(node.getUnallocatedResource()))
                || both(asked, freeOf(kept))
                        .fitsIn(QueueLimits.room(QueueLimits.root(gang.getCSLeafQueue()), partition)
                                .max(ResourceVector.ZERO));
    }

    /** Of what is kept, what is free now. */
    private ResourceVector freeOf(GangReservation kept) {
        ResourceVector free = ResourceVector.ZERO;
        for (Map.Entry<NodeId, ResourceVector> room : kept.rooms().entrySet()) {
            free = free.plus(scheduler
                    .node(room.getKey())
                    .map(node ->
                            YarnResources.vector(node.getUnallocatedResource()).min(room.getValue()))
                    .orElse(ResourceVector.ZERO));
        }
        return free;
    }

    private static ResourceVector both(ResourceVector asked, ResourceVector kept) {
        return asked.plus(kept.where(asked));
    }

    private static boolean comesFirst(FiCaSchedulerApp asker, FiCaSchedulerApp gang, GangReservation kept) {
        return Foreign.isPlain(asker)
                ? kept.before().contains(asker.getApplicationId())
                : !QueueOrder.comesAfter(asker, gang);
    }

    /** Whether the container is within the guarantee of the queue, or of one above it that the gang's queue does not share. */
    private static boolean isGuaranteed(CSQueue queue, CSQueue ofGang, String partition, ResourceVector container) {
        return QueueLimits.apart(queue, ofGang).anyMatch(level -> QueueLimits.used(level, partition)
                .plus(container)
                .where(container)
                .fitsIn(QueueLimits.guarantee(level, partition)));
    }
}
