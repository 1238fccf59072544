// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.cluster;

import io.treadle.core.job.JobView;
import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.Optional;

/**
 * All that a policy may know, at one moment, for the jobs of one queue. Time comes in it, so that planning is a pure
 * function: the same snapshot gives the same plan.
 *
 * @param nowMs the moment, ms since an epoch of the caller's
 * @param nodes every node that the queue may use, in an order that does not change between rounds
 * @param queue the queue
 * @param jobs its jobs, waiting and running, in order of submission
 * @param largestTask the most that one container may hold; an ask stands all the same
 * @param memoryShared whether host memory is handed out in shares as CPU is, to jobs of which it is known what memory
 *     does for them; otherwise each task gets the memory that it asks for
 * @param sharedStorage the file system that nodes read from together; empty where each node's bandwidth is the only limit
 * @param overheads what jobs lose by being spread, stopped or moved
 * @param power what the nodes draw and may draw; empty where nobody knows
 */
public record Snapshot(
        long nowMs,
        List<NodeView> nodes,
        QueueView queue,
        List<JobView> jobs,
        ResourceVector largestTask,
        boolean memoryShared,
        Optional<SharedStorage> sharedStorage,
        Overheads overheads,
        Optional<PowerView> power) {
    private static final ResourceVector UNBOUNDED = new ResourceVector(
            Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

    public Snapshot {
        nodes = List.copyOf(nodes);
        jobs = List.copyOf(jobs);
    }

    /** The same cluster at another moment, with other jobs. */
    public Snapshot at(long moment, List<JobView> jobsThen) {
        return new Snapshot(moment, nodes, queue, jobsThen, largestTask, memoryShared, sharedStorage, overheads, power);
    }

    /** The same cluster with one of its nodes open to new tasks or not. */
    public Snapshot withOpen(String nodeId, boolean isOpen) {
        List<NodeView> changed = nodes.stream()
                .map(node -> node.id().equals(nodeId) ? node.withOpen(isOpen) : node)
                .toList();
        return new Snapshot(nowMs, changed, queue, jobs, largestTask, memoryShared, sharedStorage, overheads, power);
    }

    /** Whether every task holds what it asks for and nothing beyond: then what it was given stands while it runs. */
    public boolean isWithoutShares() {
        return largestTask.isZero();
    }

    /** All that the nodes have together. */
    public ResourceVector capacity() {
        return nodes.stream().map(NodeView::capacity).reduce(ResourceVector.ZERO, ResourceVector::plus);
    }

    /** The same with nodes that read from one file system together. */
    public Snapshot withSharedStorage(Optional<SharedStorage> shared) {
        return new Snapshot(nowMs, nodes, queue, jobs, largestTask, memoryShared, shared, overheads, power);
    }

    public Snapshot with(Overheads others) {
        return new Snapshot(nowMs, nodes, queue, jobs, largestTask, memoryShared, sharedStorage, others, power);
    }

    public Snapshot with(PowerView draws) {
        return new Snapshot(
                nowMs, nodes, queue, jobs, largestTask, memoryShared, sharedStorage, overheads, Optional.of(draws));
    }

    /** The same with other nodes or another queue. */
    public Snapshot with(List<NodeView> others, QueueView other) {
        return new Snapshot(nowMs, others, other, jobs, largestTask, memoryShared, sharedStorage, overheads, power);
    }

    /** Where nobody knows what anything draws. */
    public Snapshot(
            long nowMs,
            List<NodeView> nodes,
            QueueView queue,
            List<JobView> jobs,
            ResourceVector largestTask,
            boolean memoryShared,
            Optional<SharedStorage> sharedStorage,
            Overheads overheads) {
        this(nowMs, nodes, queue, jobs, largestTask, memoryShared, sharedStorage, overheads, Optional.empty());
    }

    /** Where each node's storage bandwidth is the only limit, and nothing is lost on the way. */
    public Snapshot(
            long nowMs,
            List<NodeView> nodes,
            QueueView queue,
            List<JobView> jobs,
            ResourceVector largestTask,
            boolean memoryShared) {
        this(nowMs, nodes, queue, jobs, largestTask, memoryShared, Optional.empty(), Overheads.NONE);
    }

    /** Where a container may hold all that a node has. */
    public Snapshot(long nowMs, List<NodeView> nodes, QueueView queue, List<JobView> jobs, boolean memoryShared) {
        this(nowMs, nodes, queue, jobs, UNBOUNDED, memoryShared);
    }
}
