// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.power;

import io.treadle.cluster.EmbeddedCluster;
import io.treadle.demo.CpuShare;
import io.treadle.demo.DemoCluster;
import io.treadle.demo.GatedScreen;
import io.treadle.demo.Shutdown;
import io.treadle.live.LiveCommand;
import io.treadle.live.Shown;
import io.treadle.simulator.bench.Machine;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.util.VersionInfo;

/** {@code treadle bench powerflow --live}. */
public final class PowerLiveMain implements LiveCommand.Bench {
    private static final double EXPECTED_SECONDS = 240;
    /** Workers sleep as long as GPUs would take: they need next to no CPU. */
    private static final int VCORES = 32;

    private static final String USAGE =
            """
            usage: treadle bench powerflow --live [--out DIR] [--quick] [--help]

            Starts an embedded Hadoop cluster with simulated GPUs that draw power and take caps. There a job of each model
            trains while its energy is measured; then a mix of jobs of these models runs under a budget of half of what the
            nodes could draw, and the simulator foretells the same mix from the profiles. Workers sleep as long as GPUs
            would take; containers, checkpoints and all of Treadle are real. Takes six minutes or so; needs Python 3.

              --out DIR  where summary.json, bench.md, bench.html, jobs.csv, draw.csv and profiles/ go
                         (default out/bench-powerflow-live)
              --quick    a look at everything with few jobs, in two minutes: its figures say nothing

            Exit code 0; 1 where a job failed or a goal was missed; 2 for wrong input.
            """;

    private PowerLiveMain() {}

    public static void main(String[] arguments) {
        LiveCommand.main(new PowerLiveMain(), arguments);
    }

    @Override
    public String name() {
        return "powerflow";
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
        CpuShare share = CpuShare.of(Runtime.getRuntime().availableProcessors(), VCORES);
        screen.line(String.format(
                Locale.ROOT,
                "Treadle live: embedded Hadoop %s, %d nodes of %d simulated GPUs of %d W; a node draws %d W itself and a"
                        + " tenth of its GPUs' draw",
                VersionInfo.getVersion(),
                PowerNodes.COUNT,
                PowerNodes.GPUS,
                PowerNodes.GPU_WATTS,
                PowerNodes.HOST_WATTS));
        try (Shutdown shutdown = new Shutdown(screen)) {
            EmbeddedCluster cluster = DemoCluster.start(
                    PowerNodes.ALL, List.of(PowerBench.POLICY), share, shutdown::owns, PowerNodes.settings(""));
            DemoCluster.describe(cluster);
            PowerMix mix = quick ? PowerMix.QUICK : PowerMix.USUAL;
            return PowerShown.of(new PowerBench(mix, machine, screen).run(cluster));
        }
    }
}
