// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.powerflow;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * AFS-L (Hwang et al., NSDI 2021) as public ports of it have it: GPUs go one step after the other to the job of highest
 * priority, found by comparing jobs in order of submission one with the next. Of two without GPUs that is the shorter one; else
 * the one that would end first with what both have so far, unless the other gains more: with the first's speed p and the
 * other's q, if (q' - q)/q' for each GPU is above (p' - p)/p. Lengths are known; steps here are doublings. Beyond the published
 * rule, a job that runs grows only where that pays for its restart.
 */
final class Afs implements Chooser {
    /** Part by which a job must become faster at least to get more GPUs. */
    private static final double LEAST_GAIN = 0.02;
    /** Part of what is left of a job by which growing must shorten it, beyond the time of its restart. */
    private static final double LEAST_SHORTER = 0.05;

    @Override
    public boolean scales() {
        return true;
    }

    @Override
    public List<Choice> choose(Situation situation) {
        List<Share> shares = situation.jobs().stream().map(Share::new).toList();
        long free = situation.gpus();
        for (Share best = best(shares, free); best != null; best = best(shares, free)) {
            free -= best.more();
            best.size = best.next();
        }
        List<Choice> chosen = new ArrayList<>();
        for (Share share : shares) {
            if (share.size != Candidate.NONE) {
                chosen.add(Choice.uncapped(share.job, worthRestart(share, situation)));
            }
        }
        return chosen;
    }

    private static @Nullable Share best(List<Share> shares, long free) {
        Share best = null;
        for (Share share : shares) {
            if (share.canGrow(free)) {
                best = best == null ? share : first(best, share);
            }
        }
        return best;
    }

    private static Share first(Share a, Share b) {
        if (a.size == Candidate.NONE || b.size == Candidate.NONE) {
            boolean isA =
                    b.size != Candidate.NONE || (a.size == Candidate.NONE && a.job.secondsLeft() < b.job.secondsLeft());
            return isA ? a : b;
        }
        Share sooner = a.secondsLeft() <= b.secondsLeft() ? a : b;
        Share later = sooner == a ? b : a;
        double gain = (sooner.speed(sooner.next()) - sooner.speed(sooner.size)) / sooner.speed(sooner.size);
        double other = (later.speed(later.next()) - later.speed(later.size)) / later.speed(later.next());
        return other / later.more() > gain / sooner.more() ? later : sooner;
    }

    private static int worthRestart(Share share, Situation situation) {
        Candidate job = share.job;
        if (job.held() == Candidate.NONE || share.size <= job.held()) {
            return share.size;
        }
        int top = job.energy().caps() - 1;
        double before = job.secondsLeft(job.held(), top);
        double after = job.secondsLeft(share.size, top) + situation.rescaleSeconds();
        return after > before * (1 - LEAST_SHORTER) ? job.held() : share.size;
    }

    /** What a job has so far. */
    private static final class Share {
        private final Candidate job;
        private int size = Candidate.NONE;

        Share(Candidate job) {
            this.job = job;
        }

        int next() {
            return size == Candidate.NONE ? job.least() : size + 1;
        }

        long more() {
            return job.gpus(next()) - (size == Candidate.NONE ? 0 : job.gpus(size));
        }

        boolean canGrow(long free) {
            return (size == Candidate.NONE || size < job.most())
                    && more() <= free
                    && (size == Candidate.NONE || speed(next()) > speed(size) * (1 + LEAST_GAIN));
        }

        /** With what it has so far. */
        double secondsLeft() {
            return job.secondsLeft(size, job.energy().caps() - 1);
        }

        double speed(int of) {
            return 1 / job.energy().seconds(of, job.energy().caps() - 1);
        }
    }
}
