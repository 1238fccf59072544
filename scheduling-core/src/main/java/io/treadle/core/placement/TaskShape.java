// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import io.treadle.core.job.TaskGroup;
import java.util.Comparator;
import java.util.TreeSet;

/**
 * What counts of a task for fragments.
 *
 * @param vcores CPU that it asks for
 * @param gpus whole GPUs
 * @param sliceMiB memory of the slice of a GPU; 0 where none is asked for
 * @param models the GPU models that will do, joined by {@code |}; empty for any
 */
record TaskShape(long vcores, long gpus, long sliceMiB, String models) implements Comparable<TaskShape> {
    private static final Comparator<TaskShape> BY_SIZE = Comparator.comparingLong(TaskShape::vcores)
            .thenComparingLong(shape -> shape.gpus() > 0 ? Long.MAX_VALUE : shape.sliceMiB())
            .thenComparingLong(TaskShape::gpus)
            .thenComparing(TaskShape::models);

    static TaskShape of(TaskGroup group) {
        return new TaskShape(
                group.ask().vcores(),
                group.ask().gpus(),
                group.ask().gpuMemoryMiB(),
                group.gpuModels().isEmpty() ? "" : String.join("|", new TreeSet<>(group.gpuModels())));
    }

    @Override
    public int compareTo(TaskShape other) {
        return BY_SIZE.compare(this, other);
    }
}
