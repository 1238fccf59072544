// SPDX-License-Identifier: Apache-2.0
package io.treadle.live;

import io.treadle.am.profile.RateEstimate;
import io.treadle.am.profile.SampleSeries;
import io.treadle.cluster.RunningContainer;
import io.treadle.core.wire.ProgressLine;
import io.treadle.demo.DemoCluster;
import io.treadle.demo.DemoException;
import io.treadle.demo.Work;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * Measures a worker of each kind at every size, resized in place by the ResourceManager, one size after the other and all
 * kinds at the same time. Speeds come from what workers write of themselves; the profiler has no part in it.
 */
final class Exhaustive {
    /** A node tells its worker at its next heartbeat, the worker looks twice a second, and uses up what it had prepared. */
    private static final double SETTLE_SECONDS = 1.5;

    private final LiveRuns runs;
    private final Consumer<String> progress;

    Exhaustive(LiveRuns runs, Consumer<String> progress) {
        this.runs = runs;
        this.progress = progress;
    }

    /**
     * @param sizes vcores, falling, the first so many that only one worker has room on a node
     * @return by model tag, in the order of {@code kinds}
     */
    Map<String, List<SizeSpeed>> run(List<Work> kinds, List<Long> sizes, double secondsPerSize)
            throws InterruptedException {
        EverySize.set(sizes.get(0));
        List<ApplicationId> jobs = new ArrayList<>();
        for (Work work : kinds) {
            jobs.add(runs.submit(LiveKinds.endless("measure-", work), EverySize.NAME, false));
        }
        List<String> containers = new ArrayList<>();
        for (ApplicationId job : jobs) {
            containers.add(runs.awaitWorker(job).containerId());
        }
        LiveRuns.await(
                "the first progress of every worker", () -> containers.stream().allMatch(this::hasBegun));
        Map<String, List<SizeSpeed>> measured = new LinkedHashMap<>();
        kinds.forEach(work -> measured.put(work.modelTag(), new ArrayList<>()));
        for (long size : sizes) {
            EverySize.set(size);
            LiveRuns.await(
                    size + " vcores for every worker", () -> jobs.stream().allMatch(job -> vcores(job) == size));
            sleep(SETTLE_SECONDS);
            double from = System.currentTimeMillis() / 1e3;
            sleep(secondsPerSize);
            double to = System.currentTimeMillis() / 1e3;
            StringBuilder line = new StringBuilder(" " + size + " vcores:");
            for (int i = 0; i < kinds.size(); i++) {
                RateEstimate rate = rate(containers.get(i), from, to);
                String kind = kinds.get(i).modelTag();
                measured.get(kind)
                        .add(new SizeSpeed(size, rate.samplesPerSecond(), rate.relativeError(), secondsPerSize));
                line.append(String.format(Locale.ROOT, " %s %.1f/s", kind, rate.samplesPerSecond()));
            }
            progress.accept(line.toString());
        }
        jobs.forEach(runs.launcher::kill);
        DemoCluster.awaitIdle(runs.cluster);
        return measured;
    }

    private boolean hasBegun(String container) {
        try {
            return Progress.lines(Progress.file(runs.cluster, container)).stream()
                    .anyMatch(line -> line.samples() > 0);
        } catch (DemoException e) {
            return false;
        }
    }

    private long vcores(ApplicationId job) {
        return runs.look(job).workers().stream()
                .mapToLong(RunningContainer::vcores)
                .sum();
    }

    private RateEstimate rate(String container, double from, double to) {
        SampleSeries series = new SampleSeries();
        for (ProgressLine line : Progress.lines(Progress.file(runs.cluster, container))) {
            if (line.ts() <= to) {
                series.add(line.ts(), line.samples());
            }
        }
        return RateEstimate.over(List.of(series), from)
                .orElseThrow(() -> new DemoException(container + " has not said twice in " + Math.round(to - from)
                        + " s how far it is.\nMaybe the machine is busy with something else."));
    }

    private static void sleep(double seconds) throws InterruptedException {
        Thread.sleep(Math.round(seconds * 1000));
    }
}
