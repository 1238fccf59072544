// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * Keeps the queues' metrics right where Hadoop's container updates count wrongly. An increase that is cancelled before
 * there was room is counted as allocated and never released; the container with which another one shrinks is counted as
 * released and never was as allocated. Nodes and queues' usage are right in both cases.
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

    /** A container is about to be counted as released. One that was never started is the tool of a decrease. */
    public void completing(SchedulerApplicationAttempt app, String partition, RMContainer container) {
        if (container.getState() == RMContainerState.NEW && app.getRMContainer(container.getContainerId()) != null) {
            app.getQueue().getMetrics().allocateResources(partition, app.getUser(), 1, Resources.none(), false);
        }
    }
}
