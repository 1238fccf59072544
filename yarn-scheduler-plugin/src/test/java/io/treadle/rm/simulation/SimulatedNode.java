// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import io.treadle.rm.TokenTags;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.api.protocolrecords.NMContainerStatus;
import org.apache.hadoop.yarn.server.api.protocolrecords.NodeHeartbeatResponse;
import org.apache.hadoop.yarn.server.api.records.NodeAction;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceTrackerService;
import org.apache.hadoop.yarn.server.utils.BuilderUtils;

/** A NodeManager: it runs what it is told to run, and says so when it is its turn. */
final class SimulatedNode {
    final NodeId id;
    final int gpus;
    private final Resource total;
    private final Map<ContainerId, Container> running = new LinkedHashMap<>();
    private final List<ContainerStatus> unreported = new ArrayList<>();
    /** GPUs that do not work. */
    private final Set<Integer> lostDevices = new TreeSet<>();

    private MockNM link;
    private boolean registered;
    private boolean up = true;
    private String label = "";

    SimulatedNode(int port, Resource total, int gpus, ResourceTrackerService tracker) {
        id = NodeId.newInstance("127.0.0.1", port);
        this.gpus = gpus;
        this.total = total;
        link = new MockNM(id.toString(), total, tracker);
    }

    boolean isUp() {
        return up;
    }

    boolean isRegistered() {
        return up && registered;
    }

    String label() {
        return label;
    }

    void label(String given) {
        label = given;
    }

    Set<Integer> lostDevices() {
        return lostDevices;
    }

    /** The machine fails, with all that runs there. */
    void fail() {
        up = false;
        registered = false;
        running.clear();
        unreported.clear();
    }

    /** The machine is there again, with nothing on it. */
    void start(ResourceTrackerService tracker) {
        up = true;
        link = new MockNM(id.toString(), total, tracker);
    }

    /** There is a new ResourceManager, which knows nothing of the node. */
    void meet(ResourceTrackerService tracker) {
        registered = false;
        link.setResourceTrackerService(tracker);
    }

    /** The NodeManager starts again, and finds its containers running. */
    void restart() {
        registered = false;
    }

    /** An ApplicationMaster, or YARN for it, starts a container. */
    void run(Container container) {
        if (up) {
            running.put(container.getId(), container);
        }
    }

    void complete(ContainerId container, int exitStatus) {
        if (running.remove(container) != null) {
            unreported.add(BuilderUtils.newContainerStatus(container, ContainerState.COMPLETE, "", exitStatus, total));
        }
    }

    /** @param sizes what each container has from now on, by its id and what it has */
    void resize(BiFunction<ContainerId, Resource, Resource> sizes) {
        running.values()
                .forEach(container -> container.setResource(sizes.apply(container.getId(), container.getResource())));
    }

    /** Whether it has the container, or has not yet said that it ended. */
    boolean knows(ContainerId container) {
        return running.containsKey(container)
                || unreported.stream()
                        .anyMatch(status -> status.getContainerId().equals(container));
    }

    /** Registers, or says what has changed since the last heartbeat and does what the answer says. */
    void beat() throws Exception {
        if (!up) {
            return;
        }
        if (!registered) {
            register();
            return;
        }
        List<ContainerStatus> statuses = new ArrayList<>();
        for (Container container : running.values()) {
            statuses.add(BuilderUtils.newContainerStatus(
                    container.getId(), ContainerState.RUNNING, "", ContainerExitStatus.INVALID, total));
        }
        statuses.addAll(unreported);
        NodeHeartbeatResponse answer = link.nodeHeartbeat(statuses, true);
        if (answer.getNodeAction() != NodeAction.NORMAL) {
            registered = false;
            return;
        }
        unreported.clear();
        answer.getContainersToUpdate().forEach(container -> running.replace(container.getId(), container));
        answer.getContainersToCleanup().forEach(this::kill);
        for (ApplicationId application : answer.getApplicationsToCleanup()) {
            List.copyOf(running.keySet()).stream()
                    .filter(container -> container
                            .getApplicationAttemptId()
                            .getApplicationId()
                            .equals(application))
                    .forEach(this::kill);
        }
    }

    private void kill(ContainerId container) {
        complete(container, ContainerExitStatus.KILLED_BY_RESOURCEMANAGER);
    }

    private void register() throws Exception {
        List<NMContainerStatus> reports = new ArrayList<>();
        for (Container container : running.values()) {
            reports.add(report(container, ContainerState.RUNNING, ContainerExitStatus.INVALID));
        }
        for (ContainerStatus ended : unreported) {
            reports.add(NMContainerStatus.newInstance(
                    ended.getContainerId(),
                    0,
                    ContainerState.COMPLETE,
                    Resource.newInstance(Setting.LEAST_MIB, 1),
                    "",
                    ended.getExitStatus(),
                    Priority.newInstance(1),
                    0));
        }
        // As a NodeManager does, it says so again at its next heartbeat: a ResourceManager that knew it does not look
        // here.
        List<ApplicationId> applications = running.keySet().stream()
                .map(container -> container.getApplicationAttemptId().getApplicationId())
                .distinct()
                .toList();
        link.registerNode(reports, applications);
        registered = true;
    }

    private NMContainerStatus report(Container container, ContainerState state, int exitStatus) {
        NMContainerStatus report = NMContainerStatus.newInstance(
                container.getId(),
                0,
                state,
                container.getResource(),
                "",
                exitStatus,
                container.getPriority(),
                0,
                label,
                container.getExecutionType(),
                container.getAllocationRequestId());
        report.setAllocationTags(TokenTags.of(container));
        return report;
    }
}
