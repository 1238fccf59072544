// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.core.cluster.DeviceView;
import io.treadle.core.job.TaskGroup;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.trace.TraceJob;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What jobs that name models of GPUs ask of the cards of these.
 *
 * @param models those that they accept, {@code A10} or {@code V100M16|V100M32}
 * @param gpus cards of these models
 * @param jobs that accept these and no other
 * @param load GPU-seconds of those that end over what these cards do between the first submission and the last of the
 *     trace, each card counted as its speed; 0 where none ends
 * @param open GPUs of those that never end over the cards
 */
public record ModelLoad(String models, long gpus, int jobs, double load, double open) {
    private static final class Sum {
        private int jobs;
        private double gpuSeconds;
        private double openGpus;
    }

    /** One for each set of models that jobs name, in the order in which they come up; none where no job names a model. */
    static List<ModelLoad> of(SimCluster cluster, CardSpeeds speeds, Collection<TraceJob> jobs, double spanSeconds) {
        Map<Set<String>, Sum> sums = new LinkedHashMap<>();
        List<DeviceView> cards = cluster.partitions().stream()
                .flatMap(partition -> partition.nodes().stream())
                .flatMap(node -> node.devices().stream())
                .toList();
        long cardMiB = cards.stream().mapToLong(DeviceView::memoryMiB).max().orElse(1);
        for (TraceJob job : jobs) {
            if (!namesModels(job)) {
                continue;
            }
            Set<Set<String>> named = job.groups().stream()
                    .map(TaskGroup::gpuModels)
                    .filter(models -> !models.isEmpty())
                    .collect(Collectors.toSet());
            named.forEach(models -> sums.computeIfAbsent(models, key -> new Sum()).jobs++);
            for (TaskGroup group : job.groups()) {
                Sum sum = sums.get(group.gpuModels());
                if (sum != null) {
                    double gpus = group.min()
                            * (group.ask().gpus() + (double) group.ask().gpuMemoryMiB() / cardMiB);
                    if (job.work().ends()) {
                        sum.gpuSeconds += gpus * job.work().seconds();
                    } else {
                        sum.openGpus += gpus;
                    }
                }
            }
        }
        return sums.entrySet().stream()
                .map(entry -> {
                    List<DeviceView> accepted = cards.stream()
                            .filter(card -> entry.getKey().contains(card.model()))
                            .toList();
                    double fast = accepted.stream()
                            .mapToDouble(card -> speeds.of(card.model()))
                            .sum();
                    Sum sum = entry.getValue();
                    return new ModelLoad(
                            String.join("|", new TreeSet<>(entry.getKey())),
                            accepted.size(),
                            sum.jobs,
                            sum.gpuSeconds == 0 ? 0 : sum.gpuSeconds / (fast * spanSeconds),
                            sum.openGpus == 0 ? 0 : sum.openGpus / accepted.size());
                })
                .toList();
    }

    /** Without a stream: most traces have none among a million jobs. */
    private static boolean namesModels(TraceJob job) {
        for (TaskGroup group : job.groups()) {
            if (!group.gpuModels().isEmpty()) {
                return true;
            }
        }
        return false;
    }
}
