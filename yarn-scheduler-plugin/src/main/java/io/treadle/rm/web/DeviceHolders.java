// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import io.treadle.core.wire.NodeRecord;
import io.treadle.rm.bridge.StatusReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which jobs hold a device: by the scheduler's choice, or, where the node chose, by what the node says. */
final class DeviceHolders {
    private final Map<Key, List<Holding>> holdings = new HashMap<>();

    /**
     * @param node id of the node: two nodes may name their devices alike
     * @param id UUID of a device or id of a container
     */
    private record Key(String node, String id) {}

    private record Holding(StatusReport.Job job, StatusReport.Task task) {}

    /** @param jobs those that the viewer may see */
    DeviceHolders(List<StatusReport.Job> jobs) {
        for (StatusReport.Job job : jobs) {
            for (StatusReport.Task task : job.tasks()) {
                add(new Key(task.node(), task.containerId()), new Holding(job, task));
                task.devices().forEach(uuid -> add(new Key(task.node(), uuid), new Holding(job, task)));
            }
        }
    }

    private void add(Key key, Holding holding) {
        holdings.computeIfAbsent(key, k -> new ArrayList<>(1)).add(holding);
    }

    List<StatusReport.Job> jobs(String node, NodeRecord.Device device) {
        return all(node, device).stream().map(Holding::job).distinct().toList();
    }

    /** Whether one of them holds only a part of it. */
    boolean sliced(String node, NodeRecord.Device device) {
        return all(node, device).stream().anyMatch(h -> h.task().size().gpus() == 0);
    }

    private Set<Holding> all(String node, NodeRecord.Device device) {
        Set<Holding> all = new LinkedHashSet<>(holdings.getOrDefault(new Key(node, device.uuid()), List.of()));
        device.containers().forEach(id -> all.addAll(holdings.getOrDefault(new Key(node, id), List.of())));
        return all;
    }
}
