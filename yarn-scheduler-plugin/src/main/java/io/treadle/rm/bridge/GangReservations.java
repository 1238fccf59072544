// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.resource.ResourceVector;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.jspecify.annotations.Nullable;

/**
 * All gang reservations. A reservation takes nothing from anybody: containers that run stay, and room that they leave goes to
 * nobody but the gang. The planner thread changes them, every thread that places containers reads them.
 */
public final class GangReservations {
    private volatile Map<ApplicationId, GangReservation> byGang = Map.of();
    private final LongSupplier nowMs;
    private final Predicate<ApplicationId> planned;

    /** Reservations that hold until they are removed. */
    public GangReservations() {
        this(() -> 0, gang -> true);
    }

    /**
     * A reservation holds while it is neither over nor its gang served as a plain application: also where the planner is stuck and
     * removes nothing.
     *
     * @param nowMs ms since the epoch
     * @param planned whether the planner grants the gang's tasks
     */
    public GangReservations(LongSupplier nowMs, Predicate<ApplicationId> planned) {
        this.nowMs = nowMs;
        this.planned = planned;
    }

    /** Replaces the gang's reservation. Only for the planner thread. */
    public void put(GangReservation reservation) {
        Map<ApplicationId, GangReservation> changed = new HashMap<>(byGang);
        changed.put(reservation.gang(), reservation);
        byGang = Map.copyOf(changed);
    }

    /** Only for the planner thread. */
    public void remove(ApplicationId gang) {
        if (byGang.containsKey(gang)) {
            Map<ApplicationId, GangReservation> changed = new HashMap<>(byGang);
            changed.remove(gang);
            byGang = Map.copyOf(changed);
        }
    }

    public Optional<GangReservation> of(ApplicationId gang) {
        return Optional.ofNullable(byGang.get(gang));
    }

    public Collection<GangReservation> all() {
        return byGang.values();
    }

    /** Whether there is none, also none that is over. */
    boolean isEmpty() {
        return byGang.isEmpty();
    }

    /** Those that hold now. */
    List<GangReservation> standing() {
        Map<ApplicationId, GangReservation> all = byGang;
        if (all.isEmpty()) {
            return List.of();
        }
        return all.values().stream().filter(this::stands).toList();
    }

    private boolean stands(GangReservation reservation) {
        return nowMs.getAsLong() < reservation.untilMs() && planned.test(reservation.gang());
    }

    /** What is kept on the node for waiting gangs. */
    ResourceVector on(NodeId node) {
        return kept(node, null);
    }

    /** What is kept on the node from {@code asker}. */
    public ResourceVector forOthers(NodeId node, ApplicationId asker) {
        return kept(node, asker);
    }

    private ResourceVector kept(NodeId node, @Nullable ApplicationId asker) {
        ResourceVector sum = ResourceVector.ZERO;
        for (GangReservation reservation : byGang.values()) {
            ResourceVector room = reservation.rooms().get(node);
            // Nearly all nodes keep nothing: for them that is all.
            if (room != null && stands(reservation) && isKeptFrom(asker, reservation)) {
                sum = sum.plus(room);
            }
        }
        return sum;
    }

    private static boolean isKeptFrom(@Nullable ApplicationId asker, GangReservation reservation) {
        return asker == null
                || (!asker.equals(reservation.gang()) && !reservation.before().contains(asker));
    }

    /**
     * Whether a container of {@code asker} leaves on the node what is kept from it. Dimensions of which nothing is kept, or
     * of which the container takes nothing, do not matter. On a node where anything is kept it must have room at once: YARN would
     * reserve the node for it, and a node that is reserved starts no gang.
     */
    public boolean leaveRoomFor(SchedulerNode node, ApplicationId asker, ResourceVector container) {
        if (byGang.isEmpty() || on(node.getNodeID()).isZero()) {
            return true;
        }
        ResourceVector kept = forOthers(node.getNodeID(), asker);
        ResourceVector free = YarnResources.vector(node.getUnallocatedResource());
        ResourceVector left = free.minus(kept).max(ResourceVector.ZERO);
        return container.fitsIn(free) && container.where(kept).fitsIn(left);
    }

    /** The same of a container that nothing is kept from. */
    boolean letStart(SchedulerNode node, ResourceVector container) {
        return byGang.isEmpty()
                || on(node.getNodeID()).isZero()
                || container.fitsIn(YarnResources.vector(node.getUnallocatedResource()));
    }

    /**
     * The nodes as a queue's policy is to see them: free room that is kept counts as taken by tasks of other queues, so that no
     * job's share changes.
     *
     * @param free by node id, what no container holds there
     * @param claimant the gang whose own room stays visible; null for none
     */
    List<NodeView> hide(List<NodeView> nodes, Map<String, ResourceVector> free, @Nullable ApplicationId claimant) {
        if (byGang.isEmpty()) {
            return nodes;
        }
        Map<String, ResourceVector> kept = new HashMap<>();
        for (GangReservation reservation : standing()) {
            if (!reservation.gang().equals(claimant)) {
                reservation.rooms().forEach((node, room) -> kept.merge(node.toString(), room, ResourceVector::plus));
            }
        }
        return nodes.stream()
                .map(node -> {
                    ResourceVector hidden = kept.getOrDefault(node.id(), ResourceVector.ZERO)
                            .min(free.getOrDefault(node.id(), ResourceVector.ZERO))
                            .max(ResourceVector.ZERO);
                    return hidden.isZero() ? node : node.withOthersTask(hidden);
                })
                .toList();
    }
}
