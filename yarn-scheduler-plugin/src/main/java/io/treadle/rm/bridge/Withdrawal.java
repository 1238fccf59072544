// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.job.DeviceShare;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.gang.Gang;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;

/**
 * Takes containers of a job back: first by YARN's preemption message, on which the ApplicationMaster keeps a checkpoint and
 * gives them up itself.
 */
public final class Withdrawal {
    private final SchedulerAccess scheduler;

    public Withdrawal(SchedulerAccess scheduler) {
        this.scheduler = scheduler;
    }

    /**
     * What a job gives up and what it gets, so that it has its tasks where they are meant to be.
     *
     * @param leave containers that are not meant to be
     * @param start tasks for which it has no container yet
     * @param sizes by container that stays, what it is to have
     */
    public record Change(Set<ContainerId> leave, List<TaskPlacement> start, Map<String, ResourceVector> sizes) {}

    /** Containers of tasks that the job has. */
    public Set<ContainerId> tasks(Gang gang) {
        return live(gang).stream().map(RMContainer::getContainerId).collect(Collectors.toSet());
    }

    /** Those containers stay that are on a node, and on GPUs, on which a task of their group is meant to be. */
    public Change change(Gang gang, List<TaskPlacement> meant) {
        List<TaskPlacement> start = new ArrayList<>(meant);
        Set<ContainerId> leave = new HashSet<>();
        Map<String, ResourceVector> sizes = new HashMap<>();
        scheduler.app(gang.id()).ifPresent(app -> new LiveTasks(
                        app, gang.spec().groups().size())
                .tasks()
                .forEach(task -> {
                    Optional<TaskPlacement> same = sameAs(task, gang, start);
                    if (same.isPresent()) {
                        sizes.put(
                                task.container().getContainerId().toString(),
                                task.size().withVcores(same.get().size().vcores()));
                        keep(task.container(), same.get(), start);
                    } else {
                        leave.add(task.container().getContainerId());
                    }
                }));
        return new Change(leave, start, sizes);
    }

    private static Optional<TaskPlacement> sameAs(LiveTasks.Task task, Gang gang, List<TaskPlacement> meant) {
        String group = gang.spec().groups().get(task.group()).name();
        String node = task.container().getAllocatedNode().toString();
        Set<String> held = held(task.container());
        Set<String> devices = meant.stream()
                .filter(t -> t.nodeId().equals(node))
                .flatMap(t -> t.devices().stream())
                .map(DeviceShare::uuid)
                .collect(Collectors.toSet());
        return meant.stream()
                .filter(t -> t.group().equals(group) && t.nodeId().equals(node))
                .filter(t -> t.devices().isEmpty() || devices.containsAll(held))
                .findFirst();
    }

    /** Takes the task out of those that are to start; the GPUs that were meant for it go to the one that was to have its own. */
    private static void keep(RMContainer container, TaskPlacement same, List<TaskPlacement> start) {
        start.remove(same);
        Set<String> held = held(container);
        List<DeviceShare> over = new ArrayList<>(same.devices().stream()
                .filter(device -> !held.contains(device.uuid()))
                .toList());
        for (int i = 0; i < start.size(); i++) {
            TaskPlacement other = start.get(i);
            List<DeviceShare> devices = new ArrayList<>();
            for (DeviceShare device : other.devices()) {
                boolean isTaken = other.nodeId().equals(same.nodeId()) && held.contains(device.uuid());
                devices.add(isTaken && !over.isEmpty() ? over.remove(0) : device);
            }
            start.set(i, new TaskPlacement(other.group(), other.nodeId(), other.size(), devices));
        }
    }

    private static Set<String> held(RMContainer container) {
        return NodeDevices.tags(container).stream().map(tag -> tag.uuid()).collect(Collectors.toSet());
    }

    /** Which of these containers the job still has. */
    public Set<ContainerId> left(Gang gang, Set<ContainerId> containers) {
        Set<ContainerId> left = tasks(gang);
        left.retainAll(containers);
        return left;
    }

    /** Asks the ApplicationMaster for the containers. It may be asked again. */
    public void ask(Gang gang, Set<ContainerId> containers) {
        scheduler.app(gang.id()).ifPresent(app -> containers.forEach(app::markContainerForPreemption));
    }

    /** Ends the containers: the ApplicationMaster was asked for them and has not given them up. */
    public void take(Gang gang, Set<ContainerId> containers) {
        live(gang).stream()
                .filter(container -> containers.contains(container.getContainerId()))
                .forEach(container -> scheduler.preempt(container, "its job makes way for others"));
    }

    private List<RMContainer> live(Gang gang) {
        Optional<FiCaSchedulerApp> app = scheduler.app(gang.id());
        return app.isEmpty()
                ? List.of()
                : new LiveTasks(app.get(), gang.spec().groups().size())
                        .tasks().stream().map(LiveTasks.Task::container).toList();
    }
}
