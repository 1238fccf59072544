// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.powerflow;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * After Pollux (OSDI 2021): the harmonic mean of all jobs' speeds, each against that with a fair share of the GPUs, is to be
 * as large as it can be. Batch sizes stay, so that goodput is throughput. Pollux searches by a genetic algorithm; steps by
 * what they bring for each GPU come to much the same where speeds rise ever less.
 */
final class Pollux implements Chooser {
    @Override
    public boolean scales() {
        return true;
    }

    @Override
    public List<Choice> choose(Situation situation) {
        double fair = (double) situation.gpus() / Math.max(1, situation.jobs().size());
        List<Choice> started = new ArrayList<>();
        List<Candidate> inOrder = situation.jobs().stream()
                .sorted(Comparator.comparingInt((Candidate job) -> -job.job().priority())
                        .thenComparingDouble(Candidate::attainedGpuSeconds)
                        .thenComparingLong(job -> job.job().submitMs()))
                .toList();
        for (Candidate job : StartOrder.atLeast(inOrder, situation.gpus())) {
            started.add(Choice.uncapped(job, job.least()));
        }
        return Growth.grow(
                started, situation.gpus(), Optional.empty(), now -> steps(now, fair, situation.rescaleSeconds()));
    }

    private static List<Growth.Step> steps(Choice now, double fair, double rescaleSeconds) {
        Candidate job = now.job();
        int top = job.energy().caps() - 1;
        double fairSeconds = job.energy().seconds(fairSize(job, fair), top);
        List<Growth.Step> steps = new ArrayList<>();
        for (int size = now.size() + 1; size <= job.most(); size++) {
            // Time is one over speed: what is to fall is the sum of all times.
            double gain = (job.energy().seconds(now.size(), top) - job.energy().seconds(size, top)) / fairSeconds;
            double restart = restart(job, now.size(), size) * rescaleSeconds / job.secondsLeft(job.least(), top);
            if (gain + restart > 0) {
                steps.add(
                        new Growth.Step(Choice.uncapped(job, size), (gain + restart) / (job.gpus(size) - now.gpus())));
            }
        }
        return steps;
    }

    private static int restart(Candidate job, int from, int to) {
        return (to == job.held() ? 1 : 0) - (from == job.held() ? 1 : 0);
    }

    private static int fairSize(Candidate job, double fair) {
        int size = job.least();
        while (size < job.most() && job.gpus(size + 1) <= fair) {
            size++;
        }
        return size;
    }
}
