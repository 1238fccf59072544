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
    /** Keys are UUIDs of devices and ids of containers. */
    private final Map<String, List<Holding>> holdings = new HashMap<>();

    private record Holding(StatusReport.Job job, StatusReport.Task task) {}

    /** @param jobs those that the viewer may see */
    DeviceHolders(List<StatusReport.Job> jobs) {
        for (StatusReport.Job job : jobs) {
            for (StatusReport.Task task : job.tasks()) {
                add(task.containerId(), new Holding(job, task));
                task.devices().forEach(uuid -> add(uuid, new Holding(job, task)));
            }
        }
    }

    private void add(String key, Holding holding) {
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
        Set<Holding> all = new LinkedHashSet<>(holdings.getOrDefault(device.uuid(), List.of()));
        device.containers().forEach(id -> all.addAll(holdings.getOrDefault(id, List.of())));
        // An administrator who names devices by hand may name those of two nodes alike.
        all.removeIf(h -> !h.task().node().equals(node));
        return all;
    }
}
