// SPDX-License-Identifier: Apache-2.0
package io.treadle.live;

import io.treadle.cluster.EmbeddedCluster;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.demo.CpuShare;
import io.treadle.demo.DemoCluster;
import io.treadle.demo.DemoJob;
import io.treadle.demo.DemoResult;
import io.treadle.demo.Screen;
import io.treadle.simulator.bench.Machine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Profiles, measures, runs and foretells, on a cluster that is up. */
final class LiveBench {
    static final String BASELINE = "fifo+proportional";
    static final String OURS = "fifo+synergy-balanced";
    /** That of a queue in which each worker that is profiled has a node of its own; the order decides nothing there. */
    static final String PROFILING = "srtf+proportional";
    /** A queue each. */
    static final List<String> POLICIES = List.of(BASELINE, OURS, PROFILING, EverySize.NAME);

    private final LiveSizes sizes;
    private final CpuShare share;
    private final Machine machine;
    private final Screen screen;

    LiveBench(LiveSizes sizes, CpuShare share, Machine machine, Screen screen) {
        this.sizes = sizes;
        this.share = share;
        this.machine = machine;
        this.screen = screen;
    }

    LiveResult run(EmbeddedCluster cluster) throws InterruptedException {
        try (LiveRuns runs = new LiveRuns(cluster, share)) {
            screen.line("\n Profiling a worker of each kind, in place while it trains");
            List<Profiled> profiled =
                    new Profiling(runs, screen::line).run(sizes.kinds(), DemoCluster.queueOf(PROFILING));
            screen.line("\n The same workers at every size");
            Map<String, List<SizeSpeed>> measured =
                    new Exhaustive(runs, sizes.leastSeconds(), screen::line).run(sizes.kinds(), sizes.vcores());
            List<Curve> curves = profiled.stream()
                    .map(kind -> Curve.of(kind, measured.getOrDefault(kind.name(), List.of())))
                    .toList();
            LiveMixRun run = new LiveMixRun(runs, screen);
            List<Mixed> mixes = new ArrayList<>();
            for (String policy : List.of(BASELINE, OURS)) {
                screen.line("\n " + sizes.mix().size() + " jobs, " + policy);
                mixes.add(run.run(sizes.mix(), policy));
            }
            Map<String, ProfileRecord> profiles = new LinkedHashMap<>();
            profiled.forEach(kind -> profiles.put(kind.name(), kind.profile()));
            return result(profiles, curves, mixes);
        }
    }

    private LiveResult result(Map<String, ProfileRecord> profiles, List<Curve> curves, List<Mixed> mixes) {
        List<DemoJob> mix = sizes.mix();
        double appMasters = (double) mix.size() / LiveNodes.ALL.size();
        List<NodeView> nodes = LiveNodes.ALL.stream()
                .map(shape -> Forecast.node(shape, appMasters))
                .toList();
        Forecast forecast = new Forecast(nodes, profiles);
        Map<String, Map<String, Double>> foretold = new LinkedHashMap<>();
        for (Mixed live : mixes) {
            List<Double> arrivals =
                    live.jobs().stream().map(DemoResult.Job::arrivalSeconds).toList();
            foretold.put(live.policy(), forecast.jctSeconds(mix, arrivals, live.startUps(), live.policy()));
        }
        return new LiveResult(sizes.judged(), machine, profiles, curves, mixes, foretold);
    }
}
