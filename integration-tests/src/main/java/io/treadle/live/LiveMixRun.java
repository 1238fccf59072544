// SPDX-License-Identifier: Apache-2.0
package io.treadle.live;

import io.treadle.cluster.ApplicationView;
import io.treadle.demo.DemoCluster;
import io.treadle.demo.DemoJob;
import io.treadle.demo.DemoResult;
import io.treadle.demo.JobTrace;
import io.treadle.demo.MixRun;
import io.treadle.demo.Screen;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs the mix under a policy; its jobs start from the profiles that are there. */
final class LiveMixRun {
    private final LiveRuns runs;
    private final Screen screen;

    LiveMixRun(LiveRuns runs, Screen screen) {
        this.runs = runs;
        this.screen = screen;
    }

    Mixed run(List<DemoJob> mix, String policy) throws InterruptedException {
        Map<String, Seen> seen = new LinkedHashMap<>();
        mix.forEach(job -> seen.put(job.name(), new Seen()));
        List<DemoResult.Job> jobs = new MixRun(runs.views, runs.launcher, runs.specs, runs.statuses, screen)
                .run(mix, policy, DemoCluster.queueOf(policy), true, traces -> look(traces, seen));
        List<StartUp> startUps =
                seen.values().stream().map(job -> job.startUp(runs.cluster)).toList();
        DemoCluster.awaitIdle(runs.cluster);
        return new Mixed(policy, jobs, startUps);
    }

    private static void look(List<JobTrace> traces, Map<String, Seen> seen) {
        long nowMs = System.currentTimeMillis();
        for (JobTrace trace : traces) {
            ApplicationView view = trace.view();
            Seen job = seen.get(trace.job().name());
            if (view != null && job != null) {
                job.look(view, nowMs);
            }
        }
    }
}
