// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;

/**
 * Containers that are over for the ResourceManager, while their node keeps the room until its NodeManager has said that they are
 * gone. Who took that for what others hold would stop a job for lack of room that is there a moment later.
 */
final class GivenBack {
    /** A process that cannot be killed for so long may never go. */
    private static final long STUCK_MS = 60_000;

    private static final Set<RMContainerState> OVER = EnumSet.of(
            RMContainerState.COMPLETED, RMContainerState.EXPIRED, RMContainerState.RELEASED, RMContainerState.KILLED);

    private GivenBack() {}

    /** Those of a node's containers that are expected to be gone soon, where its NodeManager is there to say so. */
    static Set<ContainerId> of(NodeReading node, long nowMs) {
        Set<ContainerId> over = Set.of();
        for (NodeReading.Held held : node.containers()) {
            RMContainer container = held.container();
            if (OVER.contains(container.getState()) && nowMs - container.getFinishTime() < STUCK_MS) {
                over = over.isEmpty() ? new HashSet<>() : over;
                over.add(held.id());
            }
        }
        return over;
    }
}
