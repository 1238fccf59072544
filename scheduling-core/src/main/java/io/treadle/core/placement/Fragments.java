// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import io.treadle.core.cluster.DeviceView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How much of the free GPUs of a node the tasks that usually come could not use, and what a task would change in that
 * (Weng et al., Beware of Fragmentation, USENIX ATC 2023, sections 4.2 and 4.3).
 *
 * <p>A typical task loses all free GPUs of a node that does not take it, and of a node that does those GPUs that have
 * less left than it needs. The expectation over the typical tasks counts in thousandths of a GPU. It is summed class by
 * class, in the order of the authors' simulator, so that scores agree with it to the last bit.
 */
final class Fragments {
    /**
     * What a task is worth on a node.
     *
     * @param score percent, rounded down: above 50 where fragments shrink, {@link HighestScore#NONE} where it has no room
     * @param gpu the place among the node's devices of the one whose slice it gets
     */
    record Worth(long score, int gpu) {}

    private static final Worth NO_ROOM = new Worth(HighestScore.NONE, -1);

    /** Why a task cannot use what is free. */
    private enum Lost {
        LACKS_BOTH,
        LACKS_GPUS,
        LACKS_CPU,
        NO_GPU_ASKED,
        NO_GPU_ASKED_LACKS_CPU,
        WRONG_MODEL
    }

    /** What is left on a node, as far as the typical tasks can tell. */
    private record State(int gpus, int cpu, List<Long> freeMiB) {}

    /** What tasks of one shape are worth on each node, and for which state of the node that was found. */
    private static final class Known {
        private final @Nullable Worth[] worth;
        private final long[] changes;
        private final long[] vcores;

        Known(int nodes) {
            worth = new Worth[nodes];
            changes = new long[nodes];
            vcores = new long[nodes];
        }
    }

    private final Ledger ledger;
    private final List<TypicalTasks.Typical> typical;
    /** The CPU that typical tasks ask for, rising: what lies between two steps makes no difference to them. */
    private final long[] cpuSteps;

    private final List<NodeGpus> kinds = new ArrayList<>();
    private final boolean[] alike;
    private final int[] kindOf;
    private final Map<State, Double> lost = new HashMap<>();
    private final Map<TaskShape, Known> known = new HashMap<>();

    Fragments(Ledger ledger, TypicalTasks tasks) {
        this.ledger = ledger;
        typical = tasks.tasks();
        cpuSteps = typical.stream()
                .mapToLong(task -> task.group().ask().vcores())
                .sorted()
                .distinct()
                .toArray();
        Map<NodeGpus, Integer> indexOf = new HashMap<>();
        kindOf = new int[ledger.nodes().size()];
        for (int node = 0; node < kindOf.length; node++) {
            NodeGpus gpus = NodeGpus.of(ledger.node(node));
            kindOf[node] = indexOf.computeIfAbsent(gpus, g -> {
                kinds.add(g);
                return kinds.size() - 1;
            });
        }
        alike = new boolean[kinds.size()];
        for (int kind = 0; kind < alike.length; kind++) {
            alike[kind] = kinds.get(kind).alike();
        }
    }

    /** @param size what the task would hold on the node */
    Worth worth(int node, TaskGroup group, ResourceVector size) {
        Known ofShape = known.computeIfAbsent(
                TaskShape.of(group), shape -> new Known(ledger.nodes().size()));
        @Nullable Worth worth = ofShape.worth[node];
        if (worth == null || ofShape.changes[node] != ledger.changes(node) || ofShape.vcores[node] != size.vcores()) {
            worth = find(node, group, size);
            ofShape.worth[node] = worth;
            ofShape.changes[node] = ledger.changes(node);
            ofShape.vcores[node] = size.vcores();
        }
        return worth;
    }

    private Worth find(int node, TaskGroup group, ResourceVector size) {
        int kind = kindOf[node];
        long[] freeMiB = freeMiB(node);
        long vcores = ledger.free(node).vcores();
        double before = lost(kind, vcores, freeMiB);
        long left = vcores - size.vcores();
        return group.ask().gpuMemoryMiB() > 0
                ? slice(kind, group, before, left, freeMiB)
                : whole(kind, group, before, left, freeMiB);
    }

    private Worth slice(int kind, TaskGroup group, double before, long vcoresLeft, long[] freeMiB) {
        long slice = group.ask().gpuMemoryMiB();
        Worth best = NO_ROOM;
        for (int gpu = 0; gpu < freeMiB.length; gpu++) {
            if (freeMiB[gpu] >= slice && kinds.get(kind).accepts(gpu, group)) {
                freeMiB[gpu] -= slice;
                long score = score(before - lost(kind, vcoresLeft, freeMiB));
                freeMiB[gpu] += slice;
                if (score > best.score()) {
                    best = new Worth(score, gpu);
                }
            }
        }
        return best;
    }

    private Worth whole(int kind, TaskGroup group, double before, long vcoresLeft, long[] freeMiB) {
        NodeGpus gpus = kinds.get(kind);
        long missing = group.ask().gpus();
        for (int gpu = 0; gpu < freeMiB.length && missing > 0; gpu++) {
            if (freeMiB[gpu] == gpus.memoryMiB().get(gpu) && gpus.accepts(gpu, group)) {
                freeMiB[gpu] = 0;
                missing--;
            }
        }
        return missing > 0 ? NO_ROOM : new Worth(score(before - lost(kind, vcoresLeft, freeMiB)), -1);
    }

    /** @param gain thousandths of a GPU that are lost no longer */
    private static long score(double gain) {
        return (long) (1 / (1 + Math.exp(-gain / NodeGpus.PARTS)) * 100);
    }

    private long[] freeMiB(int node) {
        List<DeviceView> devices = ledger.node(node).devices();
        long[] free = new long[kinds.get(kindOf[node]).count()];
        for (int gpu = 0; gpu < free.length; gpu++) {
            if (devices.isEmpty()) {
                free[gpu] = gpu < ledger.free(node).gpus() ? 1 : 0;
            } else {
                free[gpu] =
                        devices.get(gpu).usable() ? Math.max(0, ledger.devices().freeMiB(node, gpu)) : 0;
            }
        }
        return free;
    }

    private double lost(int kind, long vcores, long[] freeMiB) {
        long[] ordered = freeMiB;
        if (alike[kind]) {
            ordered = freeMiB.clone();
            Arrays.sort(ordered);
        }
        int step = Arrays.binarySearch(cpuSteps, vcores);
        State state = new State(
                kind,
                step >= 0 ? step + 1 : -step - 1,
                Arrays.stream(ordered).boxed().toList());
        Double already = lost.get(state);
        if (already == null) {
            already = compute(kinds.get(kind), vcores, ordered);
            lost.put(state, already);
        }
        return already;
    }

    private double compute(NodeGpus gpus, long vcores, long[] freeMiB) {
        double[] parts = new double[freeMiB.length];
        for (int gpu = 0; gpu < parts.length; gpu++) {
            parts[gpu] = gpus.parts(gpu, freeMiB[gpu]);
        }
        double all = sum(parts);
        double[] byReason = new double[Lost.values().length];
        for (TypicalTasks.Typical task : typical) {
            TaskGroup group = task.group();
            boolean enoughCpu = vcores >= group.ask().vcores();
            long missing = Math.max(group.ask().gpus(), group.ask().gpuMemoryMiB() > 0 ? 1 : 0);
            if (missing == 0) {
                Lost reason = enoughCpu ? Lost.NO_GPU_ASKED : Lost.NO_GPU_ASKED_LACKS_CPU;
                byReason[reason.ordinal()] += task.share() * all;
                continue;
            }
            boolean anyAccepted = freeMiB.length == 0;
            double tooSmall = 0;
            for (int gpu = 0; gpu < freeMiB.length; gpu++) {
                boolean accepted = gpus.accepts(gpu, group);
                anyAccepted |= accepted;
                if (accepted && freeMiB[gpu] >= gpus.need(gpu, group)) {
                    missing--;
                } else {
                    tooSmall += parts[gpu];
                }
            }
            boolean fits = missing <= 0 && enoughCpu;
            byReason[reason(anyAccepted, missing <= 0, enoughCpu).ordinal()] += task.share() * (fits ? tooSmall : all);
        }
        return sum(byReason);
    }

    /** One by one: streams of doubles are summed in another way, and the last bit can decide between two nodes. */
    private static double sum(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum;
    }

    /** A task that fits lacks those GPUs that have too little left. */
    private static Lost reason(boolean anyAccepted, boolean enoughGpus, boolean enoughCpu) {
        if (!anyAccepted) {
            return Lost.WRONG_MODEL;
        }
        if (enoughCpu) {
            return Lost.LACKS_GPUS;
        }
        return enoughGpus ? Lost.LACKS_CPU : Lost.LACKS_BOTH;
    }
}
