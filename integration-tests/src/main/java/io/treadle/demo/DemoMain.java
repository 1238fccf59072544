// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import io.treadle.cluster.EmbeddedCluster;
import io.treadle.cluster.NodeShape;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.util.VersionInfo;

/** {@code treadle demo}. Exit code 0 when every job succeeded, 1 when one did not, 2 when the demo could not run. */
public final class DemoMain {
    private static final double EXPECTED_SECONDS = 120;

    private DemoMain() {}

    public static void main(String[] arguments) {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        int exit;
        try {
            exit = run(DemoOptions.parse(List.of(arguments)), out);
        } catch (DemoException e) {
            out.println("treadle: " + e.getMessage());
            exit = 2;
        } catch (InterruptedException e) {
            exit = 2;
        }
        out.flush();
        // Hadoop leaves threads behind that would keep the JVM alive.
        System.exit(exit);
    }

    private static int run(DemoOptions options, PrintStream out) throws InterruptedException {
        if (options.help()) {
            out.print(DemoOptions.USAGE);
            return 0;
        }
        try (DemoLock lock = DemoLock.take()) {
            DemoReport report = new DemoReport(options.report());
            QuietLogging.to(report.log());
            GatedScreen screen = new GatedScreen(Terminal.screen(out, EXPECTED_SECONDS));
            if (options.servers()) {
                return new ServersDemo(options, report, screen).run() ? 0 : 1;
            }
            if (options.serve()) {
                return new ServeDemo(options, report, screen).run() ? 0 : 1;
            }
            return options.torch() ? torch(options, report, screen) : mix(options, report, screen);
        }
    }

    private static int torch(DemoOptions options, DemoReport report, GatedScreen screen) throws InterruptedException {
        return new TorchDemo(options, report, screen).run() ? 0 : 1;
    }

    private static int mix(DemoOptions options, DemoReport report, GatedScreen screen) throws InterruptedException {
        List<NodeShape> nodes = DemoNodes.ALL;
        int processors = Runtime.getRuntime().availableProcessors();
        CpuShare share = CpuShare.of(processors, DemoNodes.vcores(nodes));
        screen.line(String.format(
                Locale.ROOT,
                "Treadle demo: embedded Hadoop %s, %d nodes, %d simulated GPUs (%s), ZooKeeper",
                VersionInfo.getVersion(),
                nodes.size(),
                DemoNodes.gpus(nodes),
                DemoNodes.describeDevices(nodes)));
        screen.line(String.format(
                Locale.ROOT,
                " 1 demo vcore = %s: %d vcores take at most %.2f of %d cores. Datasets, their part in memory and the"
                        + " disk's speed are 1/%d of what is said. Seed %d.",
                share.describe(),
                DemoNodes.vcores(nodes),
                share.coresPerVcore() * DemoNodes.vcores(nodes),
                processors,
                WorkData.SCALE,
                options.seed()));
        try (Shutdown shutdown = new Shutdown(screen)) {
            EmbeddedCluster cluster = DemoCluster.start(nodes, options.policies(), share, shutdown::owns);
            screen.line(" RM page  " + cluster.webAddress() + "/cluster/treadle"
                    + (options.keep() ? "" : "      (keep the cluster afterwards: --keep)"));
            DemoResult result = new Demo(options, report, screen, share).run(cluster);
            if (options.keep()) {
                KeptCluster.keep(cluster, options.policies(), report, screen);
            }
            return result.jobs().stream().allMatch(DemoResult.Job::succeeded) ? 0 : 1;
        }
    }
}
