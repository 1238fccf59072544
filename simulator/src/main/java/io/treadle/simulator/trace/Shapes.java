// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.core.cluster.DeviceView;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.model.SensitivityMatrix;
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
    /** Whether jobs get shares of vcores that all nodes tell. */
    private final boolean sharesVcores;
    /** The most that a node gives, MB/s; 0 where no node tells it. */
    private final long mostMBps;
    /** Whether all nodes with GPUs tell what they give. */
    private final boolean knowsStorage;

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
        List<NodeView> nodes = cluster.partitions().stream()
                .flatMap(partition -> partition.nodes().stream())
                .filter(node -> node.capacity().gpus() > 0)
                .toList();
        sharesVcores = cluster.sharing() == SimCluster.Sharing.CPU_AND_MEMORY
                && nodes.stream().allMatch(node -> node.capacity().vcores() > 0);
        long most = nodes.stream()
                .mapToLong(node -> node.capacity().storageMBps())
                .max()
                .orElse(0);
        mostMBps = cluster.sharedStorageMBps() == 0 ? most : Math.min(most, cluster.sharedStorageMBps());
        knowsStorage = nodes.stream().allMatch(node -> node.capacity().storageMBps() > 0);
    }

    private Shapes() {
        remarks = remark -> {};
        gpusPerNode = MOST_GPUS;
        models = Set.of();
        cardMiB = TOLD_CARD;
        asTold = true;
        sharesVcores = false;
        mostMBps = 0;
        knowsStorage = false;
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

    /** The fewest tasks that are all alike. */
    List<TaskGroup> fewestAlike(long gpus, Set<String> anyOf) {
        long tasks = (gpus + gpusPerNode - 1) / gpusPerNode;
        while (gpus % tasks != 0) {
            tasks++;
        }
        return alike((int) tasks, ResourceVector.of(gpus / tasks, 0, 0), wanted(anyOf));
    }

    /**
     * The same tasks, which ask for so much storage bandwidth together, each in proportion to its GPUs, rounded up. It counts
     * only on a cluster whose nodes tell theirs.
     */
    List<TaskGroup> withStorage(List<TaskGroup> groups, long megabytesPerSecond) {
        if (mostMBps == 0 && !asTold) {
            remarks.accept(Intake.Remark.STORAGE_NOT_TOLD);
            return groups;
        }
        long gpus = groups.stream().mapToLong(g -> g.min() * units(g)).sum();
        return groups.stream()
                .map(group -> new TaskGroup(
                        group.name(),
                        group.min(),
                        group.max(),
                        group.ask().withStorageMBps((megabytesPerSecond * units(group) + gpus - 1) / gpus),
                        group.gpuModels()))
                .toList();
    }

    /** Whole GPUs; tasks that have a part of one each are all alike. */
    private static long units(TaskGroup group) {
        return Math.max(1, group.ask().gpus());
    }

    /** What is known of the speed of a job with these tasks where it runs; empty where nothing of that counts there. */
    Optional<SensitivityMatrix> matrix(Sensitivity sensitivity, double seconds, List<TaskGroup> groups) {
        if (asTold) {
            return Optional.empty();
        }
        if (!sharesVcores) {
            remarks.accept(Intake.Remark.NOT_IN_SHARES);
            return Optional.empty();
        }
        boolean counts = knowsStorage || sensitivity.dataset().isEmpty();
        if (!counts) {
            remarks.accept(Intake.Remark.DATASET_NOT_COUNTED);
        }
        if (!counts && sensitivity.overVcores().isEmpty()) {
            return Optional.empty();
        }
        int tasks = groups.stream().mapToInt(TaskGroup::min).sum();
        return Optional.of(sensitivity.matrix(seconds, tasks, counts ? mostMBps : 0));
    }

    private static TaskGroup group(String name, int tasks, long gpus) {
        return new TaskGroup(name, tasks, tasks, ResourceVector.of(gpus, 0, 0), Set.of());
    }
}
