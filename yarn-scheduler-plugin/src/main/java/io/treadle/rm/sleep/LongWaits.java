// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.sleep;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What waits though it seems to have room: YARN and policies know of users' limits, GPU models, places that an application
 * avoids. One host after the other is woken for it.
 */
final class LongWaits {
    private static final long PATIENCE_MS = 60_000;

    /** By partition, ms. */
    private final Map<String, Long> since = new HashMap<>();

    /**
     * @param starting kinds of hosts that will be there soon: they are waited for first
     * @param asleep hosts that can be had
     * @return hosts to wake
     */
    List<String> wake(
            Waiting waiting, Collection<List<NodeKind>> starting, Map<String, List<NodeKind>> asleep, long nowMs) {
        since.keySet().retainAll(waiting.unlimited());
        List<String> woken = new ArrayList<>();
        for (String partition : waiting.unlimited()) {
            if (starting.stream().anyMatch(kind -> isOf(kind, partition))) {
                since.put(partition, nowMs);
            } else if (nowMs - since.computeIfAbsent(partition, p -> nowMs) >= PATIENCE_MS) {
                asleep.entrySet().stream()
                        .filter(host -> isOf(host.getValue(), partition))
                        .findFirst()
                        .ifPresent(host -> woken.add(host.getKey()));
            }
        }
        return woken;
    }

    private static boolean isOf(List<NodeKind> kind, String partition) {
        return kind.stream().anyMatch(node -> node.partition().equals(partition));
    }
}
