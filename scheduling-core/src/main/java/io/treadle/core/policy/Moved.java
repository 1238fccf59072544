// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

import io.treadle.core.job.JobView;
import io.treadle.core.job.RunningTask;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.TaskPlacement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Jobs as they are once they have moved. */
final class Moved {
    private Moved() {}

    static List<JobView> all(List<JobView> jobs, List<Decision.Move> moves) {
        Map<String, Decision.Move> byId = new HashMap<>();
        moves.forEach(move -> byId.put(move.jobId(), move));
        List<JobView> moved = new ArrayList<>();
        for (JobView job : jobs) {
            Decision.Move move = byId.get(job.id());
            moved.add(move == null ? job : job.withTasks(tasks(job, move)));
        }
        return moved;
    }

    /** A move names all tasks of its job, in their order. */
    private static List<RunningTask> tasks(JobView job, Decision.Move move) {
        List<RunningTask> tasks = new ArrayList<>();
        for (TaskPlacement task : move.tasks()) {
            String id = job.tasks().get(tasks.size()).id();
            tasks.add(new RunningTask(id, task.group(), task.nodeId(), task.size(), task.devices()));
        }
        return tasks;
    }
}
