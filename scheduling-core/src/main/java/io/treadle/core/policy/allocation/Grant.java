// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import io.treadle.core.job.DeviceShare;
import io.treadle.core.job.JobView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.Optional;

/**
 * What a job holds in a plan that is being made.
 *
 * @param level how its tasks were sized
 */
record Grant(JobView job, List<Task> tasks, Level level) {
    enum Level {
        /** At the best-case demand. */
        DEMAND,
        /** Above the share and below the demand: what the nodes had room for. */
        BETWEEN,
        /** At the GPU-proportional share. */
        SHARE,
        /** At what it asks for: its queue or user may hold no more. */
        ASK,
        /** As its ApplicationMaster sized it. */
        PROFILING
    }

    /**
     * @param runningId id of the task that runs already; empty for one that is to start
     * @param node index of its node in the ledger
     */
    record Task(Optional<String> runningId, TaskGroup group, int node, ResourceVector size, List<DeviceShare> devices) {
        /** Groups of a job have names of their own. */
        boolean isOf(TaskGroup other) {
            return group.name().equals(other.name());
        }

        Task withSize(ResourceVector newSize) {
            return new Task(runningId, group, node, newSize, devices);
        }
    }

    ResourceVector held() {
        ResourceVector held = ResourceVector.ZERO;
        for (Task task : tasks) {
            held = held.plus(task.size());
        }
        return held;
    }

    ResourceVector heldOn(int node) {
        ResourceVector held = ResourceVector.ZERO;
        for (Task task : tasks) {
            held = task.node() == node ? held.plus(task.size()) : held;
        }
        return held;
    }

    boolean isOn(int node) {
        for (Task task : tasks) {
            if (task.node() == node) {
                return true;
            }
        }
        return false;
    }

    long nodes() {
        return tasks.stream().mapToInt(Task::node).distinct().count();
    }
}
