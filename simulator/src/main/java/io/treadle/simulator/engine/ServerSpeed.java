// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.core.job.TaskGroup;
import io.treadle.core.model.ps.LayeredPsModel;
import io.treadle.core.model.ps.PsSize;
import io.treadle.core.plan.TaskPlacement;
import java.util.List;

/** How much faster than with the tasks that it needs a job is that trains on workers and parameter servers. */
final class ServerSpeed {
    private final LayeredPsModel model;
    private final double needed;

    ServerSpeed(LayeredPsModel model, List<TaskGroup> groups) {
        this.model = model;
        this.needed = model.samplesPerSecond(least(groups, "worker"), least(groups, "ps"));
    }

    private static int least(List<TaskGroup> groups, String name) {
        return groups.stream()
                .filter(group -> group.name().equals(name))
                .mapToInt(TaskGroup::min)
                .findFirst()
                .orElse(1);
    }

    double of(List<TaskPlacement> tasks) {
        PsSize size = size(tasks);
        return model.samplesPerSecond(size.workers(), size.servers()) / needed;
    }

    static PsSize size(List<TaskPlacement> tasks) {
        return new PsSize(Math.max(1, count(tasks, "worker")), Math.max(1, count(tasks, "ps")));
    }

    private static int count(List<TaskPlacement> tasks, String group) {
        return (int) tasks.stream().filter(task -> task.group().equals(group)).count();
    }
}
