// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.sleep;

import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which nodes that are off would take what waits, and finds no room on those that are on. */
final class WakePlan {
    private final List<Room> on = new ArrayList<>();
    private final List<Room> off = new ArrayList<>();
    private final Set<String> woken = new LinkedHashSet<>();
    private final Set<String> used = new LinkedHashSet<>();

    private static final class Room {
        private final String id;
        private final String partition;
        private ResourceVector free;

        private Room(String id, String partition, ResourceVector free) {
            this.id = id;
            this.partition = partition;
            this.free = free;
        }

        boolean took(Need need) {
            boolean fits = partition.equals(need.partition()) && need.size().fitsIn(free);
            free = fits ? free.minus(need.size()) : free;
            return fits;
        }
    }

    private WakePlan() {}

    /**
     * @param nodes that are on; those that take containers count
     * @param starting nodes that will be there soon, with what they offer
     * @param asleep nodes that are off
     */
    static WakePlan of(
            List<Need> needs, List<NodeSight> nodes, Map<String, NodeKind> starting, Map<String, NodeKind> asleep) {
        WakePlan plan = new WakePlan();
        nodes.stream()
                .filter(node -> node.stage() == NodeSight.Stage.RUNNING)
                .forEach(node -> plan.on.add(new Room(node.id(), node.partition(), node.free())));
        starting.forEach((id, kind) -> plan.on.add(new Room(id, kind.partition(), kind.capacity())));
        asleep.forEach((id, kind) -> plan.off.add(new Room(id, kind.partition(), kind.capacity())));
        for (Need need : needs) {
            for (long i = 0; i < need.count(); i++) {
                if (!plan.placed(need, starting.keySet())) {
                    break;
                }
            }
        }
        return plan;
    }

    /** Nodes to switch on; empty where all that waits has room, or no node would help. */
    Set<String> woken() {
        return woken;
    }

    /** Nodes that are on and have room for some of what waits: they are kept for it. */
    Set<String> used() {
        return used;
    }

    private boolean placed(Need need, Set<String> starting) {
        for (Room room : on) {
            // A queue that may not hold more yet is let by new nodes alone.
            boolean counts = !need.blocked() || starting.contains(room.id) || woken.contains(room.id);
            if (counts && room.took(need)) {
                used.add(room.id);
                return true;
            }
        }
        for (Room room : off) {
            if (room.took(need)) {
                woken.add(room.id);
                off.remove(room);
                on.add(room);
                return true;
            }
        }
        return false;
    }
}
