// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.core.plan.Decision;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Rounds of fixed length, as in Synergy's artifact: a job holds what it is given for one round, does as many whole
 * iterations as fit, and ends at the end of the round in which it has done all.
 */
final class LeaseLoop {
    private final World world;
    private final List<EventLoop.Arrival> arrivals;
    private final long firstMs;
    private final long roundMs;
    private final Recorder recorder;
    private final Starvation starvation;
    private final Map<String, JobRun> leased = new LinkedHashMap<>();
    private int arrived;
    private int waiting;

    LeaseLoop(
            World world,
            List<EventLoop.Arrival> arrivals,
            long firstMs,
            long roundMs,
            Starvation starvation,
            Recorder recorder) {
        this.world = world;
        this.arrivals = arrivals;
        this.firstMs = firstMs;
        this.roundMs = roundMs;
        this.starvation = starvation;
        this.recorder = recorder;
    }

    void run() {
        long nowMs = firstMs;
        while (!recorder.isEnough()) {
            recorder.at(nowMs);
            arriveAt(nowMs);
            endLeases(nowMs);
            if (waiting == 0 && arrived == arrivals.size()) {
                return;
            }
            if (waiting > 0) {
                decide(nowMs);
                nowMs += roundMs;
            } else {
                long next = arrivals.get(arrived).job().job().submitMs();
                nowMs += Math.max(1, (next - nowMs + roundMs - 1) / roundMs) * roundMs;
            }
        }
    }

    private void arriveAt(long nowMs) {
        while (arrived < arrivals.size() && arrivals.get(arrived).job().job().submitMs() <= nowMs) {
            JobRun job = arrivals.get(arrived++).job();
            recorder.came(job);
            world.waits(job);
            starvation.waits(job, job.job().submitMs());
            waiting++;
        }
    }

    private void endLeases(long nowMs) {
        for (JobRun job : leased.values()) {
            if (job.isDone()) {
                job.endLease(nowMs);
                recorder.ended(job);
                world.ended(job);
            } else {
                recorder.returned(job);
                world.session().waits(starvation.view(job));
                waiting++;
            }
        }
        // Where nobody is left there is no decision that would take their place.
        leased.values().removeIf(JobRun::isEnded);
    }

    private void decide(long nowMs) {
        Map<String, JobRun> before = Map.copyOf(leased);
        leased.clear();
        List<JobRun> starving = starvation.begun(nowMs);
        for (Decision decision : world.session().decide(nowMs)) {
            if (decision instanceof Decision.Run run) {
                JobRun job = world.job(run.jobId());
                job.lease(nowMs, roundMs, run.tasks(), job.speedup(run.tasks(), world::node));
                recorder.started(job);
                starvation.runs(job);
                leased.put(run.jobId(), job);
                waiting--;
            }
        }
        before.forEach((id, job) -> {
            if (!leased.containsKey(id) && !job.isEnded()) {
                job.forgetSpeed();
                starvation.waits(job, nowMs);
                world.session().waits(starvation.view(job));
            }
        });
        starving.stream().filter(job -> !leased.containsKey(job.job().id())).forEach(job -> world.session()
                .waits(starvation.view(job)));
    }
}
