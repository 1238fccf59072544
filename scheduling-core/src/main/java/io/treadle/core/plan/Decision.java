// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.plan;

import io.treadle.core.explain.Reason;
import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.Map;

/** What is to happen with one job. */
public sealed interface Decision {
    String jobId();

    Reason reason();

    /** New sizes of tasks that run already, by task id; a task that is not named keeps its size. */
    default Map<String, ResourceVector> sizes() {
        return Map.of();
    }

    /**
     * Start these tasks, all of them or none.
     *
     * @param sizes by task id, for tasks of the job that run already
     */
    record Run(String jobId, List<TaskPlacement> tasks, Map<String, ResourceVector> sizes, Reason reason)
            implements Decision {
        public Run {
            tasks = List.copyOf(tasks);
            sizes = Map.copyOf(sizes);
        }
    }

    /**
     * Go on running, each task at the size named.
     *
     * @param sizes by task id
     */
    record Resize(String jobId, Map<String, ResourceVector> sizes, Reason reason) implements Decision {
        public Resize {
            sizes = Map.copyOf(sizes);
        }
    }

    /**
     * Go on running with these tasks in place of those that it has, at the cost of starting them there.
     *
     * @param tasks all of its tasks
     */
    record Move(String jobId, List<TaskPlacement> tasks, Reason reason) implements Decision {
        public Move {
            tasks = List.copyOf(tasks);
        }
    }

    /** Stop running, and wait. */
    record Stop(String jobId, Reason reason) implements Decision {}

    /** Wait, holding nothing. */
    record Wait(String jobId, Reason reason) implements Decision {}
}
