// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import io.treadle.core.explain.Reason;
import io.treadle.core.job.JobView;
import io.treadle.core.job.RunningTask;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.placement.Ledger;
import io.treadle.core.placement.Placement;
import io.treadle.core.placement.TaskSizer;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Moves small jobs to where they fit tighter, as AnalySIM's public predecessor does: jobs that run are gone through in the
 * order of their number of nodes, then of their GPUs on a node; one with fewer than {@value #MOST_GPUS} on each is placed
 * as if it did not run, and goes there if that lowers its index: first racks, then nodes of those racks on which nothing
 * else runs, then nodes, then the GPUs that are free on those nodes; and only where it gets no less of anything. One that ends before it would have made up for the move stays.
 */
final class Migration {
    /** A job with as many GPUs on a node stays. */
    private static final long MOST_GPUS = 4;

    private static final Comparator<Index> BETTER = Comparator.comparingInt(Index::racks)
            .thenComparingLong(Index::freeNodes)
            .thenComparingInt(Index::nodes)
            .thenComparingLong(Index::freeGpus);

    private final Ledger ledger;
    private final Placement placement;
    private final TaskSizer sizer;
    private final long nowMs;
    private final double moveSeconds;

    /** Of a place, the job that is in it not counted. */
    private record Index(int racks, long freeNodes, int nodes, long freeGpus) {}

    private record Candidate(Grant grant, int nodes, long gpus) {}

    /** @param moveSeconds what a move costs a job, s at its share */
    Migration(Ledger ledger, Placement placement, TaskSizer sizer, long nowMs, double moveSeconds) {
        this.ledger = ledger;
        this.placement = placement;
        this.sizer = sizer;
        this.nowMs = nowMs;
        this.moveSeconds = moveSeconds;
    }

    /**
     * Moves jobs in the ledger.
     *
     * @param running those that run, in the order in which they started
     * @return what is to be done, in this order
     */
    List<Decision.Move> moves(Iterable<Grant> running) {
        List<Candidate> candidates = new ArrayList<>();
        for (Grant grant : running) {
            Map<Integer, Long> gpus = gpusByNode(grant);
            long most = gpus.values().stream().mapToLong(g -> g).max().orElse(0);
            if (most > 0 && most < MOST_GPUS) {
                candidates.add(new Candidate(grant, gpus.size(), most));
            }
        }
        candidates.sort(Comparator.comparingInt(Candidate::nodes).thenComparingLong(Candidate::gpus));
        List<Decision.Move> moves = new ArrayList<>();
        for (Candidate candidate : candidates) {
            tryMove(candidate.grant(), moves);
        }
        return moves;
    }

    private static Map<Integer, Long> gpusByNode(Grant grant) {
        Map<Integer, Long> gpus = new HashMap<>();
        grant.tasks().forEach(task -> gpus.merge(task.node(), task.size().gpus(), Long::sum));
        return gpus;
    }

    private void tryMove(Grant grant, List<Decision.Move> moves) {
        if (isTight(grant) || endsSoon(grant.job()) || grewApart(grant)) {
            return;
        }
        JobView job = grant.job();
        List<TaskGroup> tasks = grant.tasks().stream().map(Grant.Task::group).toList();
        grant.tasks().forEach(task -> ledger.giveBack(job.id(), task.node(), task.size(), task.devices()));
        List<Integer> from = grant.tasks().stream().map(Grant.Task::node).toList();
        List<TaskPlacement> placed = placement.place(job, tasks, sizer, ledger).orElse(List.of());
        if (!placed.isEmpty()) {
            List<Integer> to = placed.stream()
                    .map(task -> ledger.indexOf(task.nodeId()).orElseThrow())
                    .toList();
            placed.forEach(task -> ledger.giveBack(job.id(), nodeOf(task), task.size(), task.devices()));
            Set<Integer> racksBefore = racks(from);
            Set<Integer> racksAfter = racks(to);
            // Where they are the same, so is the number of their free nodes.
            boolean sameRacks = racksBefore.equals(racksAfter);
            Index before = index(from, racksBefore, sameRacks);
            Index after = index(to, racksAfter, sameRacks);
            if (BETTER.compare(after, before) < 0 && !hasLess(grant, placed)) {
                placed.forEach(task -> ledger.take(job.id(), nodeOf(task), task.size(), task.devices()));
                Reason reason = new Reason.Moves(names(from), before.freeGpus(), names(to), after.freeGpus());
                moves.add(new Decision.Move(job.id(), placed, reason));
                return;
            }
        }
        grant.tasks().forEach(task -> ledger.take(job.id(), task.node(), task.size(), task.devices()));
    }

    /** Whether a task would have less there than it has here: moves are not to make jobs slower. */
    private static boolean hasLess(Grant here, List<TaskPlacement> there) {
        for (int i = 0; i < there.size(); i++) {
            if (!here.tasks().get(i).size().fitsIn(there.get(i).size())) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether what it holds is free soon anyway: a move costs the job's GPUs for as long as it takes, and all that it can
     * bring is the better use of its place until the job ends.
     */
    private boolean endsSoon(JobView job) {
        return moveSeconds > 0 && job.progress().isTimed() && job.progress().secondsLeft(nowMs) <= moveSeconds;
    }

    /** Whether it is on several nodes and has more there than it is sure of anywhere: it may be there for that. */
    private static boolean grewApart(Grant grant) {
        ResourceVector charged = ResourceVector.ZERO;
        ResourceVector held = ResourceVector.ZERO;
        for (Grant.Task task : grant.tasks()) {
            charged = charged.plus(task.size());
        }
        for (RunningTask task : grant.job().tasks()) {
            held = held.plus(task.size());
        }
        return grant.nodes() > 1 && !held.fitsIn(charged);
    }

    /** Whether no other place can be better: its node is full, and there is one rack. */
    private boolean isTight(Grant grant) {
        int node = grant.tasks().get(0).node();
        return ledger.free(node).gpus() == 0
                && ledger.hasOneRack()
                && grant.tasks().stream().allMatch(task -> task.node() == node);
    }

    private int nodeOf(TaskPlacement task) {
        return ledger.indexOf(task.nodeId()).orElseThrow();
    }

    private List<String> names(List<Integer> nodes) {
        return nodes.stream().distinct().map(node -> ledger.node(node).id()).toList();
    }

    private Set<Integer> racks(List<Integer> nodes) {
        return nodes.stream().map(ledger::rackOf).collect(Collectors.toSet());
    }

    private Index index(List<Integer> places, Set<Integer> racks, boolean sameRacks) {
        List<Integer> nodes = places.stream().distinct().toList();
        long freeNodes =
                sameRacks ? 0 : racks.stream().mapToLong(ledger::nodesFree).sum();
        long freeGpus =
                nodes.stream().mapToLong(node -> ledger.free(node).gpus()).sum();
        return new Index(racks.size(), freeNodes, nodes.size(), freeGpus);
    }
}
