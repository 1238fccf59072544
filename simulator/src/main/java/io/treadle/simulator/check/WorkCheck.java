// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.check;

import io.treadle.simulator.engine.JobRun;
import io.treadle.simulator.engine.RunRules;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What a job has done by its end, its times of running at the speeds that were told, is its work and what it had to do
 * beyond: never less, and more only by what it holds its GPUs for until an end is noticed.
 */
final class WorkCheck implements Check {
    /** Rounding of sums of doubles, relative. */
    private static final double ROUNDING = 1e-9;

    private static final class Done {
        double seconds;
        double mostBeyond;
        double speed;
        long sinceMs = -1;
    }

    private final Map<JobRun, Done> jobs = new HashMap<>();
    private final long lateMs;
    private long ended;

    private WorkCheck(long lateMs) {
        this.lateMs = lateMs;
    }

    static Check of(RunRules rules) {
        return rules.leases() ? new NotChecked("work not, leases are whole iterations") : new WorkCheck(rules.lateMs());
    }

    @Override
    public void started(JobRun job, long nowMs) {
        Done done = jobs.computeIfAbsent(job, any -> new Done());
        done.sinceMs = nowMs;
        done.speed = job.speedup();
    }

    @Override
    public void resized(JobRun job, long nowMs) {
        settle(job, nowMs);
        started(job, nowMs);
    }

    @Override
    public void paused(JobRun job, long nowMs) {
        settle(job, nowMs);
    }

    private Done settle(JobRun job, long nowMs) {
        Done done = jobs.computeIfAbsent(job, any -> new Done());
        if (done.sinceMs >= 0) {
            done.seconds += done.speed * (nowMs - done.sinceMs) / 1000;
            // Ends are foreseen to a whole ms.
            done.mostBeyond += done.speed * (lateMs + 1) / 1000;
            done.sinceMs = -1;
        }
        return done;
    }

    @Override
    public void ended(JobRun job, long nowMs) {
        Done done = settle(job, nowMs);
        jobs.remove(job);
        double due = job.job().work().seconds() + job.moreSeconds();
        double rounding = ROUNDING * (1 + due + done.seconds);
        if (done.seconds < due - rounding || done.seconds > due + done.mostBeyond + rounding) {
            throw new BrokenRuleException(
                    nowMs,
                    String.format(
                            Locale.ROOT,
                            "job %s ends with %.6f s of work at its share done, its work is %.6f s",
                            job,
                            done.seconds,
                            due));
        }
        ended++;
    }

    @Override
    public String words() {
        return String.format(Locale.ROOT, "work of %,d jobs", ended);
    }
}
