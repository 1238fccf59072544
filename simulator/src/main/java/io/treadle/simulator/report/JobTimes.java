// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import io.treadle.simulator.result.JobGoals;
import io.treadle.simulator.result.Slowdown;
import java.util.Arrays;

/** What a log says of each job, by its number. */
final class JobTimes {
    private final RunLog log;
    private final JobGoals goals;
    private final long[] ranMs;
    private final int[] stops;
    private final int[] moves;

    private JobTimes(RunLog log) {
        this.log = log;
        this.goals = log.goals();
        int jobs = log.jobs().size();
        ranMs = new long[jobs];
        stops = new int[jobs];
        moves = new int[jobs];
    }

    static JobTimes of(RunLog log) {
        JobTimes times = new JobTimes(log);
        int[] last = new int[log.jobs().size()];
        Arrays.fill(last, -1);
        for (int run = 0; run < log.runs(); run++) {
            times.add(run, last);
        }
        return times;
    }

    private void add(int run, int[] last) {
        int job = log.job(run);
        if (last[job] >= 0) {
            moves[job] += sameNodes(last[job], run) ? 0 : 1;
        }
        // A move is no stop.
        stops[job] -= log.movedFrom(run) >= 0 ? 1 : 0;
        last[job] = run;
        if (log.toMs(run) != RunLog.NEVER) {
            ranMs[job] += log.toMs(run) - log.fromMs(run);
            stops[job] += log.toMs(run) < log.endMs(job) ? 1 : 0;
        }
    }

    private boolean sameNodes(int before, int after) {
        int one = log.firstPiece(before);
        int other = log.firstPiece(after);
        while (one < log.endPiece(before) && other < log.endPiece(after)) {
            int node = log.node(one);
            if (node != log.node(other)) {
                return false;
            }
            // Several pieces may be on one node.
            while (one < log.endPiece(before) && log.node(one) == node) {
                one++;
            }
            while (other < log.endPiece(after) && log.node(other) == node) {
                other++;
            }
        }
        return one == log.endPiece(before) && other == log.endPiece(after);
    }

    boolean isEnded(int job) {
        return log.endMs(job) != RunLog.NEVER;
    }

    JobGoals goals() {
        return goals;
    }

    /** From submission to end, s; of a job that has ended. */
    double jctSeconds(int job) {
        return (log.endMs(job) - log.jobs().get(job).submitMs()) / 1000.0;
    }

    /** All the time in which it did not run, s; of a job that has ended. */
    double waitSeconds(int job) {
        return jctSeconds(job) - ranMs[job] / 1000.0;
    }

    /** Of a job that has ended. */
    double slowdown(int job) {
        return Slowdown.of(jctSeconds(job), log.jobs().get(job).work().seconds());
    }

    /** How often it was stopped before it had done all. */
    int stops(int job) {
        return stops[job];
    }

    /** How often it went on on other nodes than before. */
    int moves(int job) {
        return moves[job];
    }
}
