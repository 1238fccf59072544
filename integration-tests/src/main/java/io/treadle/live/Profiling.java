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
import java.util.List;
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

    private static final class Job {
        final Work work;
        final ApplicationId id;
        final RunningContainer worker;
        Optional<ProfileRecord> profile = Optional.empty();

        Job(Work work, ApplicationId id, RunningContainer worker) {
            this.work = work;
            this.id = id;
            this.worker = worker;
        }
    }

    /**
     * @return in the order of {@code kinds}; the cluster is idle again, and later jobs of the kinds start from the
     *     profiles
     */
    List<Profiled> run(List<Work> kinds, String queue) throws InterruptedException {
        List<ApplicationId> submitted = kinds.stream()
                .map(work -> runs.submit(LiveKinds.endless("profile-", work), queue, true))
                .toList();
        List<Job> jobs = new ArrayList<>();
        for (int i = 0; i < kinds.size(); i++) {
            jobs.add(new Job(kinds.get(i), submitted.get(i), runs.awaitWorker(submitted.get(i))));
        }
        LiveRuns.await("the end of profiling", () -> {
            jobs.forEach(this::look);
            return jobs.stream().allMatch(job -> job.profile.isPresent());
        });
        List<Profiled> profiled = jobs.stream().map(this::profiled).toList();
        jobs.forEach(job -> runs.launcher.kill(job.id));
        DemoCluster.awaitIdle(runs.cluster);
        return profiled;
    }

    private void look(Job job) {
        if (job.profile.isEmpty()) {
            job.profile = ready(job.id);
            job.profile.ifPresent(profile -> progress.accept(
                    " " + job.work.modelTag() + ": " + profile.points().size() + " sizes measured"));
        }
    }

    private Profiled profiled(Job job) {
        ProfileRecord profile = job.profile.orElseThrow();
        double began = began(Progress.lines(Progress.file(runs.cluster, job.worker.containerId())));
        return new Profiled(job.work.modelTag(), profile, job.worker.memoryMiB(), profile.updatedMs() / 1e3 - began);
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
