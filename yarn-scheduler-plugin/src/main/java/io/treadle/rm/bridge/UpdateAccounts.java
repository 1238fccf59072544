// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import java.util.List;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.SchedulingMode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ContainerAllocationProposal;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ResourceCommitRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.SchedulerContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * Keeps the queues' metrics right where Hadoop's container updates count wrongly. An increase that is cancelled before
 * there was room is counted as allocated and never released; the container with which another one shrinks is counted as
 * released and never was as allocated, neither in the metrics nor in the queues' number of containers. What nodes and
 * queues use is right in both cases.
 */
public final class UpdateAccounts {
    private final ThreadLocal<Boolean> updating = ThreadLocal.withInitial(() -> false);

    /** Runs what asks for updates: all increases that are taken from the asks meanwhile are cancelled ones. */
    public void whileUpdating(Runnable update) {
        updating.set(true);
        try {
            update.run();
        } finally {
            updating.remove();
        }
    }

    /** An increase is being taken from the application's asks, because it is granted or because it is cancelled. */
    public void increaseTaken(SchedulerApplicationAttempt app, String partition, Resource more) {
        if (updating.get()) {
            app.getQueue().getMetrics().releaseResources(partition, app.getUser(), 1, more);
        }
    }

    /** Whether the container is the tool with which another one shrinks: it is released and never was started. */
    @SuppressWarnings("ReferenceEquality") // By its id it is equal to the container that shrinks.
    public static boolean isToolOfDecrease(FiCaSchedulerApp app, RMContainer container) {
        RMContainer listed = app.getRMContainer(container.getContainerId());
        // The tool of a demotion is listed as itself, and releases what the container that stays has used until then.
        return container.getState() == RMContainerState.NEW && listed != null && listed != container;
    }

    /** The tool of a decrease is about to be counted as released: counts it as allocated, with nothing in it. */
    public static void completing(FiCaSchedulerApp app, FiCaSchedulerNode node, Resource cluster) {
        app.getQueue().getMetrics().allocateResources(node.getPartition(), app.getUser(), 1, Resources.none(), false);
        var tool =
                new SchedulerContainer<FiCaSchedulerApp, FiCaSchedulerNode>(app, node, null, node.getPartition(), true);
        var empty = new ContainerAllocationProposal<>(
                tool,
                List.of(),
                null,
                NodeType.NODE_LOCAL,
                NodeType.NODE_LOCAL,
                SchedulingMode.RESPECT_PARTITION_EXCLUSIVITY,
                Resources.none());
        app.getCSLeafQueue().apply(cluster, new ResourceCommitRequest<>(List.of(empty), List.of(), List.of()));
    }
}
