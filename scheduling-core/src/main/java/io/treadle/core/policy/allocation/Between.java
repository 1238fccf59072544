// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import io.treadle.core.job.JobView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.model.SensitivityMatrix;
import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.Optional;

/** Sizes of a running job between its share and its demand. */
final class Between {
    private final Round round;

    Between(Round round) {
        this.round = round;
    }

    /**
     * Gives the job the largest for which its nodes have room, in place, where that makes it faster; false, and nothing
     * changed, if it does not.
     */
    boolean tryGrow(JobView job) {
        Optional<Grant> floor = round.floor(job);
        if (job.profile().isEmpty() || floor.isEmpty() || !Round.missing(job).isEmpty()) {
            return false;
        }
        for (TaskGroup group : job.groups()) {
            List<Grant.Task> tasks = floor.get().tasks().stream()
                    .filter(t -> t.isOf(group) && group.ask().gpus() > 0)
                    .toList();
            long least = tasks.stream().mapToLong(t -> t.size().vcores()).max().orElse(0);
            long vcores = mostUseful(job.profile().get(), tasks, floor.get());
            if (vcores > least) {
                return round.tryInPlace(
                        job,
                        (g, node) -> {
                            ResourceVector size = round.sizes().fallback(job, g, node);
                            return g.equals(group) ? size.withVcores(vcores) : size;
                        },
                        Grant.Level.BETWEEN);
            }
        }
        return false;
    }

    /** The least vcores at which tasks are as fast as with all for which there is room. */
    private long mostUseful(SensitivityMatrix speed, List<Grant.Task> tasks, Grant floor) {
        long most = tasks.stream().mapToLong(t -> mostVcores(t, floor)).min().orElse(0);
        long memory = tasks.stream().mapToLong(t -> t.size().memoryMiB()).min().orElse(0);
        return speed.leastVcores(Math.min(most, round.sizes().largestTask().vcores()), memory);
    }

    /** What a task could have at most if the room of its node were split evenly among the job's tasks there. */
    private long mostVcores(Grant.Task task, Grant job) {
        long here = job.tasks().stream().filter(t -> t.node() == task.node()).count();
        ResourceVector more = task.size().withVcores(task.size().vcores() + 1);
        long room = round.ledger()
                .room(job.job().id(), task.node(), more, task.size())
                .vcores();
        return task.size().vcores() + Math.max(0, room) / here;
    }
}
