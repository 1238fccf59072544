// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceInformation;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.jspecify.annotations.Nullable;

/**
 * How many containers of a size the nodes of a partition have room for, by all kinds of resources that there are. Room that is
 * reserved for gangs does not count. Used in one round, by the planner thread.
 */
final class NodePlaces {
    /** How many sizes are looked up: each takes a look at all nodes. */
    private static final int MOST_SIZES = 1_000;

    private final SchedulerAccess scheduler;
    private final GangReservations reservations;
    private final String partition;
    private final Map<NodeId, ResourceVector> beyondAsks;
    private final Map<Resource, Places> known = new HashMap<>();
    private @Nullable List<NodeRoom> nodes;

    /**
     * @param beyondAsks what jobs could give back there
     * @param isOpen whether CapacityScheduler gives to anybody what is free there
     */
    private record NodeRoom(Resource free, ResourceVector beyondAsks, boolean isOpen) {}

    /**
     * On all nodes together.
     *
     * @param now as it is
     * @param atAsks if all jobs had what they ask for
     */
    record Places(long now, long atAsks) {
        /** It may have room. */
        private static final Places UNKNOWN = new Places(0, Integer.MAX_VALUE);
    }

    /** @param beyondAsks what jobs could give back, by node, in vcores and memory */
    NodePlaces(
            SchedulerAccess scheduler,
            GangReservations reservations,
            String partition,
            Map<NodeId, ResourceVector> beyondAsks) {
        this.scheduler = scheduler;
        this.reservations = reservations;
        this.partition = partition;
        this.beyondAsks = beyondAsks;
    }

    Places of(Resource size) {
        Places found = known.get(size);
        if (found == null && known.size() < MOST_SIZES) {
            found = find(size);
            known.put(Resource.newInstance(size), found);
        }
        return found == null ? Places.UNKNOWN : found;
    }

    private Places find(Resource size) {
        long now = 0;
        long atAsks = 0;
        for (NodeRoom node : nodes()) {
            now += node.isOpen() ? count(node.free(), ResourceVector.ZERO, size) : 0;
            atAsks += count(node.free(), node.beyondAsks(), size);
        }
        return new Places(now, atAsks);
    }

    private List<NodeRoom> nodes() {
        if (nodes == null) {
            List<NodeRoom> found = new ArrayList<>();
            Heartbeats heartbeats = scheduler.heartbeats();
            for (FiCaSchedulerNode node : scheduler.nodes()) {
                if (node.getPartition().equals(partition) && node.getRMNode().getState() == NodeState.RUNNING) {
                    ResourceVector kept = reservations.on(node.getNodeID());
                    Resource free = node.getUnallocatedResource();
                    found.add(new NodeRoom(
                            kept.isZero()
                                    ? free
                                    : YarnResources.resource(YarnResources.vector(free)
                                            .minus(kept)
                                            .max(ResourceVector.ZERO)),
                            beyondAsks.getOrDefault(node.getNodeID(), ResourceVector.ZERO),
                            node.getReservedContainer() == null && heartbeats.silentMs(node) == 0));
                }
            }
            nodes = found;
        }
        return nodes;
    }

    private static long count(Resource free, ResourceVector more, Resource size) {
        ResourceInformation[] wanted = size.getResources();
        long count = Integer.MAX_VALUE;
        for (int i = 0; i < wanted.length && count > 0; i++) {
            long each = wanted[i].getValue();
            if (each > 0) {
                count = Math.min(count, Math.max(0, value(free, i) + beyond(more, i)) / each);
            }
        }
        return count;
    }

    private static long value(Resource free, int kind) {
        ResourceInformation[] kinds = free.getResources();
        return kind < kinds.length ? kinds[kind].getValue() : 0;
    }

    /** Hadoop's first two kinds are memory and vcores. */
    private static long beyond(ResourceVector more, int kind) {
        return kind == 0 ? more.memoryMiB() : kind == 1 ? more.vcores() : 0;
    }
}
