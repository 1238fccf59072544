// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.queues;

import io.treadle.core.cluster.PowerView;
import io.treadle.core.job.JobView;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * What the jobs of each queue may draw while those of the others draw what they do.
 *
 * @param budgets what the GPUs of the jobs of a queue and those below it may draw together, W, by its path
 * @param draw of a job's GPUs once it trains, W, by its id
 */
public record QueuePower(Map<String, Double> budgets, ToDoubleFunction<String> draw) {
    /** No queue has a budget, and nobody knows what jobs draw. */
    public static final QueuePower NONE = new QueuePower(Map.of(), job -> 0);

    public QueuePower {
        budgets = Map.copyOf(budgets);
    }

    /** @param all what all nodes draw and may draw; jobs of other queues count there with what they draw, as they do here */
    PowerView of(Leaf leaf, Collection<Leaf> leaves, Collection<Held> held, PowerView all) {
        double limit = Double.POSITIVE_INFINITY;
        for (Optional<Account> above = Optional.of(leaf.account());
                above.isPresent();
                above = above.get().parent()) {
            Double budget = budgets.get(above.get().queue().path());
            if (budget != null) {
                limit = Math.min(limit, left(leaf, above.get(), budget, leaves, held, all.gpuWatts()));
            }
        }
        // A policy takes GPUs that others hold for such that draw their limit.
        double overrated = held.stream()
                .filter(job -> job.leaf() != leaf)
                .mapToDouble(job -> job.size().gpus() * all.gpuWatts() - draw.applyAsDouble(job.jobId()))
                .sum();
        return all.withJobsLimit(Math.max(0, limit)).withLimit(Math.max(0, all.limitWatts() + overrated));
    }

    /**
     * What the others leave of a budget, W; while jobs of others wait for theirs no more than an equal part, or the least that
     * the queue needs to run anything.
     */
    private double left(
            Leaf leaf, Account top, double budget, Collection<Leaf> leaves, Collection<Held> held, double gpuWatts) {
        List<Leaf> others = leaves.stream()
                .filter(other -> other != leaf && other.account().isAtOrBelow(top))
                .toList();
        double left = budget
                - held.stream()
                        .filter(job -> others.contains(job.leaf()))
                        .mapToDouble(job -> draw.applyAsDouble(job.jobId()))
                        .sum();
        if (others.stream().noneMatch(Leaf::hasWaiting)) {
            return left;
        }
        long active = others.stream()
                .filter(other -> other.hasWaiting() || held.stream().anyMatch(job -> job.leaf() == other))
                .count();
        return Math.min(left, Math.max(budget / (1 + active), least(leaf, held, gpuWatts)));
    }

    /** The least with which what runs goes on; where nothing runs, with which one job starts. */
    private static double least(Leaf leaf, Collection<Held> held, double gpuWatts) {
        List<JobView> running =
                held.stream().filter(job -> job.leaf() == leaf).map(Held::view).toList();
        DoubleStream watts =
                (running.isEmpty() ? leaf.waiting() : running).stream().mapToDouble(job -> least(job, gpuWatts));
        return running.isEmpty() ? watts.min().orElse(0) : watts.sum();
    }

    private static double least(JobView job, double gpuWatts) {
        int size = job.energy().map(energy -> energy.sizeOf(job.gpus())).orElse(-1);
        return size < 0
                ? Math.max(job.gpus(), job.heldGpus()) * gpuWatts
                : job.energy().orElseThrow().watts(size, 0);
    }
}
