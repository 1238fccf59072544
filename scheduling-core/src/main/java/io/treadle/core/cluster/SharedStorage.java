// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.cluster;

import io.treadle.core.resource.ResourceVector;
import java.util.List;

/**
 * A file system that nodes read from together: what containers get of storage bandwidth, on all nodes, is never more than it
 * gives, whatever each node could draw alone ({@code docs/adr/0014}).
 *
 * @param megabytesPerSecond what it gives to all nodes that use it, MB/s
 * @param elsewhereMBps of that, what is held on nodes that the snapshot does not have
 * @param gpus GPUs of all nodes that use it
 */
public record SharedStorage(long megabytesPerSecond, long elsewhereMBps, long gpus) {
    /** What is left for a snapshot's jobs on these nodes, which are all that they may use; never below zero. */
    public long availableMBps(List<NodeView> nodes) {
        long used = elsewhereMBps;
        for (NodeView node : nodes) {
            used += node.othersUse().storageMBps();
        }
        return Math.max(0, megabytesPerSecond - used);
    }

    /**
     * What goes in shares: all that nobody on these nodes holds for good. Tasks of other queues have their own shares
     * ({@link NodeView#asShare}): what they hold beyond them or below changes nothing.
     */
    public long inSharesMBps(List<NodeView> nodes) {
        long forGood = 0;
        for (NodeView node : nodes) {
            ResourceVector kept = node.othersUse().minus(node.othersTasks());
            forGood += Math.max(0, kept.storageMBps());
        }
        return Math.max(0, megabytesPerSecond - forGood);
    }

    /**
     * The GPU-proportional share, rounded down: so the shares of all tasks together are never more than there is. Below
     * 1 MB/s it is that, or nobody could begin to read: then some wait for others.
     *
     * @param inSharesMBps as {@link #inSharesMBps} says
     * @param ofGpus GPUs of a task
     */
    public long shareMBps(long inSharesMBps, long ofGpus) {
        return inSharesMBps == 0 || ofGpus == 0 || gpus == 0 ? 0 : Math.max(1, inSharesMBps * ofGpus / gpus);
    }
}
