// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.cluster.DeviceView;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.job.RunningTask;
import io.treadle.core.resource.ResourceVector;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The nodes of a snapshot, for code that reads them once for each job: what is the same for many jobs is looked up once, so that
 * a snapshot of many jobs on many nodes does not cost their product.
 */
final class SnapshotNodes {
    private final List<NodeView> all;
    private final RoundNodes round;
    private final Map<String, NodeView> byId = new HashMap<>();
    private final Map<Long, ResourceVector> shares = new HashMap<>();
    private final Map<Set<String>, Optional<PowerSight.Gpus>> gpus = new HashMap<>();
    private final long fastestStorageMBps;
    private final ResourceVector capacity;

    /** @param round where {@code all} were read */
    SnapshotNodes(List<NodeView> all, RoundNodes round) {
        this.all = all;
        this.round = round;
        all.forEach(node -> byId.put(node.id(), node));
        capacity = all.stream().map(NodeView::capacity).reduce(ResourceVector.ZERO, ResourceVector::plus);
        fastestStorageMBps = all.stream()
                .mapToLong(node -> node.capacity().storageMBps())
                .max()
                .orElse(0);
    }

    List<NodeView> all() {
        return all;
    }

    /** What they have together. */
    ResourceVector capacity() {
        return capacity;
    }

    /** The most that a node advertises, MB/s. */
    long fastestStorageMBps() {
        return fastestStorageMBps;
    }

    /** The least that a node of these tasks advertises, MB/s, see {@link StorageOfNodes#slowest}. */
    long slowestStorageMBps(List<RunningTask> tasks) {
        return StorageOfNodes.slowest(tasks, byId);
    }

    Optional<NodeDevices> devices(String node) {
        return round.reading(node).flatMap(NodeReading::devices);
    }

    /** The share of a task with so many GPUs on the node where that has the most vcores. */
    ResourceVector largestShare(long ofGpus) {
        return shares.computeIfAbsent(ofGpus, count -> all.stream()
                .filter(node -> node.capacity().gpus() > 0)
                .map(node -> node.share(count))
                .max(Comparator.comparingLong(ResourceVector::vcores))
                .orElse(ResourceVector.ZERO));
    }

    /** Models of the GPUs that these tasks hold. */
    Set<String> models(List<RunningTask> tasks) {
        Set<String> models = new HashSet<>();
        for (RunningTask task : tasks) {
            NodeView node = byId.get(task.nodeId());
            if (node != null && !task.devices().isEmpty()) {
                Set<String> held = new HashSet<>();
                task.devices().forEach(share -> held.add(share.uuid()));
                for (DeviceView device : node.devices()) {
                    if (held.contains(device.uuid())) {
                        models.add(device.model());
                    }
                }
            }
        }
        return models;
    }

    /** See {@link PowerSight#gpus}. */
    Optional<PowerSight.Gpus> gpus(PowerSight power, Set<String> models) {
        return gpus.computeIfAbsent(models, key -> power.gpus(all, key));
    }

    /** Ids of the nodes on hosts or in racks of these names. */
    Set<String> on(Set<String> hostsAndRacks) {
        Set<String> ids = new HashSet<>();
        if (!hostsAndRacks.isEmpty()) {
            for (NodeView node : all) {
                String host = node.id().substring(0, node.id().lastIndexOf(':'));
                if (hostsAndRacks.contains(host) || hostsAndRacks.contains(node.rack())) {
                    ids.add(node.id());
                }
            }
        }
        return ids;
    }
}
