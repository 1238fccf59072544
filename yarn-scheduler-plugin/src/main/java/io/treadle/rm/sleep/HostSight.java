// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.sleep;

import io.treadle.rm.sleep.NodeSight.Stage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A host with all NodeManagers that YARN has on it now: at least one. It is switched as a whole. */
record HostSight(String name, List<NodeSight> managers) {
    private static final Comparator<NodeKind> ORDER = Comparator.comparing(NodeKind::partition)
            .thenComparing(kind -> kind.capacity().toString());

    static Map<String, HostSight> byName(List<NodeSight> nodes) {
        Map<String, HostSight> hosts = new TreeMap<>();
        nodes.forEach(node -> hosts.computeIfAbsent(node.host(), host -> new HostSight(host, new ArrayList<>()))
                .managers()
                .add(node));
        return hosts;
    }

    /** Hosts of one kind can stand in for each other. */
    List<NodeKind> kind() {
        return managers.stream().map(NodeSight::kind).sorted(ORDER).toList();
    }

    List<String> ids() {
        return managers.stream().map(NodeSight::id).toList();
    }

    boolean isRunning() {
        return count(Stage.RUNNING) == managers.size();
    }

    boolean isEmpty() {
        return managers.stream().allMatch(NodeSight::empty);
    }

    int count(Stage stage) {
        return (int) managers.stream().filter(node -> node.stage() == stage).count();
    }
}
