// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.job.JobView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Where what is left of CPU, memory and storage bandwidth stays nearest to each node's own proportion to its GPUs, so that
 * no GPU is stranded without cores, and few GPUs stay free beside the job, so that gangs find whole nodes. A gang goes
 * whole on one node where one takes it, else on few. It is spread too where its tasks can then grow as they could, and that
 * is worth more to it than what the network between them costs ({@link Ledger#crossing}).
 */
public final class Balanced implements Placement {
    /** What a job that cannot grow as it could weighs beside what it leaves out of proportion. */
    private static final double UNMET = 10;
    /** What free GPUs of a node weigh that a gang could have had whole, as a share of the node. */
    private static final double OPENED = 1;
    /** What a gang weighs that must be split. */
    private static final double SPREAD = 1;

    /** Of equals, those with fewest free GPUs. */
    private static final Comparator<Choice> BEST_FIRST = (a, b) -> {
        int byUnmet = Double.compare(a.unmet(), b.unmet());
        int byImbalance = byUnmet != 0 ? byUnmet : Double.compare(a.imbalance(), b.imbalance());
        int byGpus = byImbalance != 0 ? byImbalance : Long.compare(a.gpus(), b.gpus());
        return byGpus != 0
                ? byGpus
                : Integer.compare(
                        a.nodes().iterator().next(), b.nodes().iterator().next());
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
        boolean isPlaced = tryWhole(attempt, ledger, sizer, tasks)
                || (tasks.size() > 1 && trySplit(attempt, ledger, sizer, tasks));
        if (!isPlaced) {
            return attempt.undo();
        }
        // What it lost goes where the rest of it may be near: where that is, is not looked at here.
        if (tasks.size() > 1 && !job.running() && wishes.isPresent()) {
            spreadIfFaster(attempt, ledger, sizer, tasks, wishes.get());
        }
        return attempt.result();
    }

    /** Moves what was just placed to nodes where each task has all that it could use, if it is faster there. */
    private void spreadIfFaster(Attempt attempt, Ledger ledger, TaskSizer sizer, List<TaskGroup> tasks, Wishes known) {
        GangSpeed speeds = new GangSpeed(known, ledger);
        List<TaskPlacement> few = attempt.placed();
        double here = speeds.of(attempt.jobId(), tasks, few);
        if (speeds.most(tasks, few) / ledger.crossing().times(1, 2) <= here) {
            return;
        }
        attempt.undo();
        if (!tryUnmetNowhere(attempt, ledger, sizer, tasks)
                || speeds.of(attempt.jobId(), tasks, attempt.placed()) <= here) {
            attempt.undo();
            attempt.take(few);
        }
    }

    private boolean tryWhole(Attempt attempt, Ledger ledger, TaskSizer sizer, List<TaskGroup> tasks) {
        List<Choice> choices = choices(ledger, sizer, tasks);
        choices.sort(BEST_FIRST);
        for (Choice choice : choices) {
            for (int node : choice.nodes()) {
                if (attempt.tryAllOn(node, tasks)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** As few nodes as give each task all that it could use; none where that does not go. */
    private boolean tryUnmetNowhere(Attempt attempt, Ledger ledger, TaskSizer sizer, List<TaskGroup> tasks) {
        List<TaskGroup> rest = tasks;
        Set<Integer> used = new HashSet<>();
        int count = atMost(ledger, tasks);
        while (!rest.isEmpty() && count > 0) {
            int placed = fillUnmet(attempt, ledger, sizer, rest, Math.min(count, rest.size()), used);
            rest = rest.subList(placed, rest.size());
            // As many as there was no node for are not to be had again.
            count = placed == 0 ? Math.min(count, rest.size()) - 1 : count;
        }
        return rest.isEmpty();
    }

    /** How many of the tasks a node can take, by its free GPUs alone. */
    private static int atMost(Ledger ledger, List<TaskGroup> tasks) {
        long gpus = tasks.get(0).ask().gpus();
        int freest = ledger.byFreeGpus().freest();
        return gpus == 0 || freest < 0
                ? tasks.size()
                : (int) Math.min(tasks.size(), ledger.free(freest).gpus() / gpus);
    }

    /**
     * As many of the tasks on each node as are alike those at its front, while there is a node that has all that they
     * could use.
     *
     * @param count of tasks on a node
     * @param used nodes, of which none is used again: what was placed there still wishes for more
     * @return how many of the tasks, from the first on, were placed
     */
    private int fillUnmet(
            Attempt attempt, Ledger ledger, TaskSizer sizer, List<TaskGroup> tasks, int count, Set<Integer> used) {
        List<TaskGroup> front = tasks.subList(0, count);
        List<Choice> choices = choices(ledger, sizer, front);
        choices.removeIf(choice -> choice.unmet() > 0);
        choices.sort(BEST_FIRST);
        int placed = 0;
        for (Choice choice : choices) {
            for (int node : choice.nodes()) {
                if (placed + count > tasks.size()
                        || !tasks.subList(placed, placed + count).equals(front)) {
                    return placed;
                }
                if (!used.contains(node) && attempt.tryAllOn(node, front)) {
                    used.add(node);
                    placed += count;
                }
            }
        }
        return placed;
    }

    /** Few nodes: as many tasks as it takes on the one with most free GPUs, until one takes all the rest. */
    private boolean trySplit(Attempt attempt, Ledger ledger, TaskSizer sizer, List<TaskGroup> tasks) {
        List<TaskGroup> rest = tasks;
        do {
            List<TaskGroup> left = rest.subList(fill(attempt, ledger, sizer, rest), rest.size());
            if (left.size() == rest.size()) {
                return false;
            }
            rest = left;
        } while (!rest.isEmpty() && !tryWhole(attempt, ledger, sizer, rest));
        return true;
    }

    /** @return how many of the tasks, from the first on, were placed on one node */
    private int fill(Attempt attempt, Ledger ledger, TaskSizer sizer, List<TaskGroup> tasks) {
        List<Choice> choices = choices(ledger, sizer, tasks.subList(0, 1));
        choices.sort(Comparator.comparingLong(Choice::gpus).reversed().thenComparing(BEST_FIRST));
        for (Choice choice : choices) {
            for (int node : choice.nodes()) {
                int placed = 0;
                while (placed < tasks.size() && attempt.tryOn(node, tasks.get(placed))) {
                    placed++;
                }
                if (placed > 0) {
                    return placed;
                }
            }
        }
        return 0;
    }

    @Override
    public OptionalDouble misfit(JobView job, List<TaskGroup> tasks, TaskSizer sizer, Ledger ledger) {
        Attempt attempt = new Attempt(job, sizer, ledger);
        Optional<Choice> whole = best(choices(ledger, sizer, tasks), attempt);
        // Nothing fits better spread than what fits as well whole.
        if (tasks.size() == 1
                || (whole.isPresent()
                        && (whole.get().unmet() <= 0 || whole.get().misfit() <= SPREAD))) {
            return whole.isPresent() ? OptionalDouble.of(whole.get().misfit()) : OptionalDouble.empty();
        }
        Optional<Choice> first = best(choices(ledger, sizer, tasks.subList(0, 1)), attempt);
        double alone = whole.map(Choice::misfit).orElse(Double.MAX_VALUE);
        return first.isPresent()
                ? OptionalDouble.of(Math.min(alone, SPREAD + first.get().misfit()))
                : OptionalDouble.empty();
    }

    private static Optional<Choice> best(List<Choice> choices, Attempt attempt) {
        Optional<Choice> best = Optional.empty();
        for (Choice choice : choices) {
            boolean isBetter = best.isEmpty() || BEST_FIRST.compare(choice, best.get()) < 0;
            if (isBetter && choice.nodes().stream().anyMatch(attempt::allows)) {
                best = Optional.of(choice);
            }
        }
        return best;
    }

    /**
     * Nodes between which there is nothing to choose.
     *
     * @param gpus that are free on each
     * @param unmet how much more of what tasks could use the node has not, each kind as a share of the node
     * @param imbalance how far what is left is from the node's proportion, and how many GPUs stay free, likewise
     */
    private record Choice(Collection<Integer> nodes, long gpus, double unmet, double imbalance) {
        double misfit() {
            return UNMET * unmet + imbalance;
        }
    }

    /** Nodes with room for all these tasks. */
    private List<Choice> choices(Ledger ledger, TaskSizer sizer, List<TaskGroup> tasks) {
        long gpus = 0;
        for (TaskGroup task : tasks) {
            gpus += task.ask().gpus();
        }
        Map<Integer, Sums> byKind = new HashMap<>();
        List<Choice> choices = new ArrayList<>();
        if (wishes.isPresent() && gpus > 0) {
            for (Map<?, ? extends Collection<Integer>> level :
                    wishes.get().nodes().withFreeGpus(gpus)) {
                level.values().forEach(alike -> choose(ledger, byKind, sizer, tasks, alike, choices));
            }
        } else {
            FreeGpus nodes = ledger.byFreeGpus();
            for (int node = nodes.first(gpus); node >= 0; node = nodes.after(node)) {
                choose(ledger, byKind, sizer, tasks, List.of(node), choices);
            }
        }
        return choices;
    }

    private void choose(
            Ledger ledger,
            Map<Integer, Sums> byKind,
            TaskSizer sizer,
            List<TaskGroup> tasks,
            Collection<Integer> nodes,
            List<Choice> choices) {
        int node = nodes.iterator().next();
        Sums sums = byKind.get(ledger.kind(node));
        if (sums == null) {
            NodeView view = ledger.node(node);
            sums = new Sums(
                    sum(tasks, sizer, view), sum(tasks, wishes.map(Wishes::wish).orElse(sizer), view));
            byKind.put(ledger.kind(node), sums);
        }
        if (sums.size().fitsIn(ledger.free(node))) {
            choices.add(choice(ledger, sums, node, nodes));
        }
    }

    /**
     * Of all tasks together, on a node of some kind.
     *
     * @param size what they are charged
     * @param wish what they could use
     */
    private record Sums(ResourceVector size, ResourceVector wish) {}

    private Choice choice(Ledger ledger, Sums sums, int node, Collection<Integer> nodes) {
        NodeView view = ledger.node(node);
        ResourceVector capacity = view.available();
        ResourceVector free = ledger.free(node).minus(view.keptFree());
        if (wishes.isPresent()) {
            free = free.minus(wishes.get().nodes().beyond(node));
        }
        ResourceVector left = free.minus(sums.wish().max(sums.size()));
        return new Choice(
                nodes,
                ledger.free(node).gpus(),
                unmet(left, capacity) - unmet(free, capacity),
                OPENED * freeGpus(left, capacity)
                        + imbalance(left.vcores(), capacity.vcores(), left, capacity)
                        + imbalance(left.memoryMiB(), capacity.memoryMiB(), left, capacity)
                        + imbalance(left.storageMBps(), capacity.storageMBps(), left, capacity));
    }

    private static double imbalance(long left, long capacity, ResourceVector all, ResourceVector of) {
        if (capacity == 0) {
            return 0;
        }
        return Math.abs((double) left / capacity - freeGpus(all, of));
    }

    private static double freeGpus(ResourceVector left, ResourceVector of) {
        return of.gpus() == 0 ? 0 : (double) left.gpus() / of.gpus();
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
