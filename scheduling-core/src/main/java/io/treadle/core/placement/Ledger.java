// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import io.treadle.core.cluster.Crossing;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.SharedStorage;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.cluster.UserView;
import io.treadle.core.job.DeviceShare;
import io.treadle.core.job.JobView;
import io.treadle.core.job.RunningTask;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is still free on every node, on every device, in the queue and for each of its users while a plan is made. Only
 * the planning thread uses it.
 */
public final class Ledger {
    private final List<NodeView> nodes;
    /** Nodes that take no new tasks. */
    private final BitSet closed = new BitSet();

    private final Map<String, Integer> indexOf = new HashMap<>();
    private final ResourceVector[] free;
    private final FreeGpus freeGpus;
    private final GpuUnits gpuUnits;
    private final FreeDevices devices;

    /** How often what is free on the node has changed. */
    private final long[] changes;

    private final List<JobView> jobs;
    private @Nullable Fragments fragments;
    private @Nullable Racks racks;
    private int @Nullable [] kinds;

    private @Nullable BitSet changedNodes;

    private record Kind(
            ResourceVector capacity, ResourceVector othersUse, ResourceVector othersTasks, ResourceVector keptFree) {}

    private final ResourceVector keptFree;
    private final boolean othersWait;
    private ResourceVector queueLimit;
    private ResourceVector queueFree;
    private final Crossing crossing;
    private final Optional<SharedStorage> sharedStorage;
    /** Of the shared file system's bandwidth, what goes in shares, MB/s. */
    private final long sharedInShares;
    /** What nobody holds of it; below zero where tasks hold more than there is. */
    private long sharedFree = Long.MAX_VALUE / 2;

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
        nodes = new ArrayList<>(snapshot.nodes());
        free = new ResourceVector[nodes.size()];
        freeGpus = new FreeGpus(free.length);
        gpuUnits = new GpuUnits(nodes);
        devices = new FreeDevices(nodes);
        changes = new long[free.length];
        jobs = snapshot.jobs();
        for (int i = 0; i < free.length; i++) {
            NodeView node = nodes.get(i);
            indexOf.put(node.id(), i);
            closed.set(i, !node.open());
            free[i] = node.available();
            freeGpus.set(i, free[i].gpus());
        }
        keptFree = nodes.stream().map(NodeView::keptFree).reduce(ResourceVector.ZERO, ResourceVector::max);
        othersWait = snapshot.queue().othersWait();
        queueLimit = snapshot.queue().limit();
        queueFree = snapshot.queue().available();
        crossing = snapshot.overheads().crossing();
        sharedStorage = snapshot.sharedStorage();
        sharedInShares = sharedStorage.map(shared -> shared.inSharesMBps(nodes)).orElse(0L);
        sharedStorage.ifPresent(shared -> sharedFree = shared.availableMBps(nodes));
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

    /** The nodes of each rack, racks and nodes in the snapshot's order. */
    List<List<Integer>> racks() {
        return knownRacks().nodes();
    }

    private Racks knownRacks() {
        if (racks == null) {
            racks = new Racks(nodes);
        }
        return racks;
    }

    /** How many nodes of the rack hold anything of the snapshot's jobs. */
    long nodesInUse(int rack) {
        return racks().get(rack).stream()
                .filter(node -> !free[node].equals(nodes.get(node).available()))
                .count();
    }

    /** How many nodes of the rack hold nothing of the snapshot's jobs. */
    public long nodesFree(int rack) {
        return racks().get(rack).size() - nodesInUse(rack);
    }

    public boolean hasOneRack() {
        return racks().size() == 1;
    }

    /** What it costs jobs to be on several nodes. */
    Crossing crossing() {
        return crossing;
    }

    /** The place of the node's rack among all. */
    public int rackOf(int node) {
        return knownRacks().of(node);
    }

    /** Nodes of the same number have the same sizes and shares. */
    public int kind(int node) {
        if (kinds == null) {
            Map<Kind, Integer> known = new HashMap<>();
            kinds = new int[free.length];
            for (int i = 0; i < free.length; i++) {
                NodeView view = nodes.get(i);
                Kind kind = new Kind(view.capacity(), view.othersUse(), view.othersTasks(), view.keptFree());
                kinds[i] = known.computeIfAbsent(kind, key -> known.size());
            }
        }
        return kinds[node];
    }

    /** @param nodes gets each node of which something is taken or given back from now on */
    void tellChanges(BitSet nodes) {
        changedNodes = nodes;
    }

    /** Nodes in the order of their free GPUs. */
    FreeGpus byFreeGpus() {
        return freeGpus;
    }

    /** GPUs that are free on all nodes together that take new tasks. */
    public long openFreeGpus() {
        return freeGpus.total() - closedFreeGpus();
    }

    /** How much of GPUs, whole or in slices, nodes have and tasks hold, in units that are the same on all nodes. */
    GpuUnits gpuUnits() {
        return gpuUnits;
    }

    /** @param expected what usually comes; empty to take the snapshot's jobs for that */
    Fragments fragments(Optional<TypicalTasks> expected) {
        if (fragments == null) {
            fragments = new Fragments(
                    this,
                    expected.orElseGet(() -> TypicalTasks.of(jobs.stream().flatMap(job -> job.groups().stream()))));
        }
        return fragments;
    }

    /** A number that differs from all that it was before whenever something is charged to the node or given back. */
    long changes(int node) {
        return changes[node];
    }

    /** What the queue may still take; of storage bandwidth no more than the file system has that nodes share. */
    public ResourceVector queueFree() {
        return queueFree(sharedFree);
    }

    /** Whether nodes read from one file system together. */
    public boolean sharesStorage() {
        return sharedStorage.isPresent();
    }

    private ResourceVector queueFree(long sharedMBps) {
        return sharedMBps >= queueFree.storageMBps() ? queueFree : queueFree.withStorageMBps(Math.max(0, sharedMBps));
    }

    /** The same without what is owed ({@link #owed}) of the shared file system. */
    public ResourceVector queueFreeBeyondOwed() {
        return queueFree(sharedFree - sharedOwed());
    }

    private long sharedOwed() {
        return othersWait && sharedStorage.isPresent()
                ? sharedStorage.get().shareMBps(sharedInShares, Math.max(0, openFreeGpus()))
                : 0;
    }

    /** Whether what is owed on the node, and of the shared file system, is free. */
    public boolean keepsOwed(int node) {
        return owed(node).fitsIn(free[node]) && sharedOwed() <= Math.max(0, sharedFree);
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
        return devices.areKnown(node)
                ? Math.min(devices.whole(node, group).size(), free[node].gpus())
                : group.choosesDevices() ? 0 : free[node].gpus();
    }

    /**
     * What no task gets beyond its share, so that jobs of other queues that wait find the share of the GPUs that are free
     * here. In the queue itself a start takes that back, other queues cannot.
     */
    public ResourceVector owed(int node) {
        long gpus = free[node].gpus();
        if (!othersWait || closed.get(node) || gpus <= 0) {
            return ResourceVector.ZERO;
        }
        ResourceVector share = nodes.get(node).share(gpus).withGpus(0);
        return sharedStorage
                .map(shared ->
                        share.withStorageMBps(Math.min(share.storageMBps(), shared.shareMBps(sharedInShares, gpus))))
                .orElse(share);
    }

    /**
     * What a running task of the job may hold beyond what is charged: the rest, less what is kept free unless it gets no
     * more than it asks for.
     */
    public ResourceVector room(String jobId, int node, ResourceVector size, ResourceVector ask) {
        ResourceVector room = roomOn(node, size, ask);
        return accounts.isEmpty() ? room : userFree(jobId).map(room::min).orElse(room);
    }

    /**
     * The most that a node keeps free. As much is kept free below the queue's limit: a container that finds room on a node would
     * else find none in the queue.
     */
    public ResourceVector keptFree() {
        return keptFree;
    }

    /** Whether no node, user or queue gives out more than it has, what is kept free counted. */
    public boolean hasRoomEverywhere() {
        for (int node = 0; node < free.length; node++) {
            ResourceVector keptFree = nodes.get(node).keptFree();
            if (!keptFree.fitsIn(free[node]) || !keptFree.fitsIn(queueFree())) {
                return false;
            }
        }
        return ResourceVector.ZERO.fitsIn(queueFree)
                && sharedFree >= 0
                && accounts.values().stream().allMatch(account -> ResourceVector.ZERO.fitsIn(account.free));
    }

    /** Whether a new task of the job with this size fits on the node and in the queue beside all that is charged. */
    public boolean fits(String jobId, int node, ResourceVector size, ResourceVector ask) {
        if (!size.fitsIn(free[node]) || !size.fitsIn(queueFree())) {
            return false;
        }
        if (!nodes.get(node).keptFree().isZero() && !size.fitsIn(roomOn(node, size, ask))) {
            return false;
        }
        return accounts.isEmpty()
                || userFree(jobId).map(ResourceVector.ZERO::fitsIn).orElse(true);
    }

    private ResourceVector roomOn(int node, ResourceVector size, ResourceVector ask) {
        ResourceVector room = free[node].min(queueFree());
        // In a dimension in which it gets no more than it asks for, nothing is kept from it.
        ResourceVector beyond = size.minus(ask).max(ResourceVector.ZERO);
        return room.minus(nodes.get(node).keptFree().where(beyond));
    }

    /**
     * The devices that a task of the group would get here: for whole GPUs those of one link, else in the order on the node;
     * the fullest device that still takes the slice for a slice. Empty if there are not enough. A node whose devices
     * are not known one by one gives an empty list to a group to which all are the same, and nothing to others.
     */
    public Optional<List<DeviceShare>> chooseDevices(int node, TaskGroup group) {
        return devices.choose(node, group);
    }

    /** Whether nobody else holds these devices of the node: a task that runs could stay on them. */
    public boolean areFree(int node, List<DeviceShare> wanted) {
        return devices.areFree(node, wanted);
    }

    /** Its GPUs one by one. */
    FreeDevices devices() {
        return devices;
    }

    /** Charges a task of the job; the caller has checked that it fits, or knows that it is there already. */
    public void take(String jobId, int node, ResourceVector size, List<DeviceShare> devices) {
        charge(jobId, node, size, devices, 1);
    }

    public void giveBack(String jobId, int node, ResourceVector size, List<DeviceShare> devices) {
        charge(jobId, node, size, devices, -1);
    }

    /** New tasks may be placed on the node, or not. */
    public void setOpen(String nodeId, boolean isOpen) {
        int node = Objects.requireNonNull(indexOf.get(nodeId));
        nodes.set(node, nodes.get(node).withOpen(isOpen));
        closed.set(node, !isOpen);
    }

    /** GPUs that are free on nodes that take no new tasks. */
    public long closedFreeGpus() {
        return closed.isEmpty()
                ? 0
                : closed.stream()
                        .mapToLong(node -> Math.max(0, free[node].gpus()))
                        .sum();
    }

    /** A task of another queue holds this now. */
    public void othersTake(RunningTask task) {
        chargeNode(Objects.requireNonNull(indexOf.get(task.nodeId())), task.size(), task.devices(), 1);
    }

    /** A task of another queue holds this no longer. */
    public void othersGiveBack(RunningTask task) {
        chargeNode(Objects.requireNonNull(indexOf.get(task.nodeId())), task.size(), task.devices(), -1);
    }

    /** The most that the queue may hold, everything counted. */
    public ResourceVector queueLimit() {
        return queueLimit;
    }

    /** @param limit the most that the queue may hold from now on, everything counted */
    public void limitQueue(ResourceVector limit) {
        queueFree = queueFree.plus(limit.minus(queueLimit));
        queueLimit = limit;
    }

    private void charge(String jobId, int node, ResourceVector size, List<DeviceShare> devices, int sign) {
        ResourceVector change = size.times(sign);
        queueFree = queueFree.minus(change);
        Account account = accounts.isEmpty() ? null : accounts.get(jobId);
        if (account != null) {
            account.free = account.free.minus(change);
        }
        chargeNode(node, size, devices, sign);
    }

    private void chargeNode(int node, ResourceVector size, List<DeviceShare> held, int sign) {
        free[node] = free[node].minus(size.times(sign));
        sharedFree -= sign * size.storageMBps();
        changes[node]++;
        if (changedNodes != null) {
            changedNodes.set(node);
        }
        freeGpus.set(node, free[node].gpus());
        gpuUnits.take(node, size, sign);
        devices.take(node, held, sign);
    }
}
