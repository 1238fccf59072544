// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.servers;

import io.treadle.cluster.EmbeddedCluster;
import io.treadle.cluster.NodeShape;
import io.treadle.core.model.ps.LayeredPsModel;
import io.treadle.core.model.ps.PsModels;
import io.treadle.core.model.ps.PsSize;
import io.treadle.core.wire.ProfileServers;
import io.treadle.demo.CpuShare;
import io.treadle.demo.DemoCluster;
import io.treadle.demo.DemoException;
import io.treadle.demo.GatedScreen;
import io.treadle.demo.Shutdown;
import io.treadle.demo.TorchPackages;
import io.treadle.demo.servers.ServersJobs;
import io.treadle.live.LiveCommand;
import io.treadle.live.Shown;
import io.treadle.simulator.bench.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.util.VersionInfo;

/** {@code treadle bench smd --live}. */
public final class ServersLiveMain implements LiveCommand.Bench {
    private static final double EXPECTED_SECONDS = 300;
    /** So that four workers and four servers together leave some of two cores. */
    private static final CpuShare SHARE = new CpuShare(0.1);

    private static final PsSize MOST = new PsSize(4, 4);
    private static final List<NodeShape> NODES = List.of(new NodeShape("n1", 12_288, 20, List.of()));
    private static final Map<String, String> SETTINGS = Map.of(
            "yarn.scheduler.treadle.smd.interval-ms", "1000",
            "yarn.scheduler.treadle.smd.capacity-factor", "1",
            "yarn.scheduler.treadle.power.rescale-seconds", "1",
            "treadle.profile.servers.seconds", "8");
    private static final List<PsSize> UNSEEN =
            List.of(new PsSize(3, 1), new PsSize(2, 2), new PsSize(3, 2), new PsSize(4, 2), new PsSize(3, 3));
    private static final double MEASURED_SECONDS = 15;

    private static final String USAGE =
            """
            usage: treadle bench smd --live [--out DIR] [--quick] [--help]

            Starts an embedded Hadoop cluster on which PyTorch trains scikit-learn's digits with workers and parameter
            servers. The scheduler gives the job the numbers of both that its ApplicationMaster asks for; from these its
            speed is foretold at five others, at which jobs then train. A vcore is a tenth of a core. Takes six minutes or
            so; needs PyTorch and scikit-learn (installed with apt-get where that may be done).

              --out DIR  where summary.json, bench.md, bench.html and sizes.csv go (default out/bench-smd-live)
              --quick    a look at it with two of those sizes, in three minutes: its figures say little

            Exit code 0; 1 where a job failed or the goal was missed; 2 for wrong input.
            """;

    private ServersLiveMain() {}

    public static void main(String[] arguments) {
        LiveCommand.main(new ServersLiveMain(), arguments);
    }

    @Override
    public String name() {
        return "smd";
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
        new TorchPackages(screen, directory.resolve("apt.log")).ensure();
        screen.line(String.format(
                Locale.ROOT,
                "Treadle live: embedded Hadoop %s, a node of %d vcores; 1 vcore = %s",
                VersionInfo.getVersion(),
                NODES.get(0).vcores(),
                SHARE.describe()));
        try (Shutdown shutdown = new Shutdown(screen)) {
            EmbeddedCluster cluster =
                    DemoCluster.start(NODES, List.of(ServersJobs.POLICY), SHARE, shutdown::owns, SETTINGS);
            DemoCluster.describe(cluster);
            try (SizeRuns runs = new SizeRuns(cluster, directory, screen)) {
                ProfileServers known = runs.learn(MOST);
                LayeredPsModel model = PsModels.model(known.model().orElseThrow());
                List<Foretold> unseen = new ArrayList<>();
                for (PsSize size : quick ? UNSEEN.subList(0, 2) : UNSEEN) {
                    double measured = runs.measure(size, MEASURED_SECONDS);
                    unseen.add(new Foretold(size, measured, model.iterationSeconds(size.workers(), size.servers())));
                }
                return ServersShown.of(machine, known, unseen, !quick);
            }
        }
    }

    private static Path scratch() {
        try {
            return Files.createTempDirectory("treadle-bench-smd");
        } catch (IOException e) {
            throw new DemoException("no directory for checkpoints: " + e.getMessage(), e);
        }
    }
}
