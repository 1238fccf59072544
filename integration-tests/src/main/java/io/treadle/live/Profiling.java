// SPDX-License-Identifier: Apache-2.0
package io.treadle.live;

import io.treadle.cluster.RunningContainer;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.ProgressLine;
import io.treadle.demo.DemoCluster;
import io.treadle.demo.DemoException;
import io.treadle.demo.Work;
import io.treadle.rm.scheduler.TreadleScheduler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** Lets Treadle profile a worker of each kind, in place while it trains, all at the same time. */
final class Profiling {
    private final LiveRuns runs;
    private final Consumer<String> progress;

    Profiling(LiveRuns runs, Consumer<String> progress) {
        this.runs = runs;
        this.progress = progress;
    }

    /** @return in the order of {@code kinds}; the cluster is idle again, and later jobs of the kinds start from the profiles */
    List<Profiled> run(List<Work> kinds, String queue) throws InterruptedException {
        Map<Work, ApplicationId> jobs = new LinkedHashMap<>();
        for (Work work : kinds) {
            jobs.put(work, runs.submit(LiveKinds.endless("profile-", work), queue, true));
        }
        Map<Work, RunningContainer> workers = new LinkedHashMap<>();
        for (Work work : kinds) {
            workers.put(work, runs.awaitWorker(jobs.get(work)));
        }
        Map<Work, ProfileRecord> profiles = new LinkedHashMap<>();
        LiveRuns.await("the end of profiling", () -> {
            kinds.stream().filter(work -> !profiles.containsKey(work)).forEach(work -> ready(jobs.get(work))
                    .ifPresent(profile -> {
                        profiles.put(work, profile);
                        progress.accept(
                                " " + work.modelTag() + ": " + profile.points().size() + " sizes measured");
                    }));
            return profiles.size() == kinds.size();
        });
        List<Profiled> profiled = new ArrayList<>();
        for (Work work : kinds) {
            RunningContainer worker = workers.get(work);
            ProfileRecord profile = profiles.get(work);
            double began = began(Progress.lines(Progress.file(runs.cluster, worker.containerId())));
            profiled.add(new Profiled(work.modelTag(), profile, worker.memoryMiB(), profile.updatedMs() / 1e3 - began));
        }
        jobs.values().forEach(runs.launcher::kill);
        DemoCluster.awaitIdle(runs.cluster);
        return profiled;
    }

    /** The profile as the ResourceManager has it, once it is done. */
    private Optional<ProfileRecord> ready(ApplicationId id) {
        runs.look(id);
        TreadleScheduler scheduler =
                (TreadleScheduler) runs.cluster.resourceManager().getResourceScheduler();
        return scheduler
                .gangs()
                .find(id)
                .flatMap(gang -> scheduler.report().job(gang).profile())
                .filter(profile -> profile.phase() == ProfileRecord.Phase.READY
                        && !profile.points().isEmpty());
    }

    /** Wall-clock time of the first sample, seconds. */
    private static double began(List<ProgressLine> lines) {
        return lines.stream()
                .filter(line -> line.samples() > 0)
                .mapToDouble(ProgressLine::ts)
                .findFirst()
                .orElseThrow(() -> new DemoException("a worker was profiled and has done nothing"));
    }
}
