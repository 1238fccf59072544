// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

import io.treadle.core.wire.NodePower;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The counters of one node, made into what was spent between two of its records. They begin at 0 with each start of its
 * NodeManager.
 */
final class NodeCounters {
    private long gpus;
    private long idle;
    private long ended;
    private Map<String, Long> containers = Map.of();

    /**
     * What was spent since the record before, mJ. All parts add up to {@code total}.
     *
     * @param unknown what nobody can be named for
     */
    record Spent(long total, long idle, Map<String, Long> containers, long unknown) {}

    Spent advance(NodePower now) {
        if (isAnew(now)) {
            gpus = 0;
            idle = 0;
            ended = 0;
            containers = Map.of();
        }
        Map<String, Long> spent = new HashMap<>();
        now.containers().forEach((id, mJ) -> spent.put(id, mJ - containers.getOrDefault(id, 0L)));
        List<String> dropped = new ArrayList<>(containers.keySet());
        dropped.removeAll(now.containers().keySet());
        // What those that are not named any more had spent is within the node's counter of the ended: the rest of its
        // growth is what they spent since the record before.
        long atLast = now.endedMillijoules()
                - ended
                - dropped.stream().mapToLong(containers::get).sum();
        if (atLast > 0) {
            for (int i = 0; i < dropped.size(); i++) {
                long part = atLast / dropped.size() + (i < atLast % dropped.size() ? 1 : 0);
                spent.merge(dropped.get(i), part, Long::sum);
            }
        }
        spent.values().removeIf(mJ -> mJ <= 0);
        long total = now.gpuMillijoules() - gpus;
        long whileIdle = now.idleMillijoules() - idle;
        long named = spent.values().stream().mapToLong(Long::longValue).sum();
        gpus = now.gpuMillijoules();
        idle = now.idleMillijoules();
        ended = now.endedMillijoules();
        containers = now.containers();
        return new Spent(total, whileIdle, spent, total - whileIdle - named);
    }

    /** No counter ever falls while a NodeManager runs. */
    private boolean isAnew(NodePower now) {
        return now.gpuMillijoules() < gpus
                || now.idleMillijoules() < idle
                || now.endedMillijoules() < ended
                || containers.entrySet().stream()
                        .anyMatch(e -> now.containers().getOrDefault(e.getKey(), e.getValue()) < e.getValue());
    }
}
