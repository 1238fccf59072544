// SPDX-License-Identifier: Apache-2.0
package io.treadle.allocation;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.api.protocolrecords.NodeHeartbeatRequest;
import org.apache.hadoop.yarn.server.api.protocolrecords.NodeHeartbeatResponse;
import org.apache.hadoop.yarn.server.api.protocolrecords.RegisterNodeManagerRequest;
import org.apache.hadoop.yarn.server.api.protocolrecords.RegisterNodeManagerResponse;
import org.apache.hadoop.yarn.server.api.records.NodeHealthStatus;
import org.apache.hadoop.yarn.server.api.records.NodeStatus;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.apache.hadoop.yarn.util.YarnVersionInfo;

/** A NodeManager as its ResourceManager sees it: it registers, beats, and runs nothing. */
final class BenchNode {
    private static final int PORT = 45454;
    private static final int BYTE = 256;

    private final ResourceManager manager;
    private final NodeId id;
    private final RegisterNodeManagerResponse registered;
    private final Map<ContainerId, ContainerState> containers = new LinkedHashMap<>();
    private int responseId;

    private BenchNode(ResourceManager manager, NodeId id, RegisterNodeManagerResponse registered) {
        this.manager = manager;
        this.id = id;
        this.registered = registered;
    }

    /** @param number from 0; its address follows from it, which no name service has to resolve */
    static BenchNode register(ResourceManager manager, int number, Resource size) throws YarnException, IOException {
        NodeId id = NodeId.newInstance("10.1." + number / BYTE + "." + number % BYTE, PORT);
        RegisterNodeManagerResponse answer = manager.getResourceTrackerService()
                .registerNodeManager(RegisterNodeManagerRequest.newInstance(
                        id, PORT + 1, size, YarnVersionInfo.getVersion(), List.of(), List.of(), null));
        return new BenchNode(manager, id, answer);
    }

    NodeId id() {
        return id;
    }

    /** The container is reported from the next heartbeat on, until the ResourceManager wants it ended. */
    void run(ContainerId container) {
        containers.put(container, ContainerState.RUNNING);
    }

    /** The container has ended by itself. */
    void end(ContainerId container) {
        containers.put(container, ContainerState.COMPLETE);
    }

    /** What the NodeManager sends: it is handled when the ResourceManager comes to it. */
    void beat() throws YarnException, IOException {
        List<ContainerStatus> reported = new ArrayList<>();
        containers.forEach((container, state) -> reported.add(ContainerStatus.newInstance(container, state, "", 0)));
        containers.values().removeIf(state -> state == ContainerState.COMPLETE);
        NodeStatus status = NodeStatus.newInstance(
                id,
                responseId,
                reported,
                List.of(),
                NodeHealthStatus.newInstance(true, "", System.currentTimeMillis()),
                null,
                null,
                List.of());
        NodeHeartbeatRequest request = NodeHeartbeatRequest.newInstance(
                status, registered.getContainerTokenMasterKey(), registered.getNMTokenMasterKey(), null);
        NodeHeartbeatResponse answer = manager.getResourceTrackerService().nodeHeartbeat(request);
        responseId = answer.getResponseId();
        for (ContainerId ended : answer.getContainersToCleanup()) {
            containers.computeIfPresent(ended, (container, state) -> ContainerState.COMPLETE);
        }
    }

    /** What the scheduler does for a heartbeat, in this thread. */
    void schedule() {
        RMNode node = manager.getRMContext().getRMNodes().get(id);
        manager.getResourceScheduler().handle(new NodeUpdateSchedulerEvent(node));
    }
}
