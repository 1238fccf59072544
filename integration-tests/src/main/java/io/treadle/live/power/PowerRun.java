// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.power;

import io.treadle.cluster.ApplicationView;
import io.treadle.cluster.ApplicationViews;
import io.treadle.cluster.EmbeddedCluster;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.demo.ClientLauncher;
import io.treadle.demo.DemoCluster;
import io.treadle.demo.DemoException;
import io.treadle.demo.DemoJob;
import io.treadle.demo.DemoResult;
import io.treadle.demo.JobTrace;
import io.treadle.demo.MixRun;
import io.treadle.demo.Python;
import io.treadle.demo.Screen;
import io.treadle.demo.Scripts;
import io.treadle.demo.StatusReader;
import io.treadle.live.StartUp;
import io.treadle.rm.scheduler.TreadleScheduler;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Runs jobs of {@link PoweredWork} on a cluster that is up, and watches what is drawn meanwhile. */
final class PowerRun {
    private static final int STORE_TRIES = 60;
    private static final long STORE_PAUSE_MS = 500;

    private final EmbeddedCluster cluster;
    private final Screen screen;

    PowerRun(EmbeddedCluster cluster, Screen screen) {
        this.cluster = cluster;
        this.screen = screen;
    }

    /** Returns when all have ended and the cluster is idle. */
    PowerOutcome run(List<DemoJob> jobs, String policy) throws InterruptedException {
        PoweredSpecs specs = new PoweredSpecs(
                Python.interpreter(),
                Scripts.extract("powered.py", cluster.workDirectory().resolve("scripts")));
        try (ClientLauncher launcher = new ClientLauncher(cluster.configuration());
                PowerWatch watch = new PowerWatch(cluster)) {
            StatusReader statuses = new StatusReader(cluster.workDirectory().resolve("history"));
            Map<String, PowerSeen> seen = new LinkedHashMap<>();
            jobs.forEach(job -> seen.put(job.name(), new PowerSeen()));
            List<DemoResult.Job> ended = new MixRun(new ApplicationViews(cluster), launcher, specs, statuses, screen)
                    .run(jobs, policy, DemoCluster.queueOf(policy), true, traces -> look(traces, seen));
            List<PowerWatch.Sample> samples = watch.samples();
            DemoCluster.awaitIdle(cluster);
            Map<String, Double> joules = new LinkedHashMap<>();
            ended.forEach(job -> joules.put(job.name(), watch.joules(job.applicationId())));
            List<StartUp> startUps =
                    seen.values().stream().map(job -> job.startUp(cluster)).toList();
            List<Double> pauses = seen.values().stream()
                    .flatMap(job -> job.pauses(cluster).stream())
                    .toList();
            return new PowerOutcome(ended, startUps, pauses, joules, samples, profiles(jobs));
        }
    }

    private static void look(List<JobTrace> traces, Map<String, PowerSeen> seen) {
        long nowMs = System.currentTimeMillis();
        for (JobTrace trace : traces) {
            ApplicationView view = trace.view();
            PowerSeen job = seen.get(trace.job().name());
            if (view != null && job != null) {
                job.look(view, nowMs);
            }
        }
    }

    /** The profiles of the jobs' models, or those that are there when time is up. */
    private Map<String, ProfileRecord> profiles(List<DemoJob> jobs) throws InterruptedException {
        Set<String> tags = jobs.stream().map(job -> job.work().modelTag()).collect(Collectors.toSet());
        Map<String, ProfileRecord> byTag = profiles();
        // They are stored some time after their jobs have ended.
        for (int tries = 0; tries < STORE_TRIES && !byTag.keySet().containsAll(tags); tries++) {
            TimeUnit.MILLISECONDS.sleep(STORE_PAUSE_MS);
            byTag = profiles();
        }
        return byTag;
    }

    private Map<String, ProfileRecord> profiles() throws InterruptedException {
        TreadleScheduler scheduler =
                (TreadleScheduler) cluster.resourceManager().getResourceScheduler();
        try {
            Map<String, ProfileRecord> byTag = new LinkedHashMap<>();
            scheduler.profiles().orElseThrow().all().forEach((key, profile) -> byTag.put(profile.modelTag(), profile));
            return byTag;
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) { // Curator declares no narrower type.
            throw new DemoException("the profiles cannot be read from ZooKeeper: " + e.getMessage(), e);
        }
    }
}
