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
 * @param othersTasks of that, what tasks of other queues hold as shares, see {@link #asShare}
 * @param keptFree what no task gets beyond its ask, so that the containers of others still find room
 * @param devices its GPUs one by one; empty where only their number is known
 * @param open whether new tasks may start here
 */
public record NodeView(
        String id,
        String rack,
        ResourceVector capacity,
        ResourceVector othersUse,
        ResourceVector othersTasks,
        ResourceVector keptFree,
        List<DeviceView> devices,
        boolean open) {
    public NodeView {
        devices = List.copyOf(devices);
    }

    /** One whose sizes no other queue plans. */
    public NodeView(
            String id,
            String rack,
            ResourceVector capacity,
            ResourceVector othersUse,
            ResourceVector keptFree,
            List<DeviceView> devices,
            boolean open) {
        this(id, rack, capacity, othersUse, ResourceVector.ZERO, keptFree, devices, open);
    }

    /** The same node, open to new tasks or not. */
    public NodeView withOpen(boolean isOpen) {
        return new NodeView(id, rack, capacity, othersUse, othersTasks, keptFree, devices, isOpen);
    }

    /** The same node that may draw so much. */
    public NodeView withWatts(long watts) {
        return new NodeView(id, rack, capacity.withWatts(watts), othersUse, othersTasks, keptFree, devices, open);
    }

    public NodeView withOthersTasks(ResourceVector shares) {
        return new NodeView(id, rack, capacity, othersUse, shares, keptFree, devices, open);
    }

    /** The same node where a task of another queue holds this too, all of it as its share. */
    public NodeView withOthersTask(ResourceVector share) {
        return new NodeView(
                id, rack, capacity, othersUse.plus(share), othersTasks.plus(share), keptFree, devices, open);
    }

    /**
     * Of what a task of another queue holds, that which its own policy plans: in each dimension all, unless it asks for
     * more than its share. A task without GPUs has no share.
     */
    public ResourceVector asShare(ResourceVector ask, ResourceVector size) {
        if (ask.gpus() == 0) {
            return ResourceVector.ZERO;
        }
        ResourceVector share = capacity.minus(keptFree).max(ResourceVector.ZERO).share(ask.gpus(), capacity.gpus());
        return new ResourceVector(
                size.gpus(),
                ask.vcores() <= share.vcores() ? size.vcores() : 0,
                ask.memoryMiB() <= share.memoryMiB() ? size.memoryMiB() : 0,
                size.gpuMemoryMiB(),
                ask.storageMBps() <= share.storageMBps() ? size.storageMBps() : 0,
                size.watts());
    }

    /** Whether a task has the same share of both, and each has the same left for tasks. */
    public boolean isSizedLike(NodeView other) {
        return capacity.equals(other.capacity)
                && othersUse.equals(other.othersUse)
                && othersTasks.equals(other.othersTasks)
                && keptFree.equals(other.keptFree);
    }

    /** What is left for the snapshot's jobs; never below zero. */
    public ResourceVector available() {
        return capacity.minus(othersUse).max(ResourceVector.ZERO);
    }

    /**
     * The GPU-proportional share of {@code gpus} GPUs: (capacity − what others hold and what is kept free) ÷ the GPUs
     * left, in every dimension, rounded down. Tasks of other queues have their own shares: what they hold beyond them or
     * below changes nothing. Zero on a node without GPUs.
     */
    public ResourceVector share(long gpus) {
        ResourceVector planned = capacity.minus(othersUse).plus(othersTasks).max(ResourceVector.ZERO);
        return planned.gpus() == 0
                ? ResourceVector.ZERO
                : planned.minus(keptFree).max(ResourceVector.ZERO).share(gpus, planned.gpus());
    }
}
