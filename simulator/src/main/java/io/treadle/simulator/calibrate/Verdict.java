// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.calibrate;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Says in a sentence how far a replay can be trusted. */
final class Verdict {
    /** Where so many jobs wait as they really did, one can be looked at for itself. */
    private static final double SINGLE_JOBS = 0.9;

    /** A replay that is further off than this says nothing about means. */
    private static final double FAR = 0.5;

    private static final int STEP = 5;

    private Verdict() {}

    static String of(String policy, List<Twice> jobs, Gap all, @Nullable Double rank) {
        if (jobs.stream()
                .allMatch(job -> job.startMs() == job.really().startMs()
                        && job.endMs() == job.really().endMs())) {
            return "the replay under " + policy + " is what happened, job by job";
        }
        double off = Math.max(Math.abs(all.waitError()), Math.abs(all.jctError()));
        return String.format(
                Locale.ROOT,
                "the replay under %s waits %s, and its jobs take %s as history: %s (%.0f %% of the jobs wait about as they"
                        + " did%s)",
                policy,
                wait(all),
                times(all.jctError()),
                trust(off, all.closeShare() >= SINGLE_JOBS),
                100 * all.closeShare(),
                rank == null ? "" : String.format(Locale.ROOT, ", rank correlation %.2f", rank));
    }

    /** @param off how far means are from history, as a part of it */
    private static String trust(double off, boolean singles) {
        if (off > FAR) {
            return singles ? "trust most single jobs, not means" : "trust neither means nor single jobs";
        }
        return String.format(
                Locale.ROOT,
                "trust means within ±%d %%%s",
                STEP * (int) Math.ceil(Math.max(1, 100 * off) / STEP),
                singles ? ", and most single jobs" : ", not single jobs");
    }

    private static String wait(Gap all) {
        if (Math.max(all.realMeanWaitSeconds(), all.simulatedMeanWaitSeconds()) < 1
                || !Double.isFinite(all.waitError())) {
            return String.format(
                    Locale.ROOT,
                    "%.1f s where history waited %.1f s",
                    all.simulatedMeanWaitSeconds(),
                    all.realMeanWaitSeconds());
        }
        double percent = 100 * all.waitError();
        return Math.abs(percent) < 0.5
                ? "as long as history"
                : String.format(
                        Locale.ROOT, "%.0f %% %s than history", Math.abs(percent), percent > 0 ? "longer" : "less");
    }

    private static String times(double error) {
        return Math.abs(error) < 0.005 ? "as long" : String.format(Locale.ROOT, "%.2f times as long", 1 + error);
    }
}
