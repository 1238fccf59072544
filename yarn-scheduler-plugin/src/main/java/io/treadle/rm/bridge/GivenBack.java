// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.util.Time;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;

/**
 * Containers that are over for the ResourceManager, while their node keeps the room until its NodeManager has said that they are
 * gone. Who took that for what others hold would stop a job for lack of room that is there a moment later.
 */
final class GivenBack {
    /** A NodeManager that says nothing at all for so long may be dead, and its room may never be there. */
    private static final long SILENT_MS = 10_000;
    /** A process that cannot be killed for so long may never go. */
    private static final long STUCK_MS = 60_000;

    private static final Set<RMContainerState> OVER = EnumSet.of(
            RMContainerState.COMPLETED, RMContainerState.EXPIRED, RMContainerState.RELEASED, RMContainerState.KILLED);

    private GivenBack() {}

    /** Those of a node's containers that are expected to be gone soon. */
    static Set<ContainerId> of(SchedulerNode node, List<RMContainer> containers, long nowMs) {
        if (Time.monotonicNow() - node.getLastHeartbeatMonotonicTime() > SILENT_MS) {
            return Set.of();
        }
        return containers.stream()
                .filter(container -> OVER.contains(container.getState()))
                .filter(container -> nowMs - container.getFinishTime() < STUCK_MS)
                .map(RMContainer::getContainerId)
                .collect(Collectors.toSet());
    }
}
