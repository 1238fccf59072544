// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.model.SensitivityMatrix;
import io.treadle.core.placement.TaskSpeed;
import io.treadle.core.resource.ResourceVector;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The two sizes between which Synergy moves the tasks of a job: the GPU-proportional share and the best-case demand. */
final class Sizes {
    private static final ResourceVector UNLIMITED = ResourceVector.of(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

    private static final Bounds UNBOUNDED = new Bounds(false, UNLIMITED);

    private final Snapshot snapshot;
    private final Optional<NodeView> largest;
    /** Whether no task may hold more than it asks for. */
    private final boolean asAsked;
    /** What the node with most GPUs has for tasks. */
    private final ResourceVector largestRoom;
    /** The last share that was asked for: most questions in a row are about one task, and most nodes are alike. */
    private @Nullable NodeView lastNode;

    private long lastGpus;
    private ResourceVector lastShare = ResourceVector.ZERO;

    private final Points points = new Points(this);
    /** Of the bandwidth of the file system that nodes share, what goes in shares, MB/s. */
    private final long sharedInShares;
    /** What the queue may hold without what is kept free, of that file system too. */
    private final ResourceVector queueMost;
    /** The most that a task can have anywhere, MB/s. */
    private final long mostStorage;

    Sizes(Snapshot snapshot) {
        this.snapshot = snapshot;
        this.sharedInShares = snapshot.sharedStorage()
                .map(shared -> shared.inSharesMBps(snapshot.nodes()))
                .orElse(0L);
        ResourceVector kept =
                snapshot.nodes().stream().map(NodeView::keptFree).reduce(ResourceVector.ZERO, ResourceVector::max);
        ResourceVector queue = snapshot.queue().available().minus(kept).max(ResourceVector.ZERO);
        this.queueMost = snapshot.sharedStorage()
                .map(shared ->
                        queue.withStorageMBps(Math.min(queue.storageMBps(), shared.availableMBps(snapshot.nodes()))))
                .orElse(queue);
        this.mostStorage = Math.min(
                queueMost.storageMBps(),
                snapshot.nodes().stream()
                        .mapToLong(node -> room(node).storageMBps())
                        .max()
                        .orElse(0));
        this.asAsked = snapshot.isWithoutShares();
        this.largest = snapshot.nodes().stream()
                .max(Comparator.comparingLong((NodeView n) -> n.available().gpus())
                        .thenComparing(Comparator.comparingLong(
                                (NodeView n) -> n.available().vcores())));
        this.largestRoom = largest.map(Sizes::room).orElse(ResourceVector.ZERO);
    }

    Points points() {
        return points;
    }

    /** The most that a task may hold. */
    ResourceVector largestTask() {
        return snapshot.largestTask();
    }

    /** Whether every task holds what it asks for. */
    boolean areAsAsked() {
        return asAsked;
    }

    /**
     * A task's GPU-proportional share of the node, and never less than it asks for; of memory beyond its ask only where it is
     * known what memory does for the job, and of storage bandwidth only where the job is known to need some.
     */
    ResourceVector share(JobView job, TaskGroup group, NodeView node) {
        ResourceVector all = share(group, node);
        ResourceVector share =
                memoryShared(job) ? all : all.withMemoryMiB(group.ask().memoryMiB());
        if (asAsked || !knowsStorage(node) || !isProfiled(job, group) || !readsStorage(job)) {
            return share;
        }
        long storage = Math.min(
                storageShare(node, group.ask().gpus()), snapshot.largestTask().storageMBps());
        return share.withStorageMBps(Math.max(share.storageMBps(), storage));
    }

    /** Of the node, and of the file system that it shares with others. */
    private long storageShare(NodeView node, long gpus) {
        long share = node.share(gpus).storageMBps();
        return snapshot.sharedStorage()
                .map(shared -> Math.min(share, shared.shareMBps(sharedInShares, gpus)))
                .orElse(share);
    }

    /** Beyond its ask only a cache makes use of memory: nobody else is to go without it for nothing. */
    private boolean memoryShared(JobView job) {
        return snapshot.memoryShared()
                && job.profile().isPresent()
                && job.profile().get().coversMemory();
    }

    private static boolean readsStorage(JobView job) {
        return job.profile().orElseThrow().readsStorage();
    }

    /** The same of CPU and memory alone. */
    ResourceVector share(TaskGroup group, NodeView node) {
        ResourceVector ask = group.ask();
        if (asAsked) {
            return ask;
        }
        ResourceVector share = shareOf(node, ask.gpus());
        ResourceVector size = ask.withVcores(Math.max(ask.vcores(), share.vcores()));
        return snapshot.memoryShared() ? size.withMemoryMiB(Math.max(ask.memoryMiB(), share.memoryMiB())) : size;
    }

    @SuppressWarnings("ReferenceEquality") // the same object needs no second look
    private ResourceVector shareOf(NodeView node, long gpus) {
        if (gpus != lastGpus || lastNode == null || (node != lastNode && !node.isSizedLike(lastNode))) {
            lastShare = node.share(gpus).min(snapshot.largestTask());
            lastGpus = gpus;
        }
        lastNode = node;
        return lastShare;
    }

    /**
     * What a task asks for at most: what it could use, or its share where that is not known or is more than its queue may
     * hold.
     */
    ResourceVector demand(JobView job, TaskGroup group, NodeView node) {
        return useful(job, group, node, new Bounds(true, queueMost));
    }

    /** The same of a job that may be on several nodes, even if one had GPUs for all of it. */
    ResourceVector demandSpread(JobView job, TaskGroup group, NodeView node) {
        return useful(job, group, node, new Bounds(false, queueMost));
    }

    /** What a task that runs could use at most, if its queue might hold so much; its share where that is not known. */
    ResourceVector useful(JobView job, TaskGroup group, NodeView node) {
        return useful(job, group, node, UNBOUNDED);
    }

    private ResourceVector useful(JobView job, TaskGroup group, NodeView node, Bounds bounds) {
        Optional<SensitivityMatrix> profile = job.profile();
        if (profile.isEmpty() || largest.isEmpty() || group.ask().gpus() == 0) {
            return share(job, group, node);
        }
        SensitivityMatrix.Demand best = profile.get().demand(0);
        ResourceVector share = share(job, group, node);
        ResourceVector ask = group.ask();
        ResourceVector queue = bounds.queue();
        Clip clip = new Clip(job, group, bounds.onOneNode());
        long vcores = clip.of(best.vcores(), largestRoom.vcores(), share.vcores(), queue.vcores());
        long memory = memoryShared(job)
                ? clip.of(best.memoryMiB(), largestRoom.memoryMiB(), share.memoryMiB(), queue.memoryMiB())
                : share.memoryMiB();
        ResourceVector most = snapshot.largestTask();
        long storage = knowsStorage(node) && profile.get().readsStorage()
                ? storage(clip, ceil(profile.get().storageMBps(vcores, memory)), share)
                : 0;
        return ask.withVcores(Math.max(ask.vcores(), Math.min(vcores, most.vcores())))
                .withMemoryMiB(Math.max(ask.memoryMiB(), Math.min(memory, most.memoryMiB())))
                .withStorageMBps(Math.max(ask.storageMBps(), Math.min(storage, most.storageMBps())));
    }

    /**
     * The most of each resource that can make a task faster. A cache stands in for storage bandwidth that others get: so that
     * is more than is useful, of memory.
     */
    ResourceVector reach(JobView job, TaskGroup group, NodeView node) {
        ResourceVector demand = useful(job, group, node);
        if (asAsked || !memoryShared(job) || !knowsStorage(node) || !isProfiled(job, group) || !readsStorage(job)) {
            return demand;
        }
        SensitivityMatrix profile = job.profile().orElseThrow();
        ResourceVector share = share(job, group, node);
        Clip clip = new Clip(job, group, UNBOUNDED.onOneNode());
        long memory =
                clip.of(profile.mostMemoryMiB(), largestRoom.memoryMiB(), share.memoryMiB(), UNLIMITED.memoryMiB());
        long storage = storage(clip, ceil(profile.storageMBps(demand.vcores(), share.memoryMiB())), share);
        ResourceVector most = snapshot.largestTask();
        return demand.max(demand.withMemoryMiB(Math.min(memory, most.memoryMiB()))
                .withStorageMBps(Math.min(storage, most.storageMBps())));
    }

    /** What a task can use of storage bandwidth, as far as a node, the queue and the shared file system have it. */
    private long storage(Clip clip, long needed, ResourceVector share) {
        return clip.of(needed, mostStorage, share.storageMBps(), Long.MAX_VALUE);
    }

    /** The smallest size at which a task is as fast as at its share; what it has beyond that, others may use. */
    ResourceVector least(JobView job, TaskGroup group, NodeView node) {
        ResourceVector share = share(job, group, node);
        if (asAsked || !isProfiled(job, group)) {
            return share;
        }
        SensitivityMatrix profile = job.profile().orElseThrow();
        double speed = speed(job, node, share);
        ResourceVector least = share.withVcores(
                Math.max(group.ask().vcores(), profile.leastVcores(share.vcores(), share.memoryMiB())));
        if (memoryShared(job)) {
            for (long memory : profile.memoryMiB()) {
                ResourceVector less = least.withMemoryMiB(Math.max(group.ask().memoryMiB(), memory));
                if (less.fitsIn(least) && speed(job, node, less) >= speed) {
                    least = less;
                    break;
                }
            }
        }
        long storage = Math.min(
                least.storageMBps(),
                Math.max(group.ask().storageMBps(), ceil(profile.storageMBps(least.vcores(), least.memoryMiB()))));
        ResourceVector less = least.withStorageMBps(storage);
        return speed(job, node, less) >= speed ? less : share;
    }

    /** Whether it is known what tasks of the group make of what they get. */
    static boolean isProfiled(JobView job, TaskGroup group) {
        return job.profile().isPresent() && group.ask().gpus() > 0;
    }

    TaskSpeed speeds(JobView job) {
        return (group, node, size) -> isProfiled(job, group) ? speed(job, node, size) : Double.POSITIVE_INFINITY;
    }

    /** Of a task of this size, as its profile has it. */
    double speed(JobView job, NodeView node, ResourceVector size) {
        SensitivityMatrix profile = job.profile().orElseThrow();
        return knowsStorage(node)
                ? profile.at(size.vcores(), size.memoryMiB(), size.storageMBps())
                : profile.at(size.vcores(), size.memoryMiB());
    }

    /** Where nobody said what the node's storage gives, it is no limit. */
    private static boolean knowsStorage(NodeView node) {
        return node.capacity().storageMBps() > 0;
    }

    private static long ceil(double value) {
        return (long) Math.ceil(value);
    }

    private static ResourceVector room(NodeView node) {
        return node.available().minus(node.keptFree()).max(ResourceVector.ZERO);
    }

    /**
     * What a task is content with where its demand does not fit: its share, in all dimensions, or its demand where that
     * is above the share in none.
     */
    ResourceVector fallback(JobView job, TaskGroup group, NodeView node) {
        ResourceVector demand = demand(job, group, node);
        ResourceVector share = share(job, group, node);
        return demand.fitsIn(share) ? demand : share;
    }

    /**
     * What a demand may come to.
     *
     * @param onOneNode Synergy's artifact ({@code workload.add_synergy_profile}): a job that could stand on one node never
     *     asks for more than one node has; a larger one gets its share in a dimension in which it would
     * @param queue one that asks for more than its queue may hold gets its share: it would never start
     */
    private record Bounds(boolean onOneNode, ResourceVector queue) {}

    /** Holds what each task of a group could use against what there is. */
    private final class Clip {
        private final long tasks;
        private final long onNode;
        private final boolean fitsOneNode;

        Clip(JobView job, TaskGroup group, boolean onOneNode) {
            this.tasks = Math.max(1, group.min());
            this.onNode = onOneNode ? tasks : 1;
            this.fitsOneNode = !onOneNode
                    || job.gpus() <= largest.orElseThrow().available().gpus();
        }

        long of(long demand, long nodeHas, long share, long queueHas) {
            if (demand * tasks > queueHas) {
                return share;
            }
            if (demand * onNode <= nodeHas) {
                return demand;
            }
            // Nodes differ: what the largest has for each task may be less than the share of another.
            return fitsOneNode ? Math.max(nodeHas / onNode, Math.min(demand, share)) : share;
        }
    }
}
