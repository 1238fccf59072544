// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.simulator.cluster.Partition;
import io.treadle.simulator.cluster.SimCluster;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** GPUs in use on every node, with the sums that change with each task. A card counts as 1,000 parts. */
final class Usage {
    static final long CARD = 1000;

    private final Map<String, Integer> indexOf = new HashMap<>();
    private final long[] capacity;
    private final long[] perSliceMiB;
    private final long[] used;
    private long usedParts;
    private int usedNodes;
    /** Free parts of nodes on which something runs. */
    private long strandedParts;

    Usage(SimCluster cluster) {
        int nodes = cluster.nodes();
        capacity = new long[nodes];
        perSliceMiB = new long[nodes];
        used = new long[nodes];
        int index = 0;
        for (Partition partition : cluster.partitions()) {
            for (NodeView node : partition.nodes()) {
                indexOf.put(node.id(), index);
                capacity[index] = node.capacity().gpus() * CARD;
                perSliceMiB[index] =
                        node.devices().isEmpty() ? 1 : node.devices().get(0).memoryMiB();
                index++;
            }
        }
    }

    void take(List<TaskPlacement> tasks) {
        tasks.forEach(task -> change(task, 1));
    }

    void giveBack(List<TaskPlacement> tasks) {
        tasks.forEach(task -> change(task, -1));
    }

    private void change(TaskPlacement task, int sign) {
        int node = Objects.requireNonNull(indexOf.get(task.nodeId()));
        long parts = task.size().gpus() * CARD + task.size().gpuMemoryMiB() * CARD / perSliceMiB[node];
        boolean wasUsed = used[node] > 0;
        strandedParts -= wasUsed ? capacity[node] - used[node] : 0;
        used[node] += sign * parts;
        usedParts += sign * parts;
        boolean isUsed = used[node] > 0;
        strandedParts += isUsed ? capacity[node] - used[node] : 0;
        usedNodes += (isUsed ? 1 : 0) - (wasUsed ? 1 : 0);
    }

    /** Of one node. */
    long capacityParts(String node) {
        return capacity[Objects.requireNonNull(indexOf.get(node))];
    }

    long usedParts() {
        return usedParts;
    }

    int usedNodes() {
        return usedNodes;
    }

    long strandedParts() {
        return strandedParts;
    }
}
