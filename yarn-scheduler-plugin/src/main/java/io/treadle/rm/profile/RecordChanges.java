// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.profile;

import io.treadle.core.wire.NodeRecord;
import io.treadle.core.wire.ProfileRecord;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Whether a record that replaces another may change a plan. Nodes write every few seconds what they draw: in a large
 * cluster that would start one round after the other.
 */
final class RecordChanges {
    private record Inventory(String uuid, int index, String model, long memoryMiB, NodeRecord.Health health) {}

    private static final double LEAST_CHANGE = 0.02;

    private RecordChanges() {}

    static boolean matter(NodeRecord before, NodeRecord now) {
        return !inventory(before).equals(inventory(now));
    }

    /** Whether devices are held by others now: that a gang's containers end the scheduler knows by itself. */
    static boolean haveOtherHolders(NodeRecord before, NodeRecord now) {
        return !holders(before).equals(holders(now));
    }

    private static List<List<String>> holders(NodeRecord record) {
        return record.devices().stream().map(NodeRecord.Device::containers).toList();
    }

    static boolean matter(ProfileRecord before, ProfileRecord now) {
        return before.phase() != now.phase()
                || !before.dataset().equals(now.dataset())
                || !before.servers().equals(now.servers())
                || before.points().size() != now.points().size()
                || IntStream.range(0, now.points().size())
                        .anyMatch(
                                i -> differ(before.points().get(i), now.points().get(i)));
    }

    /** A point that was only measured once more, with much the same result, changes no plan. */
    private static boolean differ(ProfileRecord.Point before, ProfileRecord.Point now) {
        return before.vcores() != now.vcores()
                || Math.abs(before.samplesPerSecond() - now.samplesPerSecond())
                        > LEAST_CHANGE * before.samplesPerSecond();
    }

    private static List<Inventory> inventory(NodeRecord record) {
        return record.devices().stream()
                .map(d -> new Inventory(d.uuid(), d.index(), d.model(), d.memoryMiB(), d.health()))
                .toList();
    }
}
