// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import java.util.Collection;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/**
 * The heartbeats of all nodes at one moment. The newest of them is looked up once for all nodes: a look for each silent node
 * makes a network partition cost the square of the number of nodes.
 *
 * @param nowMs monotonic time, ms
 * @param newestMs the last heartbeat of any node, monotonic time, ms
 * @param mostMs a node that has missed heartbeats for no longer than this is not silent, ms
 */
public record Heartbeats(long nowMs, long newestMs, long mostMs) {
    /** Where no node has been heard of for a while it is the ResourceManager that stood still. */
    static Heartbeats of(Collection<FiCaSchedulerNode> nodes, long nowMs, long mostMs) {
        long newestMs = nodes.stream()
                .mapToLong(FiCaSchedulerNode::getLastHeartbeatMonotonicTime)
                .max()
                .orElse(0);
        return new Heartbeats(nowMs, newestMs, mostMs);
    }

    /**
     * How long nothing that a node's NodeManager said has come to the scheduler, ms, where others were heard of meanwhile and
     * that is so long that it may be dead, which YARN finds out ten minutes later; else 0.
     */
    public long silentMs(FiCaSchedulerNode node) {
        long lastMs = node.getLastHeartbeatMonotonicTime();
        return nowMs - lastMs > mostMs && newestMs - lastMs > mostMs ? nowMs - lastMs : 0;
    }
}
