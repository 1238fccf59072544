// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.DeviceShare;
import io.treadle.core.job.JobView;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Which GPU model a job runs on, or is bound to run on. Several in one gang are one model of their own. */
final class GpuModels {
    private static final String CPU_ONLY = "";

    private final Map<String, NodeView> nodes = new HashMap<>();
    /** Of all nodes. */
    private final Set<String> known = new TreeSet<>();
    /** Whether some node has GPUs and does not tell which. */
    private boolean someUntold;

    GpuModels(Snapshot snapshot) {
        for (NodeView node : snapshot.nodes()) {
            nodes.put(node.id(), node);
            someUntold |= node.capacity().gpus() > 0 && node.devices().isEmpty();
            node.devices().forEach(device -> known.add(device.model()));
        }
    }

    /** The nodes of the snapshot by id. */
    Map<String, NodeView> nodes() {
        return nodes;
    }

    /**
     * The model of a job that runs; empty where the node of a task does not tell.
     *
     * @param starting tasks that were started since the snapshot
     */
    Optional<String> of(JobView job, List<TaskPlacement> starting) {
        if (job.groups().stream().noneMatch(g -> needsGpus(g.ask()))) {
            return Optional.of(CPU_ONLY);
        }
        Set<String> models = new TreeSet<>();
        boolean known = job.tasks().stream()
                        .filter(t -> needsGpus(job.group(t.group()).ask()))
                        .allMatch(t -> add(models, t.nodeId(), t.devices()))
                && starting.stream()
                        .filter(t -> needsGpus(job.group(t.group()).ask()))
                        .allMatch(t -> add(models, t.nodeId(), t.devices()));
        return known && !models.isEmpty() ? Optional.of(String.join("+", models)) : Optional.empty();
    }

    /** The model of a job that waits, where its nodes have only one that it accepts. */
    Optional<String> of(GangSpec spec) {
        if (spec.groups().stream().noneMatch(g -> needsGpus(g.resources()))) {
            return Optional.of(CPU_ONLY);
        }
        if (someUntold) {
            return Optional.empty();
        }
        List<String> models = known.stream()
                .filter(model -> spec.groups().stream().anyMatch(g -> accepts(g, model)))
                .toList();
        return models.size() == 1 ? Optional.of(models.get(0)) : Optional.empty();
    }

    private static boolean accepts(GangSpec.Group group, String model) {
        return needsGpus(group.resources())
                && (group.gpuModels().isEmpty() || group.gpuModels().contains(model));
    }

    private static boolean needsGpus(ResourceVector ask) {
        return ask.gpus() > 0 || ask.gpuMemoryMiB() > 0;
    }

    /** False where it cannot be told. */
    private boolean add(Set<String> models, String nodeId, List<DeviceShare> devices) {
        Map<String, String> modelOf = new HashMap<>();
        NodeView node = nodes.get(nodeId);
        if (node != null) {
            node.devices().forEach(device -> modelOf.put(device.uuid(), device.model()));
        }
        for (DeviceShare share : devices) {
            String model = modelOf.get(share.uuid());
            if (model == null) {
                return false;
            }
            models.add(model);
        }
        return !devices.isEmpty();
    }
}
