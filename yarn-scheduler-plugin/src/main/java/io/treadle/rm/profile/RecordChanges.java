// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.profile;

import io.treadle.core.wire.NodeRecord;
import io.treadle.core.wire.ProfileRecord;
import java.util.List;

/**
 * Whether a record that replaces another may change a plan. Nodes write every few seconds what they draw: in a large
 * cluster that would start one round after the other.
 */
final class RecordChanges {
    private record Inventory(
            String uuid, int index, String model, long memoryMiB, NodeRecord.Health health, List<String> containers) {}

    private RecordChanges() {}

    static boolean matter(NodeRecord before, NodeRecord now) {
        return !inventory(before).equals(inventory(now));
    }

    static boolean matter(ProfileRecord before, ProfileRecord now) {
        return before.phase() != now.phase() || !before.points().equals(now.points());
    }

    private static List<Inventory> inventory(NodeRecord record) {
        return record.devices().stream()
                .map(d -> new Inventory(d.uuid(), d.index(), d.model(), d.memoryMiB(), d.health(), d.containers()))
                .toList();
    }
}
