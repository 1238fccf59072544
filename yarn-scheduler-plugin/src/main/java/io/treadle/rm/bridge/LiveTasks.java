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
import java.util.stream.Collectors;
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

    /**
     * What an application holds, also its ApplicationMaster, each container once. While one shrinks, Hadoop lists it twice, the second
     * time under the id of the container that shrinks it; of one that ends meanwhile only the second entry is left, until its
     * ApplicationMaster asks again.
     */
    static Set<RMContainer> held(FiCaSchedulerApp app) {
        Set<RMContainer> held = new LinkedHashSet<>(app.getLiveContainers());
        held.removeIf(container -> ENDED.contains(container.getState()));
        return held;
    }

    LiveTasks(FiCaSchedulerApp app, int groups) {
        Set<RMContainer> live = held(app);
        Map<ContainerId, List<RMContainer>> increases = live.stream()
                .filter(LiveTasks::isIncrease)
                .collect(Collectors.groupingBy(
                        container -> container.getAllocatedSchedulerKey().getContainerToUpdate()));
        for (RMContainer container : live) {
            long group = container.getAllocatedSchedulerKey().getAllocationRequestId() - 1;
            if (!container.isAMContainer() && !isIncrease(container) && isGroup(group, groups)) {
                add(container, (int) group, increases.getOrDefault(container.getContainerId(), List.of()));
            }
        }
        for (SchedulerRequestKey key : app.getSchedulerKeys()) {
            long group = key.getAllocationRequestId() - 1;
            if (key.getContainerToUpdate() == null && isGroup(group, groups)) {
                pending.merge(
                        (int) group, app.getPendingAsk(key, ResourceRequest.ANY).getCount(), Integer::sum);
            }
        }
    }

    private static boolean isIncrease(RMContainer container) {
        return container.getAllocatedSchedulerKey().getContainerToUpdate() != null;
    }

    /**
     * @param increases of the container. One whose container has ended holds its room until the ApplicationMaster asks again, and
     *     is the job's no more.
     */
    private void add(RMContainer container, int group, List<RMContainer> increases) {
        ResourceVector size = YarnResources.vector(container.getAllocatedResource());
        for (RMContainer increase : increases) {
            size = size.plus(YarnResources.vector(increase.getAllocatedResource()));
            containers.add(increase.getContainerId());
            nodes.add(increase.getAllocatedNode());
        }
        tasks.add(new Task(container, group, size));
        containers.add(container.getContainerId());
        nodes.add(container.getAllocatedNode());
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
