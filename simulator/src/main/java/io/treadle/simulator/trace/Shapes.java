// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.core.job.TaskGroup;
import io.treadle.core.resource.ResourceVector;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Turns a number of GPUs into task groups; jobs of one shape share them. */
final class Shapes {
    private final Map<Long, List<TaskGroup>> known = new HashMap<>();
    private final long gpusPerNode;

    /** @param gpusPerNode GPUs of a whole node: what a larger job is made of */
    Shapes(long gpusPerNode) {
        this.gpusPerNode = gpusPerNode;
    }

    /** One task where a node is enough; else whole nodes and, last, what is left. */
    List<TaskGroup> onFewestNodes(long gpus) {
        return known.computeIfAbsent(gpus, this::split);
    }

    private List<TaskGroup> split(long gpus) {
        if (gpus <= gpusPerNode) {
            return List.of(group("worker", 1, gpus));
        }
        TaskGroup whole = group("worker", (int) (gpus / gpusPerNode), gpusPerNode);
        long rest = gpus % gpusPerNode;
        return rest == 0 ? List.of(whole) : List.of(whole, group("rest", 1, rest));
    }

    /** Tasks of one GPU each. */
    static List<TaskGroup> ofSingleGpus(int gpus) {
        return List.of(group("worker", gpus, 1));
    }

    private static TaskGroup group(String name, int tasks, long gpus) {
        return new TaskGroup(name, tasks, tasks, ResourceVector.of(gpus, 0, 0), Set.of());
    }
}
