// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.powerflow;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Who is served first: those of higher priority, then those with least left to do, where a job counts the less the longer it
 * has been there, so that none waits for ever.
 */
final class StartOrder {
    /** After so long a job counts as half as long as it is. */
    private static final double AGING_SECONDS = 3600;

    private StartOrder() {}

    /** All jobs, the first to be served first. */
    static List<Candidate> of(Situation situation) {
        return situation.jobs().stream()
                .sorted(Comparator.comparingInt((Candidate job) -> -job.job().priority())
                        .thenComparingDouble(job -> key(job, situation.rescaleSeconds())))
                .toList();
    }

    /** Of two that are as long the one that runs goes on: to start the other costs more. */
    private static double key(Candidate job, double rescaleSeconds) {
        double left = job.secondsLeft() + (job.running() ? 0 : rescaleSeconds);
        return left / (1 + job.waitedSeconds() / AGING_SECONDS);
    }

    /** The first of them at their least size while there are GPUs. */
    static List<Candidate> atLeast(List<Candidate> ordered, long gpus) {
        List<Candidate> started = new ArrayList<>();
        long free = gpus;
        for (Candidate job : ordered) {
            long needed = job.gpus(job.least());
            if (needed <= free) {
                started.add(job);
                free -= needed;
            }
        }
        return started;
    }
}
