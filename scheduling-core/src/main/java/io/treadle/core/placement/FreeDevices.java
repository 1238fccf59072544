// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import io.treadle.core.cluster.DeviceView;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.job.DeviceShare;
import io.treadle.core.job.TaskGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is free of the GPUs of nodes whose GPUs are known one by one. Nodes and GPUs go by their places. */
final class FreeDevices {
    private final List<List<DeviceView>> devices;
    /** MiB, by node and by place among its devices. */
    private final long[][] freeMiB;

    FreeDevices(List<NodeView> nodes) {
        devices = new ArrayList<>(nodes.size());
        freeMiB = new long[nodes.size()][];
        for (NodeView node : nodes) {
            freeMiB[devices.size()] = node.devices().stream()
                    .mapToLong(device -> device.memoryMiB() - device.usedMiB())
                    .toArray();
            devices.add(node.devices());
        }
    }

    boolean areKnown(int node) {
        return !devices.get(node).isEmpty();
    }

    /** As {@link Ledger#chooseDevices} has it. */
    Optional<List<DeviceShare>> choose(int node, TaskGroup group) {
        if (!areKnown(node)) {
            return group.choosesDevices() ? Optional.empty() : Optional.of(List.of());
        }
        long slice = group.ask().gpuMemoryMiB();
        if (slice > 0) {
            int fullest = fullest(node, group);
            return fullest < 0 ? Optional.empty() : Optional.of(List.of(slice(node, fullest, slice)));
        }
        List<Integer> whole = whole(node, group);
        if (whole.size() < group.ask().gpus()) {
            return Optional.empty();
        }
        List<DeviceView> all = devices.get(node);
        return Optional.of(
                LinkedGpus.choose(all, whole, Math.toIntExact(group.ask().gpus())).stream()
                        .map(all::get)
                        .map(device -> new DeviceShare(device.uuid(), device.memoryMiB(), true))
                        .toList());
    }

    /** Those that are free as a whole, usable and of a model that the group accepts. */
    List<Integer> whole(int node, TaskGroup group) {
        List<Integer> whole = new ArrayList<>();
        List<DeviceView> all = devices.get(node);
        for (int i = 0; i < all.size(); i++) {
            DeviceView device = all.get(i);
            if (device.usable() && freeMiB[node][i] == device.memoryMiB() && group.accepts(device.model())) {
                whole.add(i);
            }
        }
        return whole;
    }

    /** The fullest that takes the slice of a task of the group; -1 where none does. */
    int fullest(int node, TaskGroup group) {
        List<DeviceView> all = devices.get(node);
        int fullest = -1;
        for (int i = 0; i < all.size(); i++) {
            long free = freeMiB[node][i];
            if (free >= group.ask().gpuMemoryMiB()
                    && (fullest < 0 || free < freeMiB[node][fullest])
                    && all.get(i).usable()
                    && group.accepts(all.get(i).model())) {
                fullest = i;
            }
        }
        return fullest;
    }

    /** A slice of this device. */
    DeviceShare slice(int node, int device, long memoryMiB) {
        return new DeviceShare(devices.get(node).get(device).uuid(), memoryMiB, false);
    }

    /** MiB that are free on this device. */
    long freeMiB(int node, int device) {
        return freeMiB[node][device];
    }

    /** Whether all of this is free; devices that the node does not name count as free, nothing is left to count of them. */
    boolean areFree(int node, List<DeviceShare> wanted) {
        List<DeviceView> onNode = devices.get(node);
        for (DeviceShare share : wanted) {
            for (int i = 0; i < onNode.size(); i++) {
                if (onNode.get(i).uuid().equals(share.uuid()) && freeMiB[node][i] < share.memoryMiB()) {
                    return false;
                }
            }
        }
        return true;
    }

    /** @param sign 1, or -1 to give back */
    void take(int node, List<DeviceShare> held, int sign) {
        for (DeviceShare share : held) {
            List<DeviceView> onNode = devices.get(node);
            // A task may still hold a device that the node no longer names: it is lost, nothing is left to count.
            for (int i = 0; i < onNode.size(); i++) {
                if (onNode.get(i).uuid().equals(share.uuid())) {
                    freeMiB[node][i] -= sign * share.memoryMiB();
                }
            }
        }
    }
}
