// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.cluster;

import io.treadle.core.resource.ResourceVector;
import java.util.List;

/**
 * One node.
 *
 * @param id {@code host:port} in a live cluster
 * @param rack the rack's name
 * @param capacity all that the node has
 * @param othersUse what containers other than the snapshot's running tasks hold
 * @param keptFree what no task gets beyond its ask, so that the containers of others still find room
 * @param devices its GPUs one by one; empty where only their number is known
 * @param open whether new tasks may start here
 */
public record NodeView(
        String id,
        String rack,
        ResourceVector capacity,
        ResourceVector othersUse,
        ResourceVector keptFree,
        List<DeviceView> devices,
        boolean open) {
    public NodeView {
        devices = List.copyOf(devices);
    }

    /** The same node, open to new tasks or not. */
    public NodeView withOpen(boolean isOpen) {
        return new NodeView(id, rack, capacity, othersUse, keptFree, devices, isOpen);
    }

    /** What is left for the snapshot's jobs; never below zero. */
    public ResourceVector available() {
        return capacity.minus(othersUse).max(ResourceVector.ZERO);
    }

    /**
     * The GPU-proportional share of {@code gpus} GPUs: (capacity − what others hold and what is kept free) ÷ the GPUs
     * left, in every dimension, rounded down. Zero on a node without GPUs.
     */
    public ResourceVector share(long gpus) {
        ResourceVector available = available();
        return available.gpus() == 0
                ? ResourceVector.ZERO
                : available.minus(keptFree).max(ResourceVector.ZERO).share(gpus, available.gpus());
    }
}
