// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import io.treadle.core.wire.NodeRecord;
import io.treadle.rm.bridge.StatusReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** Which jobs hold a device: by the scheduler's choice, or, where the node chose, by what the node says. */
final class DeviceHolders {
    private final Map<Key, List<Holding>> holdings = new HashMap<>();

    /**
     * @param node id of the node: two nodes may name their devices alike
     * @param id UUID of a device or id of a container
     */
    private record Key(String node, String id) {}

    private record Holding(StatusReport.Job job, StatusReport.Task task) {}

    /**
     * @param jobs those that the viewer may see
     * @param nodes ids of the nodes whose devices are asked for
     */
    DeviceHolders(List<StatusReport.Job> jobs, Set<String> nodes) {
        for (StatusReport.Job job : jobs) {
            for (StatusReport.Task task : job.tasks()) {
                if (nodes.contains(task.node())) {
                    Holding holding = new Holding(job, task);
                    add(new Key(task.node(), task.containerId()), holding);
                    task.devices().forEach(uuid -> add(new Key(task.node(), uuid), holding));
                }
            }
        }
    }

    private void add(Key key, Holding holding) {
        holdings.computeIfAbsent(key, k -> new ArrayList<>(1)).add(holding);
    }

    /** Each once. */
    List<StatusReport.Job> jobs(String node, NodeRecord.Device device) {
        // By their ids: to hash or compare a job itself is to walk all of its tasks.
        Map<ApplicationId, StatusReport.Job> byId = new LinkedHashMap<>();
        all(node, device)
                .forEach(holding -> byId.putIfAbsent(holding.job().gang().id(), holding.job()));
        return List.copyOf(byId.values());
    }

    /** Whether one of them holds only a part of it. */
    boolean sliced(String node, NodeRecord.Device device) {
        return all(node, device).stream().anyMatch(h -> h.task().size().gpus() == 0);
    }

    /** A task may be there twice: as the scheduler and as the node says it. */
    private List<Holding> all(String node, NodeRecord.Device device) {
        List<Holding> all = new ArrayList<>(holdings.getOrDefault(new Key(node, device.uuid()), List.of()));
        device.containers().forEach(id -> all.addAll(holdings.getOrDefault(new Key(node, id), List.of())));
        return all;
    }
}
