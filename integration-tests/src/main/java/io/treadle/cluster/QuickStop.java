// SPDX-License-Identifier: Apache-2.0
package io.treadle.cluster;

import com.google.common.util.concurrent.Uninterruptibles;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.apache.hadoop.service.CompositeService;
import org.apache.hadoop.service.Service;
import org.apache.hadoop.yarn.server.MiniYARNCluster;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.ContainerManagerImpl;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.application.ApplicationState;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.loghandler.NonAggregatingLogHandler;

/**
 * Stops daemons whose cluster goes with its files. A NodeManager keeps finished applications until it deletes their logs, hours
 * later: told to stop, it waits six seconds for them and ten for the deletions. MiniYARNCluster waits five more for
 * ApplicationMasters that were killed. All of that is in vain, and there is no other way around it than private fields.
 */
final class QuickStop {
    private static final Duration LOOK_AGAIN = Duration.ofMillis(100);

    private QuickStop() {}

    /** All at once. */
    static void stop(List<NodeManager> nodes) {
        List<Thread> stops = new ArrayList<>();
        // One that did not come so far has nothing to wait for.
        List<NodeManager> running = nodes.stream()
                .filter(node -> node.isInState(Service.STATE.STARTED))
                .toList();
        running.forEach(QuickStop::forgetDeletions);
        for (NodeManager node : nodes) {
            Thread stop = new Thread(node::stop, "stop-" + node.getName());
            stop.start();
            stops.add(stop);
        }
        for (Thread stop : stops) {
            // Applications that run are ended by the stop, and are finished only then.
            do {
                running.forEach(QuickStop::forgetFinished);
                Uninterruptibles.joinUninterruptibly(stop, LOOK_AGAIN);
            } while (stop.isAlive());
        }
    }

    /** Of ApplicationMasters that never said that they end. */
    static void forgetMasters(MiniYARNCluster cluster) {
        ((Map<?, ?>) get(MiniYARNCluster.class, "appMasters", cluster)).clear();
    }

    private static void forgetFinished(NodeManager node) {
        node.getNMContext()
                .getApplications()
                .values()
                .removeIf(application -> application.getApplicationState() == ApplicationState.FINISHED);
    }

    private static void forgetDeletions(NodeManager node) {
        CompositeService containers = (ContainerManagerImpl) node.getNMContext().getContainerManager();
        for (Service service : containers.getServices()) {
            if (service instanceof NonAggregatingLogHandler) {
                ((ScheduledThreadPoolExecutor) get(NonAggregatingLogHandler.class, "sched", service))
                        .setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
            }
        }
    }

    private static Object get(Class<?> type, String name, Object of) {
        try {
            Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            return field.get(of);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type.getSimpleName() + " is not made as that of Hadoop 3.5.0", e);
        }
    }
}
