// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.powerflow;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.PowerView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.RunningTask;
import io.treadle.core.model.energy.EnergyProfile;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What sizes and caps are chosen by.
 *
 * @param jobs in order of submission; those that are left as they are are not among them
 * @param gpus GPUs that these jobs may hold together
 * @param gpusOfNode GPUs of a node
 * @param power what the nodes draw and may draw
 * @param baseWatts what all nodes draw if none of these jobs runs, W
 * @param pinned the jobs that are left out, whose draw above idle is part of {@code baseWatts}
 * @param rescaleSeconds for how long a job that gets another number of GPUs, or other GPUs, does nothing, s
 * @param nowMs the moment, ms on the jobs' clock
 */
record Situation(
        List<Candidate> jobs,
        long gpus,
        int gpusOfNode,
        PowerView power,
        double baseWatts,
        Pinned pinned,
        double rescaleSeconds,
        long nowMs) {
    /** Where nobody says what anything draws, and nothing is to be kept to. */
    private static final PowerView UNKNOWN = PowerView.unlimited(0, 0, 300);

    Situation {
        jobs = List.copyOf(jobs);
    }

    static Situation of(Snapshot snapshot) {
        PowerView power = snapshot.power().orElse(UNKNOWN);
        long open = snapshot.nodes().stream()
                .filter(NodeView::open)
                .mapToLong(node -> node.available().gpus())
                .sum();
        Set<String> closed = snapshot.nodes().stream()
                .filter(node -> !node.open())
                .map(NodeView::id)
                .collect(Collectors.toSet());
        long heldOnClosed = snapshot.jobs().stream()
                .flatMap(job -> job.tasks().stream())
                .filter(task -> closed.contains(task.nodeId()))
                .map(RunningTask::size)
                .mapToLong(size -> size.gpus())
                .sum();
        long all = snapshot.nodes().stream()
                .mapToLong(node -> node.capacity().gpus())
                .sum();
        List<NodeView> awake = snapshot.nodes().stream()
                .filter(node -> !power.asleep().contains(node.id()))
                .toList();
        long others = snapshot.nodes().stream()
                .mapToLong(node -> node.othersUse().gpus())
                .sum();
        long withGpus = snapshot.nodes().stream()
                .filter(node -> node.capacity().gpus() > 0)
                .count();
        double baseWatts = awake.size() * power.nodeWatts()
                + (gpus(awake) - others) * power.idleGpuWatts()
                + others * power.gpuWatts();
        Pinned pinned = Pinned.of(snapshot, power, baseWatts);
        return new Situation(
                snapshot.jobs().stream()
                        .filter(job -> !pinned.holds(job))
                        .map(job -> Candidate.of(job, power, snapshot.nowMs()))
                        .toList(),
                Math.max(
                        0,
                        Math.min(
                                        open + heldOnClosed,
                                        snapshot.queue().available().gpus())
                                - pinned.gpus()),
                (int) Math.max(1, withGpus == 0 ? 1 : all / withGpus),
                power,
                baseWatts + pinned.wattsHere() - pinned.gpus() * power.idleGpuWatts(),
                pinned,
                snapshot.overheads().moveSeconds(),
                snapshot.nowMs());
    }

    /** What all nodes draw with these jobs, W. */
    double draw(List<Choice> choices) {
        return baseWatts + choices.stream().mapToDouble(this::more).sum();
    }

    private static long gpus(List<NodeView> nodes) {
        return nodes.stream().mapToLong(node -> node.capacity().gpus()).sum();
    }

    /** Whether all of them may run together. */
    boolean allows(List<Choice> choices) {
        return draw(choices) <= power.limitWatts()
                && pinned.watts() + choices.stream().mapToDouble(Choice::watts).sum() <= power.jobsLimitWatts();
    }

    /** Whether a job could run if no other did. */
    boolean couldRun(Candidate job) {
        Allowance all = new Allowance(this);
        for (int cap = 0; cap < job.energy().caps(); cap++) {
            if (all.allows(new Choice(job, job.least(), cap))) {
                return true;
            }
        }
        return false;
    }

    /** What the nodes draw more because of the job, W. */
    double more(Choice choice) {
        return choice.watts() - choice.gpus() * power.idleGpuWatts();
    }

    /** Energy until all jobs have ended, if those that wait later have what they can do with at least, J. */
    double joules(List<Choice> choices) {
        double joules = 0;
        Set<String> chosen = new HashSet<>();
        for (Choice choice : choices) {
            chosen.add(choice.job().id());
            joules += joules(choice);
        }
        for (Candidate job : jobs) {
            if (!chosen.contains(job.id())) {
                joules += joules(new Choice(job, job.least(), frugal(job.energy(), job.least())));
            }
        }
        return joules;
    }

    private double joules(Choice choice) {
        return choice.job().secondsLeft(choice.size(), choice.cap())
                * (choice.watts() + choice.gpus() * nodeShareWatts());
    }

    /** The cap at which an iteration takes least energy, the job's share of its nodes counted. */
    int frugal(EnergyProfile energy, int size) {
        int best = energy.caps() - 1;
        for (int cap = best - 1; cap >= 0; cap--) {
            best = joules(energy, size, cap) < joules(energy, size, best) ? cap : best;
        }
        return best;
    }

    /** Of an iteration, with the job's share of its nodes, J. */
    double joules(EnergyProfile energy, int size, int cap) {
        return energy.joules(size, cap) + energy.seconds(size, cap) * energy.gpus(size) * nodeShareWatts();
    }

    /** What each GPU of a job draws with it of its node, W. */
    double nodeShareWatts() {
        return power.nodeWatts() / gpusOfNode;
    }
}
