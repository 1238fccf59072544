// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.powerflow;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Jobs with the GPUs that they ask for, in an order. */
final class FixedGangs implements GpuChooser {
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

    /** The first by their key run, whoever runs makes way for those before it. */
    static FixedGangs preemptive(ToDoubleFunction<Candidate> key) {
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
                    chosen.add(GpuChooser.uncapped(job, job.least()));
                    free -= job.gpus(job.least());
                }
            }
        }
        for (Candidate job : ordered) {
            if (preempts || !job.running()) {
                long needed = job.gpus(job.least());
                if (needed <= free) {
                    chosen.add(GpuChooser.uncapped(job, job.least()));
                    free -= needed;
                } else if (!preempts) {
                    break;
                }
            }
        }
        return chosen;
    }
}
