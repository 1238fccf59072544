// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.check;

import io.treadle.simulator.engine.JobRun;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Little's law, exactly: over the whole run, the jobs in the system, waiting and running, summed up over time are the
 * times that the jobs say they spent there. A job starts only while it waits, and ends only while it runs.
 */
final class FlowCheck implements Check {
    private enum State {
        WAITS,
        RUNS,
        GONE
    }

    private final Map<JobRun, State> states = new LinkedHashMap<>();
    /** Since when those that wait have done so. */
    private final Map<JobRun, Long> waitsSince = new LinkedHashMap<>();

    private long waiting;
    private long running;
    private long waitingMs;
    private long runningMs;
    private long firstMs;
    private long lastMs;

    @Override
    public void came(JobRun job, long nowMs) {
        if (states.isEmpty()) {
            firstMs = job.job().submitMs();
            lastMs = nowMs;
        }
        pass(nowMs);
        if (states.put(job, State.WAITS) != null) {
            throw new BrokenRuleException(nowMs, "job " + job + " came twice");
        }
        // In rounds a job is seen later than it came.
        waitingMs += nowMs - job.job().submitMs();
        waitsSince.put(job, job.job().submitMs());
        waiting++;
    }

    @Override
    public void started(JobRun job, long nowMs) {
        goes(job, State.WAITS, State.RUNS, nowMs);
        waitsSince.remove(job);
        waiting--;
        running++;
    }

    @Override
    public void paused(JobRun job, long nowMs) {
        goes(job, State.RUNS, State.WAITS, nowMs);
        waitsSince.put(job, nowMs);
        running--;
        waiting++;
    }

    @Override
    public void ended(JobRun job, long nowMs) {
        goes(job, State.RUNS, State.GONE, nowMs);
        running--;
    }

    @Override
    public void leftOut(JobRun job, long nowMs) {
        goes(job, State.WAITS, State.GONE, nowMs);
        waiting--;
        waitingMs -= nowMs - job.job().submitMs();
    }

    private void goes(JobRun job, State from, State to, long nowMs) {
        pass(nowMs);
        State was = states.put(job, to);
        if (was != from) {
            throw new BrokenRuleException(
                    nowMs, "job " + job + " goes to " + to + " from " + (was == null ? "nowhere" : was));
        }
    }

    private void pass(long nowMs) {
        waitingMs += waiting * (nowMs - lastMs);
        runningMs += running * (nowMs - lastMs);
        lastMs = nowMs;
    }

    @Override
    public void over(long nowMs) {
        pass(nowMs);
        long waited = 0;
        long stayed = 0;
        for (Map.Entry<JobRun, State> one : states.entrySet()) {
            JobRun job = one.getKey();
            boolean isLeftOut = one.getValue() == State.GONE && !job.isEnded();
            if (!isLeftOut) {
                stayed += (job.isEnded() ? job.endMs() : nowMs) - job.job().submitMs();
                waited += job.waitedMs();
                if (one.getValue() == State.WAITS) {
                    waited += nowMs - waitsSince.getOrDefault(job, nowMs);
                }
            }
        }
        compare(nowMs, "wait", waitingMs, waited);
        compare(nowMs, "run", runningMs, stayed - waited);
    }

    private void compare(long nowMs, String what, long byCount, long byJobs) {
        if (byCount != byJobs) {
            throw new BrokenRuleException(
                    nowMs,
                    String.format(
                            Locale.ROOT,
                            "Little's law fails: the jobs that %s are %.3f job-seconds by their number over time and"
                                    + " %.3f by the jobs' own times",
                            what,
                            byCount / 1000.0,
                            byJobs / 1000.0));
        }
    }

    @Override
    public String words() {
        double spanMs = Math.max(1, lastMs - firstMs);
        return String.format(
                Locale.ROOT,
                "Little's law with %.2f jobs waiting and %.2f running on average",
                waitingMs / spanMs,
                runningMs / spanMs);
    }
}
