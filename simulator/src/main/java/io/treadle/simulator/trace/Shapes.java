// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.core.cluster.DeviceView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.cluster.Partition;
import io.treadle.simulator.cluster.SimCluster;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Turns what a trace says of a job's size into task groups for a cluster; jobs of one shape share them. */
final class Shapes {
    /** More would be no cluster that is known, and too many tasks to place. */
    static final long MOST_GPUS = 1_000_000;

    /** Parts of a card of which a task of {@link #asTold} asks for some. */
    static final long TOLD_CARD = 1_000_000;

    private record Size(int tasks, int most, ResourceVector ask, Set<String> models) {}

    private final Map<Long, List<TaskGroup>> fewest = new HashMap<>();
    private final Map<Size, List<TaskGroup>> alike = new HashMap<>();
    private final Consumer<Intake.Remark> remarks;
    private final long gpusPerNode;
    /** Of the cluster's cards; empty where nobody knows. */
    private final Set<String> models;
    /** MiB of each card where all have as much; 0 where they differ or nobody knows. */
    private final long cardMiB;

    private final boolean asTold;

    Shapes(SimCluster cluster, Consumer<Intake.Remark> remarks) {
        this.remarks = remarks;
        gpusPerNode = Math.max(
                1,
                cluster.partitions().stream()
                        .mapToLong(Partition::mostGpusOnANode)
                        .max()
                        .orElse(0));
        List<DeviceView> cards = cluster.partitions().stream()
                .flatMap(partition -> partition.nodes().stream())
                .flatMap(node -> node.devices().stream())
                .toList();
        models = cards.stream()
                .map(DeviceView::model)
                .filter(model -> !model.isEmpty())
                .collect(Collectors.toSet());
        Set<Long> memories = cards.stream().map(DeviceView::memoryMiB).collect(Collectors.toSet());
        cardMiB = memories.size() == 1 ? memories.iterator().next() : 0;
        asTold = false;
    }

    private Shapes() {
        remarks = remark -> {};
        gpusPerNode = MOST_GPUS;
        models = Set.of();
        cardMiB = TOLD_CARD;
        asTold = true;
    }

    /** What the trace says itself, whatever the cluster: one task where it says no number, and every model. */
    static Shapes asTold() {
        return new Shapes();
    }

    /** One task where a node is enough; else whole nodes and, last, what is left. */
    List<TaskGroup> onFewestNodes(long gpus) {
        return fewest.computeIfAbsent(gpus, this::split);
    }

    private List<TaskGroup> split(long gpus) {
        if (gpus <= gpusPerNode) {
            return List.of(group("worker", 1, gpus));
        }
        TaskGroup whole = group("worker", (int) (gpus / gpusPerNode), gpusPerNode);
        long rest = gpus % gpusPerNode;
        return rest == 0 ? List.of(whole) : List.of(whole, group("rest", 1, rest));
    }

    /**
     * On as many nodes as the job was given, each with the same number of GPUs, rounded up; on the fewest where the
     * cluster's nodes have not so many.
     */
    List<TaskGroup> onNodes(long nodes, long gpus) {
        long each = (gpus + nodes - 1) / nodes;
        return each > gpusPerNode ? onFewestNodes(gpus) : alike((int) nodes, ResourceVector.of(each, 0, 0), Set.of());
    }

    /**
     * From {@code least} to {@code most} tasks of so many GPUs each, of any of some models; none for all.
     *
     * @return empty where no node has so many
     */
    Optional<List<TaskGroup>> elastic(int least, int most, long gpus, Set<String> anyOf) {
        return gpus > gpusPerNode
                ? Optional.empty()
                : Optional.of(alike(least, most, ResourceVector.of(gpus, 0, 0), wanted(anyOf)));
    }

    /** As {@link #tasks(int, double, Set)}; on the fewest nodes where no node has as many GPUs as a task wants. */
    List<TaskGroup> tasksOrFewest(int tasks, double gpus, Set<String> anyOf) {
        return gpus > gpusPerNode ? onFewestNodes(tasks * (long) gpus) : tasks(tasks, gpus, anyOf);
    }

    /** Tasks of one GPU each. */
    List<TaskGroup> ofSingleGpus(int gpus) {
        return alike(gpus, ResourceVector.of(1, 0, 0), Set.of());
    }

    /**
     * Tasks of so many GPUs each, or of a part of one where the cluster knows how much memory that is.
     *
     * @param model the GPU's model; empty for any. It counts only on a cluster that names its cards' models
     */
    List<TaskGroup> tasks(int tasks, double gpus, String model) {
        return tasks(tasks, gpus, model.isEmpty() ? Set.of() : Set.of(model));
    }

    /** As {@link #tasks(int, double, String)}, where any of some models will do; none for all. */
    List<TaskGroup> tasks(int tasks, double gpus, Set<String> anyOf) {
        Set<String> wanted = wanted(anyOf);
        ResourceVector ask = ResourceVector.of((long) Math.ceil(gpus), 0, 0);
        if (gpus < 1) {
            if (cardMiB > 0) {
                ask = ResourceVector.ZERO.withGpuMemoryMiB(Math.max(1, Math.round(gpus * cardMiB)));
            } else {
                remarks.accept(Intake.Remark.WHOLE_FOR_PART);
            }
        }
        return alike(tasks, ask, wanted);
    }

    private Set<String> wanted(Set<String> anyOf) {
        Set<String> wanted = models.isEmpty() && !asTold ? Set.of() : anyOf;
        if (!wanted.isEmpty() && !asTold && java.util.Collections.disjoint(models, wanted)) {
            remarks.accept(Intake.Remark.NO_SUCH_MODEL);
        }
        return wanted;
    }

    private List<TaskGroup> alike(int tasks, ResourceVector ask, Set<String> wanted) {
        return alike(tasks, tasks, ask, wanted);
    }

    private List<TaskGroup> alike(int least, int most, ResourceVector ask, Set<String> wanted) {
        return alike.computeIfAbsent(
                new Size(least, most, ask, wanted), size -> List.of(new TaskGroup("worker", least, most, ask, wanted)));
    }

    private static TaskGroup group(String name, int tasks, long gpus) {
        return new TaskGroup(name, tasks, tasks, ResourceVector.of(gpus, 0, 0), Set.of());
    }
}
