// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.gang.GangTable;
import io.treadle.rm.sleep.Need;
import io.treadle.rm.sleep.NodeKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.PendingAsk;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;

/**
 * What applications wait for, as far as their queues may hold it once all nodes are on: of a gang that waits its least
 * tasks, of one that runs nothing, as what more it could use is its policy's to give; of other applications all that they
 * ask for.
 */
final class WaitingAsks {
    private final SchedulerAccess scheduler;
    private final GangTable gangs;
    private final Collection<NodeKind> off;
    private final Predicate<Gang> heldBack;
    /** By queue and partition, what may still be held with the nodes that are on, and with all. */
    private final Map<String, Room> rooms = new HashMap<>();

    private static final class Room {
        private ResourceVector now;
        private ResourceVector withAll;

        private Room(ResourceVector now, ResourceVector withAll) {
            this.now = now;
            this.withAll = withAll;
        }
    }

    /**
     * @param off what is there for the asking
     * @param heldBack whether a budget that is used up keeps a gang from running: it asks for nothing
     */
    WaitingAsks(SchedulerAccess scheduler, GangTable gangs, Collection<NodeKind> off, Predicate<Gang> heldBack) {
        this.heldBack = heldBack;
        this.scheduler = scheduler;
        this.gangs = gangs;
        this.off = off;
    }

    List<Need> of(Collection<RMApp> applications) {
        List<Need> needs = new ArrayList<>();
        for (RMApp application : applications) {
            scheduler
                    .app(application.getApplicationId())
                    .ifPresent(app -> needs(needs, app, gangs.find(application.getApplicationId())));
        }
        return needs;
    }

    private void needs(List<Need> needs, FiCaSchedulerApp app, Optional<Gang> gang) {
        if (gang.filter(heldBack).isPresent()) {
            return;
        }
        if (gang.isPresent() && !app.getLiveContainers().isEmpty()) {
            gang(needs, app, gang.get());
            return;
        }
        for (SchedulerRequestKey key : app.getSchedulerKeys()) {
            PendingAsk ask = app.getPendingAsk(key, ResourceRequest.ANY);
            if (key.getContainerToUpdate() == null && ask.getCount() > 0) {
                String label =
                        app.getAppSchedulingInfo().getAppPlacementAllocator(key).getPrimaryRequestedNodePartition();
                add(needs, app, label, YarnResources.vector(ask.getPerAllocationResource()), ask.getCount());
            }
        }
    }

    private void gang(List<Need> needs, FiCaSchedulerApp app, Gang gang) {
        List<GangSpec.Group> groups = gang.spec().groups();
        LiveTasks live = new LiveTasks(app, groups.size());
        for (int i = 0; i < groups.size() && live.tasks().isEmpty(); i++) {
            long least = Math.min(groups.get(i).min(), live.pending(i));
            if (least > 0) {
                add(needs, app, gang.partition(), groups.get(i).resources(), least);
            }
        }
    }

    private void add(List<Need> needs, FiCaSchedulerApp app, String partition, ResourceVector size, long count) {
        CSQueue queue = app.getCSLeafQueue();
        Room room = rooms.computeIfAbsent(queue.getQueuePath() + " " + partition, key -> room(queue, partition));
        long fits = Math.min(count, room.now.count(size));
        long fitsThen = Math.min(count, room.withAll.count(size));
        if (fits > 0) {
            needs.add(new Need(partition, size, fits, false));
        }
        if (fitsThen > fits) {
            needs.add(new Need(partition, size, fitsThen - fits, true));
        }
        room.now = room.now.minus(size.times(fits)).max(ResourceVector.ZERO);
        room.withAll = room.withAll.minus(size.times(fitsThen)).max(ResourceVector.ZERO);
    }

    /** A queue's limit is a share of what is on: it grows with the nodes of its partition. */
    private Room room(CSQueue queue, String partition) {
        ResourceVector on = scheduler.nodes().stream()
                .filter(node -> node.getPartition().equals(partition))
                .map(node -> YarnResources.vector(node.getTotalResource()))
                .reduce(ResourceVector.ZERO, ResourceVector::plus);
        ResourceVector all = off.stream()
                .filter(kind -> kind.partition().equals(partition))
                .map(NodeKind::capacity)
                .reduce(on, ResourceVector::plus);
        ResourceVector now = QueueLimits.headroom(queue, partition, scheduler.clusterResource());
        ResourceVector limit = QueueLimits.limit(queue, partition);
        ResourceVector more = QueueLimits.grown(limit, on, all).minus(limit);
        return new Room(now, now.plus(more));
    }
}
