// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.sweep;

import io.treadle.simulator.cluster.ClusterReader;
import io.treadle.simulator.replay.InParallel;
import io.treadle.simulator.replay.ReplayRequest;
import io.treadle.simulator.result.Summary;
import io.treadle.simulator.result.SweepRow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Policies at points. Each point has a directory with what a simulation on its own would write there. */
public final class Sweep {
    /** In the output directory, where the points' directories lie. */
    public static final String POINTS = "points";

    private final List<PointRuns> points = new ArrayList<>();
    private final List<String> policies;

    /**
     * @param points of different names, in the order of the results
     * @param policies of different names
     * @param pages whether each point gets its own report
     */
    public Sweep(Path out, List<SweepPoint> points, List<String> policies, boolean pages) {
        this.policies = List.copyOf(policies);
        points.forEach(point ->
                this.points.add(new PointRuns(point, out.resolve(POINTS).resolve(point.name()), this.policies, pages)));
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
        watcher.begins(points.size() * policies.size(), done);
        SharedReplays replays =
                new SharedReplays(open.stream().map(PointRuns::point).toList());
        List<Runnable> work = new ArrayList<>();
        for (PointRuns point : byTrace(open)) {
            for (String policy : policies) {
                work.add(() -> point.run(policy, again, replays, watcher).ifPresent(all -> summaries.put(point, all)));
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
    private static List<PointRuns> byTrace(List<PointRuns> points) {
        Map<ReplayRequest, List<PointRuns>> traces = new LinkedHashMap<>();
        points.forEach(point -> traces.computeIfAbsent(point.point().trace(), key -> new ArrayList<>())
                .add(point));
        return traces.values().stream().flatMap(List::stream).toList();
    }

    private static int nodes(SweepPoint point) {
        return point.nodes()
                .orElseGet(() -> ClusterReader.read(point.request().cluster()).nodes());
    }
}
