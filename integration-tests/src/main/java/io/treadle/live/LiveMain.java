// SPDX-License-Identifier: Apache-2.0
package io.treadle.live;

import io.treadle.cluster.EmbeddedCluster;
import io.treadle.demo.CpuShare;
import io.treadle.demo.DemoCluster;
import io.treadle.demo.DemoException;
import io.treadle.demo.DemoLock;
import io.treadle.demo.GatedScreen;
import io.treadle.demo.QuietLogging;
import io.treadle.demo.Shutdown;
import io.treadle.demo.Terminal;
import io.treadle.simulator.bench.Machine;
import io.treadle.simulator.bench.synergy.Section;
import io.treadle.simulator.result.TextTable;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.util.VersionInfo;

/**
 * {@code treadle bench synergy --live}. Exit code 0; 1 where a job failed or a goal was missed; 2 when the bench could not
 * run.
 */
public final class LiveMain {
    private static final double EXPECTED_SECONDS = 120;

    private LiveMain() {}

    public static void main(String[] arguments) {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        int exit;
        try {
            exit = run(LiveOptions.parse(List.of(arguments)), out);
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

    private static int run(LiveOptions options, PrintStream out) throws InterruptedException {
        if (options.help()) {
            out.print(LiveOptions.USAGE);
            return 0;
        }
        try (DemoLock lock = DemoLock.take()) {
            LiveFiles files = new LiveFiles(options.out());
            QuietLogging.to(files.log());
            LiveSizes sizes = options.quick() ? LiveSizes.QUICK : LiveSizes.USUAL;
            LiveResult result = live(sizes, new GatedScreen(Terminal.screen(out, EXPECTED_SECONDS)));
            files.write(result);
            show(result, out);
            out.println("written to " + options.out());
            return result.failed().isEmpty() && result.missed().isEmpty() ? 0 : 1;
        }
    }

    private static LiveResult live(LiveSizes sizes, GatedScreen screen) throws InterruptedException {
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
            return new LiveBench(sizes, share, machine, screen).run(cluster);
        }
    }

    private static void show(LiveResult result, PrintStream out) {
        out.println();
        for (Section section : LiveSections.of(result)) {
            out.println(section.heading());
            out.print(TextTable.of(section.rows()));
            out.println(section.text() + "\n");
        }
        out.println(LiveFiles.on(result));
        result.failed().forEach(out::println);
        result.missed().forEach(line -> out.println("missed: " + line));
    }
}
