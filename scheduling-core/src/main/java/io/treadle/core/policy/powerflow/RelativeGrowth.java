// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.powerflow;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code powerflow-relative}: the published rule, as far as it is known. Jobs start on one GPU at the cap that takes least
 * energy; then the step is taken that shortens a job by the largest part for the part by which it raises its energy
 * (priority = (dJCT/JCT) / (dE/E), PowerFlow's equations 16 and 17 as a third party's port has them), twice the GPUs or the
 * next higher cap, until no step keeps to the GPUs and to the limit on power.
 */
final class RelativeGrowth implements Chooser {
    /** Steps that save energy come before all others. */
    private static final double SAVES = 1e6;
    /** Part of its time by which a step must shorten a job at least. */
    private static final double LEAST_GAIN = 1e-3;

    private static final double LEAST_RISE = 1e-6;

    @Override
    public boolean scales() {
        return true;
    }

    @Override
    public List<Choice> choose(Situation situation) {
        Allowance left = new Allowance(situation);
        long gpus = situation.gpus();
        List<Choice> started = new ArrayList<>();
        for (Candidate job : StartOrder.of(situation)) {
            Choice choice = new Choice(job, job.least(), situation.frugal(job.energy(), job.least()));
            if (choice.gpus() <= gpus && left.allows(choice)) {
                started.add(choice);
                gpus -= choice.gpus();
                left.take(choice);
            }
        }
        return Growth.grow(started, situation.gpus(), Optional.of(left), now -> steps(now, situation));
    }

    private static List<Growth.Step> steps(Choice now, Situation situation) {
        Candidate job = now.job();
        List<Growth.Step> steps = new ArrayList<>();
        if (now.size() < job.most()) {
            boolean isFrugal = now.cap() == situation.frugal(job.energy(), now.size());
            int cap = isFrugal ? situation.frugal(job.energy(), now.size() + 1) : now.cap();
            add(steps, now, new Choice(job, now.size() + 1, cap), situation);
        }
        if (now.cap() + 1 < job.energy().caps()) {
            add(steps, now, new Choice(job, now.size(), now.cap() + 1), situation);
        }
        return steps;
    }

    private static void add(List<Growth.Step> steps, Choice from, Choice to, Situation situation) {
        double before = from.job().energy().seconds(from.size(), from.cap());
        double sooner = 1 - from.job().energy().seconds(to.size(), to.cap()) / before;
        double rise = joules(to, situation) / joules(from, situation) - 1;
        if (sooner >= LEAST_GAIN) {
            steps.add(new Growth.Step(to, rise > 0 ? sooner / Math.max(rise, LEAST_RISE) : SAVES * (1 + sooner)));
        }
    }

    private static double joules(Choice choice, Situation situation) {
        return situation.joules(choice.job().energy(), choice.size(), choice.cap());
    }
}
