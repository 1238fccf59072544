// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.job.JobView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Where what is left of CPU, memory and storage bandwidth stays nearest to each node's own proportion to its GPUs, so that
 * no GPU is stranded without cores. A gang goes whole on one node where one takes it, else task by task on nodes with few
 * free GPUs.
 */
public final class Balanced implements Placement {
    /** What a job that cannot grow as it could weighs beside what it leaves out of proportion. */
    private static final double UNMET = 10;
    /** What a gang weighs that must be split. */
    private static final double SPREAD = 1;

    private static final Comparator<Choice> BEST_FIRST = (a, b) -> {
        int byUnmet = Double.compare(a.unmet(), b.unmet());
        return byUnmet != 0 ? byUnmet : Double.compare(a.imbalance(), b.imbalance());
    };

    private final Optional<Wishes> wishes;

    public Balanced() {
        this(Optional.empty());
    }

    private Balanced(Optional<Wishes> wishes) {
        this.wishes = wishes;
    }

    @Override
    public String name() {
        return "balanced";
    }

    @Override
    public Placement towards(Wishes known) {
        return new Balanced(Optional.of(known));
    }

    @Override
    public Optional<List<TaskPlacement>> place(JobView job, List<TaskGroup> tasks, TaskSizer sizer, Ledger ledger) {
        Attempt attempt = new Attempt(job, sizer, ledger);
        for (Choice choice : choices(attempt, ledger, sizer, tasks)) {
            if (attempt.tryAllOn(choice.node(), tasks)) {
                return attempt.result();
            }
        }
        if (tasks.size() == 1) {
            return Optional.empty();
        }
        for (TaskGroup group : tasks) {
            if (!placeOne(attempt, ledger, sizer, group)) {
                return attempt.undo();
            }
        }
        return attempt.result();
    }

    @Override
    public OptionalDouble misfit(JobView job, List<TaskGroup> tasks, TaskSizer sizer, Ledger ledger) {
        Attempt attempt = new Attempt(job, sizer, ledger);
        List<Choice> whole = choices(attempt, ledger, sizer, tasks);
        if (!whole.isEmpty()) {
            return OptionalDouble.of(whole.get(0).misfit());
        }
        List<Choice> first = tasks.size() == 1 ? whole : choices(attempt, ledger, sizer, tasks.subList(0, 1));
        return first.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(SPREAD + first.get(0).misfit());
    }

    /** Of a gang that fits on no node: few free GPUs first, so that others still find whole nodes. */
    private boolean placeOne(Attempt attempt, Ledger ledger, TaskSizer sizer, TaskGroup group) {
        List<Choice> choices = choices(attempt, ledger, sizer, List.of(group));
        choices.sort(
                Comparator.comparingLong(choice -> ledger.free(choice.node()).gpus()));
        for (Choice choice : choices) {
            if (attempt.tryOn(choice.node(), group)) {
                return true;
            }
        }
        return false;
    }

    /**
     * @param unmet how much more of what tasks could use the node has not, each kind as a share of the node
     * @param imbalance how far what is left is from the node's proportion, likewise
     */
    private record Choice(int node, double unmet, double imbalance) {
        double misfit() {
            return UNMET * unmet + imbalance;
        }
    }

    /** Nodes that take all these tasks, the best first; of equals, the one with fewest free GPUs. */
    private List<Choice> choices(Attempt attempt, Ledger ledger, TaskSizer sizer, List<TaskGroup> tasks) {
        FreeGpus nodes = ledger.byFreeGpus();
        List<Choice> choices = new ArrayList<>();
        long gpus = 0;
        for (TaskGroup task : tasks) {
            gpus += task.ask().gpus();
        }
        Map<Integer, Sums> byKind = new HashMap<>();
        for (int node = nodes.first(gpus); node >= 0; node = nodes.after(node)) {
            NodeView view = ledger.node(node);
            Sums sums = byKind.computeIfAbsent(
                    ledger.kind(node),
                    kind -> new Sums(
                            sum(tasks, sizer, view),
                            sum(tasks, wishes.map(Wishes::wish).orElse(sizer), view)));
            if (attempt.allows(node) && sums.size().fitsIn(ledger.free(node))) {
                choices.add(choice(ledger, sums, node));
            }
        }
        choices.sort(BEST_FIRST);
        return choices;
    }

    /**
     * Of all tasks together, on a node of some kind.
     *
     * @param size what they are charged
     * @param wish what they could use
     */
    private record Sums(ResourceVector size, ResourceVector wish) {}

    private Choice choice(Ledger ledger, Sums sums, int node) {
        NodeView view = ledger.node(node);
        ResourceVector capacity = view.available();
        ResourceVector free = ledger.free(node).minus(view.keptFree());
        if (wishes.isPresent()) {
            free = free.minus(wishes.get().beyond(node));
        }
        ResourceVector left = free.minus(sums.wish().max(sums.size()));
        return new Choice(
                node,
                unmet(left, capacity) - unmet(free, capacity),
                imbalance(left.vcores(), capacity.vcores(), left, capacity)
                        + imbalance(left.memoryMiB(), capacity.memoryMiB(), left, capacity)
                        + imbalance(left.storageMBps(), capacity.storageMBps(), left, capacity));
    }

    private static double imbalance(long left, long capacity, ResourceVector all, ResourceVector of) {
        if (capacity == 0) {
            return 0;
        }
        double gpus = of.gpus() == 0 ? 0 : (double) all.gpus() / of.gpus();
        return Math.abs((double) left / capacity - gpus);
    }

    private static double unmet(ResourceVector left, ResourceVector capacity) {
        return unmet(left.vcores(), capacity.vcores())
                + unmet(left.memoryMiB(), capacity.memoryMiB())
                + unmet(left.storageMBps(), capacity.storageMBps());
    }

    private static double unmet(long left, long capacity) {
        return capacity == 0 ? 0 : Math.max(0, -(double) left / capacity);
    }

    private static ResourceVector sum(List<TaskGroup> tasks, TaskSizer sizer, NodeView node) {
        ResourceVector sum = ResourceVector.ZERO;
        for (TaskGroup task : tasks) {
            sum = sum.plus(sizer.size(task, node));
        }
        return sum;
    }
}
