// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import io.treadle.core.cluster.DeviceView;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.resource.ResourceVector;
import java.util.List;

/**
 * GPUs of nodes where some tasks hold slices: counted in MiB of their memory where all are known one by one, else in
 * GPUs.
 */
final class GpuUnits {
    private final boolean inMiB;
    private final long[] perGpu;
    private final long[] free;
    private final long most;
    private final long mostVcores;

    GpuUnits(List<NodeView> nodes) {
        inMiB = nodes.stream()
                .allMatch(n -> n.available().gpus() == 0 || !n.devices().isEmpty());
        perGpu = new long[nodes.size()];
        free = new long[nodes.size()];
        long largest = 1;
        long vcores = 1;
        for (int i = 0; i < free.length; i++) {
            NodeView node = nodes.get(i);
            vcores = Math.max(vcores, node.capacity().vcores());
            if (inMiB) {
                long all = 0;
                for (DeviceView device : node.devices()) {
                    perGpu[i] = Math.max(perGpu[i], device.memoryMiB());
                    free[i] += device.usable() ? device.memoryMiB() - device.usedMiB() : 0;
                    all += device.memoryMiB();
                }
                largest = Math.max(largest, all);
            } else {
                perGpu[i] = 1;
                free[i] = node.available().gpus();
                largest = Math.max(largest, node.capacity().gpus());
            }
        }
        most = largest;
        mostVcores = vcores;
    }

    void take(int node, ResourceVector size, int sign) {
        free[node] -= sign * of(node, size);
    }

    /** What a task of this size holds on the node. */
    long of(int node, ResourceVector size) {
        return size.gpus() * perGpu[node] + (inMiB ? size.gpuMemoryMiB() : 0);
    }

    long free(int node) {
        return free[node];
    }

    /** All of the largest node. */
    long most() {
        return most;
    }

    /** Vcores of the node that has most of them. */
    long mostVcores() {
        return mostVcores;
    }
}
