// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

import io.treadle.core.wire.DevicePower;
import io.treadle.core.wire.NodePower;
import io.treadle.core.wire.NodeRecord;
import java.util.HashMap;
import java.util.Map;

/**
 * What a node has said of its draw: now, and at least and at most since it was first seen. No record says what a node can
 * draw. Where a node does not tell a GPU's own limit, the highest limit that was seen is taken for it: a cap hides it.
 */
final class MeteredNode {
    private NodeRecord record;
    private long seenMs;
    private double leastBase = Double.POSITIVE_INFINITY;
    private double mostBase;
    private final Map<String, Double> leastDraw = new HashMap<>();
    private final Map<String, Double> mostLimit = new HashMap<>();

    MeteredNode(NodeRecord record, long nowMs) {
        this.record = record;
        see(record, nowMs);
    }

    void see(NodeRecord newer, long nowMs) {
        record = newer;
        seenMs = nowMs;
        double base = Math.max(0, watts() - gpuWatts());
        leastBase = Math.min(leastBase, base);
        mostBase = Math.max(mostBase, base);
        for (NodeRecord.Device device : newer.devices()) {
            if (device.health() == NodeRecord.Health.OK) {
                leastDraw.merge(device.uuid(), device.watts(), Math::min);
                mostLimit.merge(device.uuid(), limit(device), Math::max);
            }
        }
    }

    /** What it used beside its GPUs since its last record, J; a silence counts for so long at most. */
    double hostJoulesUntil(long nowMs, long mostMs) {
        return Math.max(0, watts() - gpuWatts()) * Math.max(0, Math.min(mostMs, nowMs - seenMs)) / 1000;
    }

    NodeRecord record() {
        return record;
    }

    boolean isSilentAt(long nowMs, long patienceMs) {
        return nowMs - seenMs > patienceMs;
    }

    /** Draw of the node, W; where it does not say, of its GPUs. */
    double watts() {
        return record.power().map(NodePower::watts).orElseGet(this::gpuWatts);
    }

    /** How {@link #watts} is known: as the node says, or {@code gpus}. */
    String source() {
        return record.power().map(NodePower::source).orElse("gpus");
    }

    private double gpuWatts() {
        return record.devices().stream().mapToDouble(NodeRecord.Device::watts).sum();
    }

    double idleWatts() {
        return leastBase + working(leastDraw);
    }

    double peakWatts() {
        return mostBase + working(mostLimit);
    }

    /** The highest limit that the device had, W; 0 where none was ever read. */
    double limitOf(String uuid) {
        return mostLimit.getOrDefault(uuid, 0.0);
    }

    private double working(Map<String, Double> byDevice) {
        return record.devices().stream()
                .filter(d -> d.health() == NodeRecord.Health.OK)
                .mapToDouble(d -> byDevice.getOrDefault(d.uuid(), 0.0))
                .sum();
    }

    private static double limit(NodeRecord.Device device) {
        double own = device.power().map(DevicePower::ownCapWatts).orElse(0.0);
        return own > 0
                ? own
                : Math.max(
                        device.capWatts(),
                        device.power().map(DevicePower::effectiveCapWatts).orElse(0.0));
    }
}
