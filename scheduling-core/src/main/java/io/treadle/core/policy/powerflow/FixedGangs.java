// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.powerflow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Jobs with the GPUs that they ask for, in an order. */
final class FixedGangs implements Chooser {
    /** GPU-seconds at which Tiresias' queues end, but for the last. */
    private static final double[] QUEUE_ENDS = {3600, 8 * 3600};
    /** How long a job runs before others that have run less may take its place, s; a stop costs half a minute. */
    private static final double SLICE_SECONDS = 1800;

    private final Comparator<Candidate> order;
    private final boolean preempts;

    private FixedGangs(Comparator<Candidate> order, boolean preempts) {
        this.order = order;
        this.preempts = preempts;
    }

    /** First come, first served: the first that does not fit holds up all that come after it. */
    static FixedGangs fifo() {
        return new FixedGangs(byKey(job -> job.job().submitMs()), false);
    }

    /**
     * Tiresias (NSDI 2019) with two-dimensional least attained service in discrete queues: a job falls to the next queue once
     * it has had so many GPU-seconds; in a queue the first submitted is first.
     */
    static FixedGangs tiresias() {
        return preemptive(job -> Arrays.stream(QUEUE_ENDS)
                .filter(end -> job.attainedGpuSeconds() >= end)
                .count());
    }

    /**
     * After Gandiva (OSDI 2018): nobody's length is known, all jobs take turns on the GPUs that they ask for, each a slice of
     * time at a go. (Gandiva also puts several jobs on one GPU where they go well together; of that profiles say nothing.)
     */
    static FixedGangs gandiva() {
        return preemptive(
                job -> Math.floor(job.attainedGpuSeconds() / Math.max(1, job.gpus(job.least())) / SLICE_SECONDS));
    }

    /** The first by their key run, whoever runs makes way for those before it. */
    private static FixedGangs preemptive(ToDoubleFunction<Candidate> key) {
        return new FixedGangs(byKey(key), true);
    }

    private static Comparator<Candidate> byKey(ToDoubleFunction<Candidate> key) {
        return Comparator.comparingInt((Candidate job) -> -job.job().priority())
                .thenComparingDouble(key)
                .thenComparingLong(job -> job.job().submitMs());
    }

    @Override
    public boolean scales() {
        return false;
    }

    @Override
    public List<Choice> choose(Situation situation) {
        List<Choice> chosen = new ArrayList<>();
        long free = situation.gpus();
        List<Candidate> ordered = situation.jobs().stream().sorted(order).toList();
        if (!preempts) {
            for (Candidate job : ordered) {
                if (job.running()) {
                    chosen.add(Choice.uncapped(job, job.least()));
                    free -= job.gpus(job.least());
                }
            }
        }
        for (Candidate job : ordered) {
            if (preempts || !job.running()) {
                long needed = job.gpus(job.least());
                if (needed <= free) {
                    chosen.add(Choice.uncapped(job, job.least()));
                    free -= needed;
                } else if (!preempts) {
                    break;
                }
            }
        }
        return chosen;
    }
}
