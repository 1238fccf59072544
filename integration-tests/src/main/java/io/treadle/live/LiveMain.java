// SPDX-License-Identifier: Apache-2.0
package io.treadle.live;

import io.treadle.cluster.EmbeddedCluster;
import io.treadle.demo.CpuShare;
import io.treadle.demo.DemoCluster;
import io.treadle.demo.GatedScreen;
import io.treadle.demo.Shutdown;
import io.treadle.simulator.bench.Machine;
import java.util.Locale;
import org.apache.hadoop.util.VersionInfo;

/** {@code treadle bench synergy --live}. */
public final class LiveMain implements LiveCommand.Bench {
    private static final double EXPECTED_SECONDS = 120;
    private static final String USAGE =
            """
            usage: treadle bench synergy --live [--out DIR] [--quick] [--help]

            Starts an embedded Hadoop cluster with simulated GPUs. There it profiles each kind of worker, measures the same
            workers at every size, runs a mix of jobs under fifo+proportional and under fifo+synergy-balanced, and replays
            that mix in the simulator from the recorded profiles. Takes nine minutes or so on two cores with nothing else to
            do; needs Python 3.

              --out DIR  where summary.json, bench.md, bench.html, jobs.csv, curves.csv and profiles/ go
                         (default out/bench-synergy-live)
              --quick    a look at everything with few jobs and sizes, in two minutes: its figures say nothing

            Exit code 0; 1 where a job failed or a goal was missed; 2 for wrong input.
            """;

    private LiveMain() {}

    public static void main(String[] arguments) {
        LiveCommand.main(new LiveMain(), arguments);
    }

    @Override
    public String name() {
        return "synergy";
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
        int processors = Runtime.getRuntime().availableProcessors();
        CpuShare share = CpuShare.of(processors, LiveNodes.vcores());
        screen.line(String.format(
                Locale.ROOT,
                "Treadle live: embedded Hadoop %s, %d nodes of %d simulated GPUs; 1 vcore = %s, %d vcores take at most"
                        + " %.2f of %d cores",
                VersionInfo.getVersion(),
                LiveNodes.ALL.size(),
                LiveNodes.GPUS,
                share.describe(),
                LiveNodes.vcores(),
                share.coresPerVcore() * LiveNodes.vcores(),
                processors));
        try (Shutdown shutdown = new Shutdown(screen)) {
            EmbeddedCluster cluster =
                    DemoCluster.start(LiveNodes.ALL, LiveBench.POLICIES, share, shutdown::owns, LiveNodes.SETTINGS);
            DemoCluster.describe(cluster);
            LiveSizes sizes = quick ? LiveSizes.QUICK : LiveSizes.USUAL;
            return LiveShown.of(new LiveBench(sizes, share, machine, screen).run(cluster));
        }
    }
}
