// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.rm.gang.Gang;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of all jobs in one round. Each job is read once for all queues, and again where its queue has been planned
 * meanwhile or its containers have changed. Used by the planner thread.
 */
final class RoundTasks {
    private final SchedulerAccess scheduler;
    private final Map<Gang, Read> read = new HashMap<>();
    /** By container of a task, what the task asks for. */
    private final Map<ContainerId, ResourceVector> asks = new HashMap<>();
    /** Jobs of the queue that is planned now: its plan may change them. */
    private List<Gang> planned = List.of();

    private record Read(FiCaSchedulerApp app, int containers, LiveTasks tasks) {
        boolean isOf(FiCaSchedulerApp now) {
            return app.getApplicationAttemptId().equals(now.getApplicationAttemptId())
                    && containers == now.getLiveContainersMap().size();
        }
    }

    RoundTasks(SchedulerAccess scheduler) {
        this.scheduler = scheduler;
    }

    void roundBegins() {
        read.clear();
        asks.clear();
        planned = List.of();
    }

    /** A queue is planned: its own jobs are read now, and those of the queue before it again when they are needed. */
    void queueBegins(List<Gang> gangs) {
        planned.forEach(read::remove);
        gangs.forEach(read::remove);
        planned = List.copyOf(gangs);
    }

    /** Empty where the job's attempt is gone or stopped. */
    Optional<LiveTasks> of(Gang gang) {
        Optional<FiCaSchedulerApp> app = scheduler.app(gang.id());
        if (app.isEmpty()) {
            read.remove(gang);
            return Optional.empty();
        }
        Read known = read.get(gang);
        if (known == null || !known.isOf(app.get())) {
            known = read(gang, app.get());
        }
        return Optional.of(known.tasks());
    }

    private Read read(Gang gang, FiCaSchedulerApp app) {
        List<GangSpec.Group> groups = gang.spec().groups();
        int containers = app.getLiveContainersMap().size();
        Read now = new Read(app, containers, new LiveTasks(app, groups.size()));
        for (LiveTasks.Task task : now.tasks().tasks()) {
            asks.put(task.container().getContainerId(), groups.get(task.group()).resources());
        }
        read.put(gang, now);
        return now;
    }

    /** What the task in the container asks for; null where the container is no task of a job that was read. */
    @Nullable
    ResourceVector ask(ContainerId container) {
        return asks.get(container);
    }

    /** By node, what the job's tasks hold beyond what they ask for and could give back, in vcores and memory. */
    Map<NodeId, ResourceVector> beyondAsks(Gang gang) {
        List<GangSpec.Group> groups = gang.spec().groups();
        // A worker is asked for memory by its ApplicationMaster.
        boolean givesMemory = scheduler.isMasterRegistered(gang.id());
        Map<NodeId, ResourceVector> beyond = new HashMap<>();
        for (LiveTasks.Task task : of(gang).map(LiveTasks::tasks).orElse(List.of())) {
            ResourceVector more =
                    task.size().minus(groups.get(task.group()).resources()).max(ResourceVector.ZERO);
            if (!more.isZero() && ContainerResizer.takesUpdates(scheduler, task.container())) {
                beyond.merge(
                        task.container().getAllocatedNode(),
                        ResourceVector.of(0, more.vcores(), givesMemory ? more.memoryMiB() : 0),
                        ResourceVector::plus);
            }
        }
        return beyond;
    }

    /** How many tasks of a group the job lacks to start. */
    long lacking(Gang gang, int group) {
        return of(gang).map(live -> Math.min(
                        live.pending(group),
                        Math.max(0, gang.spec().groups().get(group).min() - live.running(group))))
                .orElse(0L);
    }

    /** What the job needs to start, and does not ask for only to be larger; nothing where it runs. */
    ResourceVector lacking(Gang gang) {
        ResourceVector lacks = ResourceVector.ZERO;
        for (int i = 0; i < gang.spec().groups().size(); i++) {
            lacks = lacks.plus(gang.spec().groups().get(i).resources().times(lacking(gang, i)));
        }
        return lacks;
    }

    /** What the job still asks for, summed up over its tasks. */
    ResourceVector pending(Gang gang) {
        ResourceVector pending = ResourceVector.ZERO;
        Optional<LiveTasks> tasks = of(gang);
        for (int i = 0; tasks.isPresent() && i < gang.spec().groups().size(); i++) {
            pending = pending.plus(
                    gang.spec().groups().get(i).resources().times(tasks.get().pending(i)));
        }
        return pending;
    }
}
