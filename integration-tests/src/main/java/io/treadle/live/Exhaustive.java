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
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * Measures a worker of each kind at every size, resized in place by the ResourceManager, one size after the other and all
 * kinds at the same time. Speeds come from what workers write of themselves; the profiler has no part in it.
 */
final class Exhaustive {
    /** A node tells its worker at its next heartbeat, the worker looks twice a second, and uses up what it had prepared. */
    private static final double SETTLE_SECONDS = 1.5;

    /** Relative standard error to which each speed is measured, where that takes no longer than so many times the least. */
    private static final double ERROR = 0.005;

    private static final double MOST_TIMES = 4;
    private static final double STEP_SECONDS = 2;

    private final LiveRuns runs;
    private final double leastSeconds;
    private final Consumer<String> progress;

    /** @param leastSeconds the shortest that a size is measured */
    Exhaustive(LiveRuns runs, double leastSeconds, Consumer<String> progress) {
        this.leastSeconds = leastSeconds;
        this.runs = runs;
        this.progress = progress;
    }

    /**
     * @param sizes vcores, falling, the first so many that only one worker has room on a node
     * @return by model tag, in the order of {@code kinds}
     */
    Map<String, List<SizeSpeed>> run(List<Work> kinds, List<Long> sizes) throws InterruptedException {
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
        for (long size : sizes) {
            EverySize.set(size);
            LiveRuns.await(
                    size + " vcores for every worker", () -> jobs.stream().allMatch(job -> vcores(job) == size));
            sleep(SETTLE_SECONDS);
            List<SizeSpeed> speeds = measure(size, containers);
            StringBuilder line = new StringBuilder(" " + size + " vcores:");
            for (int i = 0; i < kinds.size(); i++) {
                String kind = kinds.get(i).modelTag();
                measured.computeIfAbsent(kind, name -> new ArrayList<>()).add(speeds.get(i));
                line.append(String.format(
                        Locale.ROOT, "  %s %.1f/s", kind, speeds.get(i).samplesPerSecond()));
            }
            progress.accept(line.toString());
        }
        jobs.forEach(runs.launcher::kill);
        DemoCluster.awaitIdle(runs.cluster);
        return measured;
    }

    /** Each worker until its speed is known well enough, all of them as long as the one that takes longest. */
    private List<SizeSpeed> measure(long size, List<String> containers) throws InterruptedException {
        double from = System.currentTimeMillis() / 1e3;
        double[] known = new double[containers.size()];
        List<SizeSpeed> speeds = new ArrayList<>();
        for (double seconds = leastSeconds; speeds.isEmpty(); seconds += STEP_SECONDS) {
            double to = from + seconds;
            sleep(to - System.currentTimeMillis() / 1e3);
            boolean isLast = seconds + STEP_SECONDS > leastSeconds * MOST_TIMES;
            List<Optional<RateEstimate>> rates = new ArrayList<>();
            for (int i = 0; i < containers.size(); i++) {
                Optional<RateEstimate> rate = rate(containers.get(i), from, to);
                if (rate.isEmpty() && isLast) {
                    throw new DemoException(containers.get(i) + " has not said twice in " + Math.round(to - from)
                            + " s how far it is.\nMaybe the machine is busy with something else.");
                }
                rates.add(rate);
                boolean isKnown = rate.filter(r -> r.relativeError() <= ERROR).isPresent() || isLast;
                known[i] = known[i] == 0 && isKnown ? seconds : known[i];
            }
            if (Arrays.stream(known).allMatch(s -> s > 0)) {
                for (int i = 0; i < rates.size(); i++) {
                    RateEstimate rate = rates.get(i).orElseThrow();
                    speeds.add(new SizeSpeed(size, rate.samplesPerSecond(), rate.relativeError(), known[i]));
                }
            }
        }
        return speeds;
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

    private Optional<RateEstimate> rate(String container, double from, double to) {
        SampleSeries series = new SampleSeries();
        for (ProgressLine line : Progress.lines(Progress.file(runs.cluster, container))) {
            if (line.ts() <= to) {
                series.add(line.ts(), line.samples());
            }
        }
        return RateEstimate.over(List.of(series), from);
    }

    private static void sleep(double seconds) throws InterruptedException {
        Thread.sleep(Math.max(0, Math.round(seconds * 1000)));
    }
}
