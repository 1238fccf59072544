// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.sleep;

import io.treadle.rm.conf.PowerOffSettings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/** Nodes that hold nothing, and how many of each kind there have to be. */
final class EmptyNodes {
    private final PowerOffSettings settings;
    /** By node, ms. */
    private final Map<String, Long> since = new HashMap<>();

    EmptyNodes(PowerOffSettings settings) {
        this.settings = settings;
    }

    void see(List<NodeSight> nodes, long nowMs) {
        Map<String, Long> still = new HashMap<>();
        nodes.stream()
                .filter(EmptyNodes::isEmpty)
                .forEach(node -> still.put(node.id(), since.getOrDefault(node.id(), nowMs)));
        since.clear();
        since.putAll(still);
    }

    private static boolean isEmpty(NodeSight node) {
        return node.empty() && node.stage() == NodeSight.Stage.RUNNING;
    }

    OptionalLong sinceMs(String node) {
        Long ms = since.get(node);
        return ms == null ? OptionalLong.empty() : OptionalLong.of(ms);
    }

    /**
     * Nodes that may be switched off, the longest empty first. One of each kind stays on whether it is empty or not: YARN
     * refuses containers that no node of its could hold.
     *
     * @param needed nodes that something waits for
     */
    List<NodeSight> longEnough(List<NodeSight> nodes, Set<String> needed, long nowMs) {
        List<NodeSight> all = new ArrayList<>();
        Map<NodeKind, List<NodeSight>> kinds = nodes.stream()
                .filter(node -> node.stage() == NodeSight.Stage.RUNNING)
                .collect(Collectors.groupingBy(NodeSight::kind, LinkedHashMap::new, Collectors.toList()));
        for (List<NodeSight> kind : kinds.values()) {
            List<NodeSight> empty = kind.stream()
                    .filter(node -> isEmpty(node) && !needed.contains(node.id()))
                    .toList();
            int most = Math.min(empty.size() - settings.spare(), kind.size() - 1);
            empty.stream()
                    .filter(node -> nowMs - since.getOrDefault(node.id(), nowMs)
                            >= settings.idle().toMillis())
                    .sorted(Comparator.<NodeSight>comparingLong(node -> since.getOrDefault(node.id(), nowMs))
                            .thenComparing(NodeSight::id))
                    .limit(Math.max(0, most))
                    .forEach(all::add);
        }
        return all;
    }

    /** Nodes to switch on so that enough empty ones of their kind are there. */
    List<String> sparesMissing(List<NodeSight> nodes, Map<String, NodeKind> starting, Map<String, NodeKind> off) {
        Map<NodeKind, Long> there = new HashMap<>();
        nodes.stream().filter(EmptyNodes::isEmpty).forEach(node -> there.merge(node.kind(), 1L, Long::sum));
        starting.values().forEach(kind -> there.merge(kind, 1L, Long::sum));
        List<String> missing = new ArrayList<>();
        off.forEach((id, kind) -> {
            if (there.merge(kind, 1L, Long::sum) <= settings.spare()) {
                missing.add(id);
            }
        });
        return missing;
    }
}
