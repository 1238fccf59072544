// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;

/** The task containers that a job holds, and the task containers that it asks for. */
final class LiveTasks {
    /**
     * @param group index of its task group
     * @param size what it holds, with an increase that is committed and not yet taken over
     */
    record Task(RMContainer container, int group, ResourceVector size) {}

    private static final Set<RMContainerState> ENDED = EnumSet.of(
            RMContainerState.COMPLETED, RMContainerState.EXPIRED, RMContainerState.RELEASED, RMContainerState.KILLED);

    private final List<Task> tasks = new ArrayList<>();
    private final Set<ContainerId> containers = new HashSet<>();
    private final Set<NodeId> nodes = new HashSet<>();
    private final Map<Integer, Integer> pending = new HashMap<>();

    LiveTasks(FiCaSchedulerApp app, int groups) {
        Map<ContainerId, ResourceVector> increases = new HashMap<>();
        // While a container shrinks, Hadoop lists it twice, the second time under the id of the container that shrinks
        // it.
        Set<RMContainer> live = new LinkedHashSet<>(app.getLiveContainers());
        // Of one that ends meanwhile only the second entry is left, until its ApplicationMaster asks again.
        live.removeIf(container -> ENDED.contains(container.getState()));
        for (RMContainer container : live) {
            ContainerId updated = container.getAllocatedSchedulerKey().getContainerToUpdate();
            if (updated != null) {
                containers.add(container.getContainerId());
                nodes.add(container.getAllocatedNode());
                increases.merge(updated, YarnResources.vector(container.getAllocatedResource()), ResourceVector::plus);
            }
        }
        for (RMContainer container : live) {
            long group = container.getAllocatedSchedulerKey().getAllocationRequestId() - 1;
            if (!container.isAMContainer()
                    && !containers.contains(container.getContainerId())
                    && isGroup(group, groups)) {
                ResourceVector size = YarnResources.vector(container.getAllocatedResource())
                        .plus(increases.getOrDefault(container.getContainerId(), ResourceVector.ZERO));
                tasks.add(new Task(container, (int) group, size));
            }
        }
        for (Task task : tasks) {
            containers.add(task.container().getContainerId());
            nodes.add(task.container().getAllocatedNode());
        }
        for (SchedulerRequestKey key : app.getSchedulerKeys()) {
            long group = key.getAllocationRequestId() - 1;
            if (key.getContainerToUpdate() == null && isGroup(group, groups)) {
                pending.merge(
                        (int) group, app.getPendingAsk(key, ResourceRequest.ANY).getCount(), Integer::sum);
            }
        }
    }

    private static boolean isGroup(long group, int groups) {
        return group >= 0 && group < groups;
    }

    List<Task> tasks() {
        return tasks;
    }

    /** Ids of the task containers and of their increases. */
    Set<ContainerId> containers() {
        return containers;
    }

    /** The nodes of {@link #containers}. */
    Set<NodeId> nodes() {
        return nodes;
    }

    long running(int group) {
        return tasks.stream().filter(t -> t.group() == group).count();
    }

    int pending(int group) {
        return pending.getOrDefault(group, 0);
    }
}
