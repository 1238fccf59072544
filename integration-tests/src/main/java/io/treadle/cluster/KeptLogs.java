// SPDX-License-Identifier: Apache-2.0
package io.treadle.cluster;

import java.lang.reflect.Field;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.apache.hadoop.service.CompositeService;
import org.apache.hadoop.service.Service;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.ContainerManagerImpl;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.application.ApplicationState;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.loghandler.NonAggregatingLogHandler;

/**
 * A NodeManager keeps finished applications until it deletes their logs, hours later. Told to stop, it waits six seconds for
 * them and ten for the deletion, in vain; a cluster that goes with its files need not.
 */
final class KeptLogs {
    private KeptLogs() {}

    /** @param node is about to be stopped */
    static void forget(NodeManager node) {
        node.getNMContext()
                .getApplications()
                .values()
                .removeIf(application -> application.getApplicationState() == ApplicationState.FINISHED);
        CompositeService containers = (ContainerManagerImpl) node.getNMContext().getContainerManager();
        for (Service service : containers.getServices()) {
            if (service instanceof NonAggregatingLogHandler handler) {
                deletions(handler).setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
            }
        }
    }

    /** It is private, and nothing else leads to it. */
    private static ScheduledThreadPoolExecutor deletions(NonAggregatingLogHandler handler) {
        try {
            Field deletions = NonAggregatingLogHandler.class.getDeclaredField("sched");
            deletions.setAccessible(true);
            return (ScheduledThreadPoolExecutor) deletions.get(handler);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Hadoop's log handler is not made as that of 3.5.0", e);
        }
    }
}
