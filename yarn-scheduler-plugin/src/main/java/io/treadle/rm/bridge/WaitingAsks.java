// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.gang.GangTable;
import io.treadle.rm.sleep.Need;
import io.treadle.rm.sleep.NodeKind;
import io.treadle.rm.sleep.Waiting;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.PendingAsk;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;

/**
 * What applications wait for: of a gang what it lacks of its least tasks, as what more it could use is its policy's to give;
 * of other applications all that they ask for. Used once.
 */
final class WaitingAsks {
    private final SchedulerAccess scheduler;
    private final GangTable gangs;
    private final Collection<NodeKind> off;
    private final Predicate<String> heldBack;
    private final Predicate<String> limited;
    private final List<Need> needs = new ArrayList<>();
    private final Set<String> unlimited = new HashSet<>();
    private final Set<String> partitions = new HashSet<>();
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
     * @param heldBack whether a budget that is used up keeps a queue's gangs from running, by its path: they ask for nothing
     * @param limited whether a limit on power may keep a queue's jobs waiting, by its path
     */
    WaitingAsks(
            SchedulerAccess scheduler,
            GangTable gangs,
            Collection<NodeKind> off,
            Predicate<String> heldBack,
            Predicate<String> limited) {
        this.heldBack = once(heldBack);
        this.limited = once(limited);
        this.scheduler = scheduler;
        this.gangs = gangs;
        this.off = off;
    }

    /** To know either is a look at all nodes: not for each ask. */
    private static Predicate<String> once(Predicate<String> ofQueue) {
        Map<String, Boolean> known = new HashMap<>();
        return path -> known.computeIfAbsent(path, ofQueue::test);
    }

    Waiting of(Collection<RMApp> applications) {
        for (RMApp application : applications) {
            scheduler
                    .app(application.getApplicationId())
                    .ifPresent(app -> needs(app, gangs.find(application.getApplicationId())));
        }
        return new Waiting(needs, unlimited, partitions);
    }

    private void needs(FiCaSchedulerApp app, Optional<Gang> gang) {
        if (gang.map(Gang::queue).filter(heldBack).isPresent()) {
            return;
        }
        if (gang.isPresent() && !app.getLiveContainers().isEmpty()) {
            gang(app, gang.get());
            return;
        }
        for (SchedulerRequestKey key : app.getSchedulerKeys()) {
            PendingAsk ask = app.getPendingAsk(key, ResourceRequest.ANY);
            if (key.getContainerToUpdate() == null && ask.getCount() > 0) {
                String label =
                        app.getAppSchedulingInfo().getAppPlacementAllocator(key).getPrimaryRequestedNodePartition();
                add(app, label, YarnResources.vector(ask.getPerAllocationResource()), ask.getCount());
            }
        }
    }

    private void gang(FiCaSchedulerApp app, Gang gang) {
        List<GangSpec.Group> groups = gang.spec().groups();
        LiveTasks live = new LiveTasks(app, groups.size());
        for (int i = 0; i < groups.size(); i++) {
            long least = Math.min(groups.get(i).min() - live.running(i), live.pending(i));
            if (least > 0) {
                add(app, gang.partition(), groups.get(i).resources(), least);
            }
        }
    }

    private void add(FiCaSchedulerApp app, String partition, ResourceVector size, long count) {
        CSQueue queue = app.getCSLeafQueue();
        partitions.add(partition);
        Room room = rooms.computeIfAbsent(queue.getQueuePath() + " " + partition, key -> room(queue, partition));
        long fits = Math.min(count, room.now.count(size));
        long fitsThen = Math.min(count, room.withAll.count(size));
        if (fitsThen > 0 && !limited.test(queue.getQueuePath())) {
            unlimited.add(partition);
        }
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
        return new Room(
                QueueLimits.headroom(queue, partition, scheduler.clusterResource()),
                QueueLimits.headroomWith(queue, partition, on, all));
    }
}
