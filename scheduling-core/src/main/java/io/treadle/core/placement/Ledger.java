// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import io.treadle.core.cluster.DeviceView;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.cluster.UserView;
import io.treadle.core.job.DeviceShare;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is still free on every node, on every device, in the queue and for each of its users while a plan is made. Only
 * the planning thread uses it.
 */
public final class Ledger {
    private final List<NodeView> nodes;
    private final Map<String, Integer> indexOf = new HashMap<>();
    private final ResourceVector[] free;
    private final FreeGpus freeGpus;
    private final GpuUnits gpuUnits;
    private final List<Map<String, Long>> freeOnDevice = new ArrayList<>();
    private ResourceVector queueFree;
    /** By job, the account of its user; jobs of users without a limit have none. */
    private final Map<String, Account> accounts = new HashMap<>();

    private static final class Account {
        private final UserView user;
        private ResourceVector free;

        Account(UserView user) {
            this.user = user;
            this.free = user.available();
        }
    }

    /** Everything that the snapshot's jobs may hold; its running tasks are not yet charged. */
    public Ledger(Snapshot snapshot) {
        nodes = snapshot.nodes();
        free = new ResourceVector[nodes.size()];
        freeGpus = new FreeGpus(free.length);
        gpuUnits = new GpuUnits(nodes);
        for (int i = 0; i < free.length; i++) {
            NodeView node = nodes.get(i);
            indexOf.put(node.id(), i);
            free[i] = node.available();
            freeGpus.set(i, free[i].gpus());
            Map<String, Long> devices = new HashMap<>();
            for (DeviceView device : node.devices()) {
                devices.put(device.uuid(), device.memoryMiB() - device.usedMiB());
            }
            freeOnDevice.add(devices);
        }
        queueFree = snapshot.queue().available();
        for (UserView user : snapshot.queue().users()) {
            Account account = new Account(user);
            user.jobIds().forEach(job -> accounts.put(job, account));
        }
    }

    public List<NodeView> nodes() {
        return nodes;
    }

    public NodeView node(int index) {
        return nodes.get(index);
    }

    /** Empty for a node that the snapshot does not have. */
    public Optional<Integer> indexOf(String nodeId) {
        return Optional.ofNullable(indexOf.get(nodeId));
    }

    public ResourceVector free(int node) {
        return free[node];
    }

    /** Nodes in the order of their free GPUs. */
    FreeGpus byFreeGpus() {
        return freeGpus;
    }

    /** GPUs that are free on all nodes together. */
    public long totalFreeGpus() {
        return freeGpus.total();
    }

    /** How much of GPUs, whole or in slices, nodes have and tasks hold, in units that are the same on all nodes. */
    GpuUnits gpuUnits() {
        return gpuUnits;
    }

    public ResourceVector queueFree() {
        return queueFree;
    }

    /** The job's user, where it has a limit. */
    public Optional<UserView> userOf(String jobId) {
        return Optional.ofNullable(accounts.get(jobId)).map(a -> a.user);
    }

    /** What the job's user may still take; below zero where the user holds more than the limit. */
    public Optional<ResourceVector> userFree(String jobId) {
        return Optional.ofNullable(accounts.get(jobId)).map(a -> a.free);
    }

    /** Whole GPUs of the node that are free, usable and of a model that the group accepts. */
    public long freeGpus(int node, TaskGroup group) {
        if (nodes.get(node).devices().isEmpty()) {
            return group.choosesDevices() ? 0 : free[node].gpus();
        }
        long devices = nodes.get(node).devices().stream()
                .filter(d -> isFreeWhole(node, d) && group.accepts(d.model()))
                .count();
        return Math.min(devices, free[node].gpus());
    }

    /**
     * What a running task of the job may hold beyond what is charged: the rest, less what is kept free unless it gets no
     * more than it asks for.
     */
    public ResourceVector room(String jobId, int node, ResourceVector size, ResourceVector ask) {
        ResourceVector room = roomOn(node, size, ask);
        return userFree(jobId).map(room::min).orElse(room);
    }

    /** Whether a new task of the job with this size fits on the node and in the queue beside all that is charged. */
    public boolean fits(String jobId, int node, ResourceVector size, ResourceVector ask) {
        if (!size.fitsIn(free[node]) || !size.fitsIn(queueFree)) {
            return false;
        }
        if (!nodes.get(node).keptFree().equals(ResourceVector.ZERO) && !size.fitsIn(roomOn(node, size, ask))) {
            return false;
        }
        return accounts.isEmpty()
                || userFree(jobId).map(ResourceVector.ZERO::fitsIn).orElse(true);
    }

    private ResourceVector roomOn(int node, ResourceVector size, ResourceVector ask) {
        ResourceVector room = free[node].min(queueFree);
        return size.equals(ask) ? room : room.minus(nodes.get(node).keptFree());
    }

    /**
     * The devices that a task of the group would get here: the models' order on the node for whole GPUs, the fullest
     * device that still takes the slice for a slice. Empty if there are not enough. A node whose devices are not known
     * one by one gives an empty list to a group to which all are the same, and nothing to others.
     */
    public Optional<List<DeviceShare>> chooseDevices(int node, TaskGroup group) {
        List<DeviceView> devices = nodes.get(node).devices();
        long slice = group.ask().gpuMemoryMiB();
        if (devices.isEmpty()) {
            return group.choosesDevices() ? Optional.empty() : Optional.of(List.of());
        }
        if (slice > 0) {
            return devices.stream()
                    .filter(d -> d.usable() && group.accepts(d.model()) && freeMiB(node, d) >= slice)
                    .min(Comparator.comparingLong(d -> freeMiB(node, d)))
                    .map(d -> List.of(new DeviceShare(d.uuid(), slice, false)));
        }
        List<DeviceShare> chosen = devices.stream()
                .filter(d -> isFreeWhole(node, d) && group.accepts(d.model()))
                .limit(group.ask().gpus())
                .map(d -> new DeviceShare(d.uuid(), d.memoryMiB(), true))
                .toList();
        return chosen.size() < group.ask().gpus() ? Optional.empty() : Optional.of(chosen);
    }

    /** Charges a task of the job; the caller has checked that it fits, or knows that it is there already. */
    public void take(String jobId, int node, ResourceVector size, List<DeviceShare> devices) {
        charge(jobId, node, size, devices, 1);
    }

    public void giveBack(String jobId, int node, ResourceVector size, List<DeviceShare> devices) {
        charge(jobId, node, size, devices, -1);
    }

    private void charge(String jobId, int node, ResourceVector size, List<DeviceShare> devices, int sign) {
        ResourceVector change = size.times(sign);
        free[node] = free[node].minus(change);
        freeGpus.set(node, free[node].gpus());
        gpuUnits.take(node, size, sign);
        queueFree = queueFree.minus(change);
        Account account = accounts.isEmpty() ? null : accounts.get(jobId);
        if (account != null) {
            account.free = account.free.minus(change);
        }
        for (DeviceShare share : devices) {
            Map<String, Long> onDevice = freeOnDevice.get(node);
            // A task may still hold a device that the node no longer names: it is lost, nothing is left to count.
            onDevice.computeIfPresent(share.uuid(), (uuid, left) -> left - sign * share.memoryMiB());
        }
    }

    private boolean isFreeWhole(int node, DeviceView device) {
        return device.usable() && freeMiB(node, device) == device.memoryMiB();
    }

    private long freeMiB(int node, DeviceView device) {
        return freeOnDevice.get(node).getOrDefault(device.uuid(), 0L);
    }
}
