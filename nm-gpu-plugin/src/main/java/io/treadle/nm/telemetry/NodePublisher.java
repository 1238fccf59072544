// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.telemetry;

import io.treadle.core.wire.NodeRecord;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Passes node records on when something has changed that matters, and else every now and then. Used by one thread. */
public final class NodePublisher {
    private static final double WATTS_OF_NOTE = 5;
    private static final double SHARE_OF_NOTE = 0.05;

    private final RecordSink sink;
    private final Clock clock;
    private final long intervalMs;
    private @Nullable NodeRecord last;
    private long lastMs;

    public NodePublisher(RecordSink sink, Clock clock, long intervalMs) {
        this.sink = sink;
        this.clock = clock;
        this.intervalMs = intervalMs;
    }

    public void offer(NodeRecord node) {
        NodeRecord before = last;
        long now = clock.millis();
        if ((before == null || now - lastMs >= intervalMs || differ(before, node)) && sink.put(node)) {
            last = node;
            lastMs = now;
        }
    }

    public void close() {
        sink.close();
    }

    private static boolean differ(NodeRecord before, NodeRecord after) {
        if (before.devices().size() != after.devices().size()) {
            return true;
        }
        for (int i = 0; i < before.devices().size(); i++) {
            NodeRecord.Device old = before.devices().get(i);
            NodeRecord.Device fresh = after.devices().get(i);
            if (old.health() != fresh.health()
                    || !old.containers().equals(fresh.containers())
                    || old.capWatts() != fresh.capWatts()
                    || !caps(old).equals(caps(fresh))
                    || Math.abs(old.watts() - fresh.watts()) > Math.max(WATTS_OF_NOTE, SHARE_OF_NOTE * old.watts())) {
                return true;
            }
        }
        return false;
    }

    /** What is wanted, what came of it, and why not more. */
    private static List<Object> caps(NodeRecord.Device device) {
        return device.power()
                .<List<Object>>map(p -> List.of(p.effectiveCapWatts(), p.wantedCapWatts(), p.actuator(), p.trouble()))
                .orElse(List.of());
    }
}
