// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;

/**
 * Containers that are over for the ResourceManager and whose room their nodes keep until their NodeManagers have said that they are
 * gone. Nothing else tells when that room is there. Safe for use by several threads.
 */
public final class LeavingContainers {
    private final SchedulerAccess scheduler;
    /** By node, whether a container is one of a gang. A node without any, as nearly all at each heartbeat, is one look-up. */
    private final Map<NodeId, Map<ContainerId, Boolean>> byNode = new ConcurrentHashMap<>();

    public LeavingContainers(SchedulerAccess scheduler) {
        this.scheduler = scheduler;
    }

    /** Whether no node has any. */
    public boolean isEmpty() {
        return byNode.isEmpty();
    }

    /** CapacityScheduler has ended a container. */
    public void ended(RMContainer container, boolean ofGang) {
        NodeId node = container.getAllocatedNode();
        if (isOn(node, container.getContainerId())) {
            byNode.compute(node, (key, there) -> {
                Map<ContainerId, Boolean> all = there == null ? new HashMap<>() : there;
                all.put(container.getContainerId(), ofGang);
                return all;
            });
        }
    }

    /** Whether one of those that have left the node since the last look is of a gang; empty where none has. */
    public Optional<Boolean> left(NodeId node) {
        if (!byNode.containsKey(node)) {
            return Optional.empty();
        }
        boolean[] left = new boolean[2];
        byNode.computeIfPresent(node, (key, there) -> {
            for (Iterator<Map.Entry<ContainerId, Boolean>> all =
                            there.entrySet().iterator();
                    all.hasNext(); ) {
                Map.Entry<ContainerId, Boolean> container = all.next();
                if (!isOn(node, container.getKey())) {
                    left[0] = true;
                    left[1] |= container.getValue();
                    all.remove();
                }
            }
            return there.isEmpty() ? null : there;
        });
        return left[0] ? Optional.of(left[1]) : Optional.empty();
    }

    /** The node is gone. */
    public void forget(NodeId node) {
        byNode.remove(node);
    }

    private boolean isOn(NodeId node, ContainerId id) {
        return scheduler.node(node).filter(there -> there.isValidContainer(id)).isPresent();
    }
}
