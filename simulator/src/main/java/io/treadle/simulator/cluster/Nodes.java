// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cluster;

import io.treadle.core.cluster.DeviceView;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.List;

/** Makes nodes of which nobody else holds anything. */
final class Nodes {
    private Nodes() {}

    static NodeView node(String id, String rack, ResourceVector capacity, List<DeviceView> devices) {
        return new NodeView(id, rack, capacity, ResourceVector.ZERO, ResourceVector.ZERO, devices, true);
    }

    /** Nodes that are alike, {@code prefix} and a number from 0 each. */
    static List<NodeView> alike(String prefix, int count, ResourceVector capacity) {
        List<NodeView> nodes = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            nodes.add(node(prefix + i, "", capacity, List.of()));
        }
        return nodes;
    }

    /** The node with its GPUs one by one, of no model, where only their number is known. */
    static NodeView withNumberedGpus(NodeView node) {
        if (!node.devices().isEmpty()) {
            return node;
        }
        List<DeviceView> gpus = new ArrayList<>();
        for (int slot = 0; slot < node.capacity().gpus(); slot++) {
            gpus.add(new DeviceView(SimCluster.gpuName(node.id(), slot), "", 1, 0, true));
        }
        return new NodeView(
                node.id(),
                node.rack(),
                node.capacity(),
                node.othersUse(),
                node.othersTasks(),
                node.keptFree(),
                gpus,
                node.open());
    }
}
