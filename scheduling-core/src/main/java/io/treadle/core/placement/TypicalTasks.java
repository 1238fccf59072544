// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import io.treadle.core.job.TaskGroup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The shapes of task that make up most of what comes, and how often each does: the typical pods of FGD (Weng et al.,
 * USENIX ATC 2023, section 4.1), as its published experiments choose them.
 */
public final class TypicalTasks {
    /** Shapes are taken, the most frequent first, until they make up as much of all tasks. */
    private static final double COVERED = .95;

    /**
     * A shape and how often it comes.
     *
     * @param group a group of such tasks
     * @param share of all typical tasks, 0 to 1
     */
    record Typical(TaskGroup group, double share) {}

    private static final class Count {
        private final TaskGroup group;
        private long tasks;

        Count(TaskGroup group) {
            this.group = group;
        }
    }

    private final List<Typical> tasks;

    private TypicalTasks(List<Typical> tasks) {
        this.tasks = tasks;
    }

    /** @param groups of what comes; each counts with the tasks without which its job does not start */
    public static TypicalTasks of(Stream<TaskGroup> groups) {
        Map<TaskShape, Count> counts = new HashMap<>();
        groups.forEach(
                group -> counts.computeIfAbsent(TaskShape.of(group), shape -> new Count(group)).tasks += group.min());
        Comparator<Map.Entry<TaskShape, Count>> byCount = Comparator.comparingLong(entry -> entry.getValue().tasks);
        List<Count> mostFirst = counts.entrySet().stream()
                .sorted(byCount.thenComparing(Map.Entry.comparingByKey()).reversed())
                .map(Map.Entry::getValue)
                .toList();
        long total = mostFirst.stream().mapToLong(count -> count.tasks).sum();
        List<Count> taken = new ArrayList<>();
        long covered = 0;
        for (int i = 0; i < mostFirst.size() && covered < COVERED * total; i++) {
            taken.add(mostFirst.get(i));
            covered += mostFirst.get(i).tasks;
        }
        double coveredShare = (double) covered / total;
        return new TypicalTasks(taken.stream()
                .map(count -> new Typical(count.group, (double) count.tasks / total / coveredShare))
                .toList());
    }

    /** The most frequent first. */
    List<Typical> tasks() {
        return tasks;
    }
}
