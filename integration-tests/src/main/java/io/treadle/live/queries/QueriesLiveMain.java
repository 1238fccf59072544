// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.queries;

import io.treadle.cluster.EmbeddedCluster;
import io.treadle.cluster.NodeShape;
import io.treadle.demo.DemoException;
import io.treadle.demo.GatedScreen;
import io.treadle.demo.Shutdown;
import io.treadle.live.LiveCommand;
import io.treadle.live.Shown;
import io.treadle.simulator.bench.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.util.VersionInfo;

/** {@code treadle bench compass --live}. */
public final class QueriesLiveMain implements LiveCommand.Bench {
    private static final double EXPECTED_SECONDS = 560;
    private static final List<NodeShape> NODES = List.of(new NodeShape("n1", 4096, 4, List.of()));
    private static final List<String> POLICIES = List.of("compass", "hash");
    private static final List<Double> LOADS = List.of(0.4, 0.7);
    private static final int CLIENTS = 16;

    private static final String USAGE =
            """
            usage: treadle bench compass --live [--seed N] [--out DIR] [--quick] [--help]

            Starts an embedded Hadoop cluster and on it services of two workers that run ONNX models. Queries of several
            models come at random at two loads, under two policies; how long they take is held against what the simulator
            makes of the same queries, from the services' own profiles. Then it is counted how many tasks that do nothing a
            service runs in a second. Takes nine minutes or so.

              --seed N   of the arrivals (default 1)
              --out DIR  where summary.json, bench.md, bench.html and latencies.csv go (default out/bench-compass-live)
              --quick    a look at it at one load, in two minutes: its figures say little

            Exit code 0; 1 where a goal was missed; 2 for wrong input or where queries failed.
            """;

    private final long seed;

    private QueriesLiveMain(long seed) {
        this.seed = seed;
    }

    public static void main(String[] arguments) {
        SeedOption seed = SeedOption.takeFrom(List.of(arguments));
        LiveCommand.main(new QueriesLiveMain(seed.seed()), seed.others().toArray(String[]::new));
    }

    @Override
    public String name() {
        return "compass";
    }

    @Override
    public String usage() {
        return USAGE;
    }

    @Override
    public double expectedSeconds() {
        return EXPECTED_SECONDS;
    }

    @Override
    public Shown run(boolean quick, GatedScreen screen) throws InterruptedException {
        Machine machine = Machine.here();
        Path directory = scratch();
        screen.line(String.format(
                Locale.ROOT,
                "Treadle live: embedded Hadoop %s, services of %d workers of one core",
                VersionInfo.getVersion(),
                ServiceTexts.WORKERS));
        try (Shutdown shutdown = new Shutdown(screen)) {
            EmbeddedCluster cluster = start(shutdown);
            LoadedRuns runs = quick
                    ? new LoadedRuns(cluster, directory, screen, 8, 15, seed)
                    : new LoadedRuns(cluster, directory, screen, 15, 90, seed);
            List<Beside> results = new ArrayList<>();
            for (String policy : POLICIES) {
                results.addAll(runs.run(policy, quick ? LOADS.subList(0, 1) : LOADS));
            }
            screen.line("tasks that do nothing");
            EmptyTasks empty = quick ? new EmptyTasks(CLIENTS, 5, 5) : new EmptyTasks(CLIENTS, 15, 20);
            return QueriesShown.of(machine, results, empty.run(cluster, directory), empty, !quick);
        }
    }

    private static EmbeddedCluster start(Shutdown shutdown) throws InterruptedException {
        EmbeddedCluster.Builder builder = EmbeddedCluster.builder();
        NODES.forEach(builder::node);
        try {
            return builder.start(shutdown::owns);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw new DemoException("the cluster did not start: " + e.getMessage(), e);
        }
    }

    private static Path scratch() {
        try {
            return Files.createTempDirectory("treadle-bench-compass");
        } catch (IOException e) {
            throw new DemoException("no directory for models: " + e.getMessage(), e);
        }
    }
}
