// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.sleep;

import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which hosts that are off would take what waits, and finds no room on those that are on. */
final class WakePlan {
    private final List<Room> on = new ArrayList<>();
    private final Map<String, List<Room>> off = new LinkedHashMap<>();
    private final Set<String> woken = new LinkedHashSet<>();
    private final Set<String> used = new LinkedHashSet<>();

    private static final class Room {
        private final String id;
        private final String partition;
        private final boolean isNew;
        private ResourceVector free;

        private Room(String id, String partition, ResourceVector free, boolean isNew) {
            this.id = id;
            this.partition = partition;
            this.free = free;
            this.isNew = isNew;
        }

        /** A queue that may not hold more yet is let by new nodes alone. */
        boolean took(Need need) {
            boolean fits = (isNew || !need.blocked())
                    && partition.equals(need.partition())
                    && need.size().fitsIn(free);
            free = fits ? free.minus(need.size()) : free;
            return fits;
        }
    }

    private WakePlan() {}

    /**
     * @param nodes that are on; those that take containers count
     * @param starting what will be there soon
     * @param asleep what hosts offer that can be switched on, by their names, those first that are to be woken first
     */
    static WakePlan of(
            List<Need> needs,
            Collection<NodeSight> nodes,
            Collection<NodeKind> starting,
            Map<String, List<NodeKind>> asleep) {
        WakePlan plan = new WakePlan();
        nodes.stream()
                .filter(node -> node.stage() == NodeSight.Stage.RUNNING)
                .forEach(node -> plan.on.add(new Room(node.id(), node.partition(), node.free(), false)));
        starting.forEach(kind -> plan.on.add(room(kind)));
        asleep.forEach((host, kinds) ->
                plan.off.put(host, kinds.stream().map(WakePlan::room).toList()));
        for (Need need : needs) {
            for (long i = 0; i < need.count(); i++) {
                if (!plan.placed(need)) {
                    break;
                }
            }
        }
        return plan;
    }

    private static Room room(NodeKind kind) {
        return new Room("", kind.partition(), kind.capacity(), true);
    }

    /** Hosts to switch on; empty where all that waits has room, or no host would help. */
    Set<String> woken() {
        return woken;
    }

    /** Nodes that are on and have room for some of what waits: they are kept for it. */
    Set<String> used() {
        return used;
    }

    private boolean placed(Need need) {
        for (Room room : on) {
            if (room.took(need)) {
                used.add(room.id);
                return true;
            }
        }
        for (Map.Entry<String, List<Room>> host : off.entrySet()) {
            if (host.getValue().stream().anyMatch(room -> room.took(need))) {
                woken.add(host.getKey());
                on.addAll(host.getValue());
                off.remove(host.getKey());
                return true;
            }
        }
        return false;
    }
}
