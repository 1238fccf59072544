// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import io.treadle.core.cluster.DeviceView;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.job.TaskGroup;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * GPUs of a node as fragments are counted on them: nodes with the same are alike but for what is free on them.
 *
 * @param memoryMiB of each; 1 for each GPU of a node that is known by their number only
 * @param models of each; nothing where only their number is known
 */
record NodeGpus(List<Long> memoryMiB, Optional<List<String>> models) {
    /** A whole GPU, in the parts that fragments are counted in. */
    static final long PARTS = 1000;

    static NodeGpus of(NodeView node) {
        List<DeviceView> devices = node.devices();
        return devices.isEmpty()
                ? new NodeGpus(
                        LongStream.range(0, node.capacity().gpus())
                                .map(i -> 1)
                                .boxed()
                                .toList(),
                        Optional.empty())
                : new NodeGpus(
                        devices.stream().map(DeviceView::memoryMiB).toList(),
                        Optional.of(devices.stream().map(DeviceView::model).toList()));
    }

    /** Whether it does not matter which of the GPUs has how much left. */
    boolean alike() {
        return memoryMiB.stream().distinct().count() <= 1
                && models.map(m -> m.stream().distinct().count() <= 1).orElse(true);
    }

    int count() {
        return memoryMiB.size();
    }

    /** Whether a task of the group may have this GPU. */
    boolean accepts(int gpu, TaskGroup group) {
        return models.map(m -> group.accepts(m.get(gpu))).orElse(!group.choosesDevices());
    }

    /** MiB that a task of the group would take of this GPU. */
    long need(int gpu, TaskGroup group) {
        return group.ask().gpus() > 0 ? memoryMiB.get(gpu) : group.ask().gpuMemoryMiB();
    }

    /** So much of the GPU, in parts of a whole one. */
    double parts(int gpu, long freeMiB) {
        return (double) (PARTS * freeMiB) / Math.max(1, memoryMiB.get(gpu));
    }
}
