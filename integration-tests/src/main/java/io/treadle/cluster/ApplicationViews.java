// SPDX-License-Identifier: Apache-2.0
package io.treadle.cluster;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceInformation;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerAppReport;
import org.jspecify.annotations.Nullable;

/** Reads applications straight from the embedded ResourceManager, as its own pages do. */
public final class ApplicationViews {
    private static final String GPU = "yarn.io/gpu";

    private final EmbeddedCluster cluster;

    public ApplicationViews(EmbeddedCluster cluster) {
        this.cluster = cluster;
    }

    /** @throws IllegalArgumentException if the ResourceManager knows no such application */
    public ApplicationView of(ApplicationId id) {
        ResourceManager manager = cluster.resourceManager();
        Map<ApplicationId, RMApp> applications = manager.getRMContext().getRMApps();
        RMApp application = applications.get(id);
        if (application == null) {
            throw new IllegalArgumentException("application " + id + " is not known to the ResourceManager");
        }
        String diagnostics = application.getDiagnostics().toString().strip();
        YarnApplicationState state = application.createApplicationState();
        // Before it registers, an application has but its ApplicationMaster's container, which is not marked as that
        // yet.
        boolean registered = state == YarnApplicationState.RUNNING;
        return new ApplicationView(
                state,
                application.getFinalApplicationStatus(),
                application.getSubmitTime(),
                application.getFinishTime(),
                diagnostics,
                // The ResourceManager's own word for it names the port that was asked for: 0.
                registered ? cluster.webAddress() + "/proxy/" + id + "/" : "",
                registered ? workers(manager, application.getCurrentAppAttempt()) : List.of());
    }

    /** Short name of the node that an application's ApplicationMaster was placed on; empty where it has none. */
    public Optional<String> masterNode(ApplicationId id) {
        return Optional.ofNullable(
                        cluster.resourceManager().getRMContext().getRMApps().get(id))
                .map(RMApp::getCurrentAppAttempt)
                .map(RMAppAttempt::getMasterContainer)
                .map(container -> cluster.nodeName(container.getNodeId().toString()));
    }

    private List<RunningContainer> workers(ResourceManager manager, @Nullable RMAppAttempt attempt) {
        if (attempt == null) {
            return List.of();
        }
        SchedulerAppReport report = manager.getResourceScheduler().getSchedulerAppInfo(attempt.getAppAttemptId());
        Collection<RMContainer> live = report == null ? List.of() : report.getLiveContainers();
        return live.stream()
                // Hadoop lists a container that shrinks twice for a moment.
                .distinct()
                .filter(container -> !container.isAMContainer())
                // Hadoop holds what a container grows by in a second one for a moment.
                .filter(container -> container.getAllocatedSchedulerKey().getContainerToUpdate() == null)
                .sorted(Comparator.comparing(RMContainer::getContainerId))
                .map(this::worker)
                .toList();
    }

    private RunningContainer worker(RMContainer container) {
        Resource size = container.getAllocatedResource();
        return new RunningContainer(
                container.getContainerId().toString(),
                cluster.nodeName(Objects.toString(container.getAllocatedNode())),
                size.getVirtualCores(),
                size.getMemorySize(),
                (int) gpus(size));
    }

    private static long gpus(Resource size) {
        for (ResourceInformation type : size.getResources()) {
            if (type.getName().equals(GPU)) {
                return type.getValue();
            }
        }
        return 0;
    }
}
