// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.sweep;

import io.treadle.simulator.cluster.ClusterReader;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.replay.InParallel;
import io.treadle.simulator.replay.PolicyRuns;
import io.treadle.simulator.replay.ReplayRequest;
import io.treadle.simulator.result.Summary;
import io.treadle.simulator.result.SweepRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Policies at points. Each point has a directory with what a simulation on its own would write there. */
public final class Sweep {
    /** In the output directory, where the points' directories lie. */
    public static final String POINTS = "points";

    private final List<PointRuns> points = new ArrayList<>();
    private final Path out;
    private final boolean pages;

    /**
     * @param points of different names, in the order of the results
     * @param policies of different names
     * @param pages whether each point gets its own report
     */
    public Sweep(Path out, List<SweepPoint> points, List<String> policies, boolean pages) {
        this(out, points, point -> policies, pages);
    }

    /**
     * @param points of different names, in the order of the results
     * @param policies those of each point, of different names
     * @param pages whether each point gets its own report
     */
    public Sweep(Path out, List<SweepPoint> points, Function<SweepPoint, List<String>> policies, boolean pages) {
        this.out = out;
        this.pages = pages;
        points.forEach(
                point -> this.points.add(new PointRuns(point, directory(out, point), policies.apply(point), pages)));
    }

    /**
     * Runs what is not done yet.
     *
     * @param threads how many runs go on at the same time
     * @param again whether to run also what is done
     * @return one row for each point and policy, in their order
     * @throws io.treadle.simulator.input.InputException if a trace cannot be read, or results cannot be written
     */
    public List<SweepRow> run(int threads, boolean again, SweepWatcher watcher) {
        Map<PointRuns, List<Summary>> summaries = new ConcurrentHashMap<>();
        int done = 0;
        List<PointRuns> open = new ArrayList<>();
        for (PointRuns point : points) {
            PointRuns.Before before = again ? new PointRuns.Before(0, Optional.empty()) : point.before();
            done += before.done();
            before.all().ifPresentOrElse(all -> summaries.put(point, all), () -> open.add(point));
        }
        watcher.begins(
                points.stream().mapToInt(point -> point.policies().size()).sum(), done);
        Map<SweepPoint, PointRuns> runs = new HashMap<>();
        open.forEach(point -> runs.put(point.point(), point));
        SharedReplays replays = new SharedReplays(
                open.stream().map(PointRuns::point).toList(),
                point -> Objects.requireNonNull(runs.get(point)).policies().size());
        List<Runnable> work = new ArrayList<>();
        for (SweepPoint point : byTrace(open.stream().map(PointRuns::point).toList())) {
            PointRuns own = Objects.requireNonNull(runs.get(point));
            for (String policy : own.policies()) {
                work.add(() -> {
                    own.run(policy, again, replays, watcher).ifPresent(all -> summaries.put(own, all));
                    replays.release(point);
                });
            }
        }
        InParallel.run(threads, work);
        watcher.ends();
        List<SweepRow> rows = new ArrayList<>();
        for (PointRuns point : points) {
            int nodes = nodes(point.point());
            Objects.requireNonNull(summaries.get(point))
                    .forEach(summary -> rows.add(row(point.point(), nodes, summary)));
        }
        return rows;
    }

    private static SweepRow row(SweepPoint point, int nodes, Summary summary) {
        return new SweepRow(
                point.name(),
                point.load().isPresent() ? point.load().getAsDouble() : null,
                point.seed().isPresent() ? point.seed().getAsLong() : null,
                nodes,
                summary);
    }

    /** Those of one trace after one another, so that few traces are in memory at a time. */
    static List<SweepPoint> byTrace(List<SweepPoint> points) {
        Map<ReplayRequest, List<SweepPoint>> traces = new LinkedHashMap<>();
        points.forEach(point ->
                traces.computeIfAbsent(point.trace(), key -> new ArrayList<>()).add(point));
        return traces.values().stream().flatMap(List::stream).toList();
    }

    /** Whether a policy at a point need not run again. */
    static boolean isDone(Path out, SweepPoint point, String policy, boolean pages) {
        Path directory = directory(out, point);
        return PolicyRuns.finished(directory, point.request(), point.options())
                        .find(policy)
                        .isPresent()
                && PolicyRuns.files(policy, point.options(), pages).stream()
                        .allMatch(name -> Files.exists(directory.resolve(name)));
    }

    /**
     * For each run that is to be done a file that is not there until it is.
     *
     * @param again whether to run also what is done
     * @throws InputException if what is left of other runs cannot be removed
     */
    public List<Path> open(boolean again) {
        List<Path> open = new ArrayList<>();
        for (PointRuns runs : points) {
            for (String policy : runs.policies()) {
                if (again || !isDone(out, runs.point(), policy, pages)) {
                    List<String> files = PolicyRuns.files(policy, runs.point().options(), pages);
                    Path last = directory(out, runs.point()).resolve(files.get(files.size() - 1));
                    try {
                        Files.deleteIfExists(last);
                    } catch (IOException e) {
                        throw new InputException("cannot write to " + out + ": " + e.getMessage() + ".", e);
                    }
                    open.add(last);
                }
            }
        }
        return open;
    }

    /** Where a point's results lie in a sweep's directory. */
    static Path directory(Path out, SweepPoint point) {
        return out.resolve(POINTS).resolve(point.name());
    }

    private static int nodes(SweepPoint point) {
        return point.nodes()
                .orElseGet(() -> ClusterReader.read(point.request().cluster()).nodes());
    }
}
