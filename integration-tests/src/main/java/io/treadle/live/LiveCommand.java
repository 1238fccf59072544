// SPDX-License-Identifier: Apache-2.0
package io.treadle.live;

import io.treadle.demo.DemoException;
import io.treadle.demo.DemoLock;
import io.treadle.demo.GatedScreen;
import io.treadle.demo.QuietLogging;
import io.treadle.demo.Terminal;
import io.treadle.simulator.bench.synergy.Section;
import io.treadle.simulator.result.TextTable;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * {@code treadle bench NAME --live}. Exit code 0; 1 where a job failed or a goal was missed; 2 when the bench could not run.
 */
public final class LiveCommand {
    /** What is measured. */
    public interface Bench {
        /** As on the command line. */
        String name();

        /** For {@code --help}. */
        String usage();

        /** How long a run of jobs takes about, s. */
        double expectedSeconds();

        /**
         * Starts a cluster, measures and stops it.
         *
         * @param quick whether only a look is wanted
         */
        Shown run(boolean quick, GatedScreen screen) throws InterruptedException;
    }

    private LiveCommand() {}

    /** Ends the process. */
    public static void main(Bench bench, String[] arguments) {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        int exit;
        try {
            exit = run(bench, LiveOptions.parse(List.of(arguments), bench.name()), out);
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

    private static int run(Bench bench, LiveOptions options, PrintStream out) throws InterruptedException {
        if (options.help()) {
            out.print(bench.usage());
            return 0;
        }
        try (DemoLock lock = DemoLock.take()) {
            LiveFiles files = new LiveFiles(options.out());
            QuietLogging.to(files.log());
            Shown shown = bench.run(options.quick(), new GatedScreen(Terminal.screen(out, bench.expectedSeconds())));
            files.write(shown);
            show(shown, out);
            out.println("written to " + options.out());
            return shown.failed().isEmpty() && shown.missed().isEmpty() ? 0 : 1;
        }
    }

    private static void show(Shown shown, PrintStream out) {
        out.println();
        for (Section section : shown.sections()) {
            out.println(section.heading());
            out.print(TextTable.of(section.rows()));
            out.println(section.text() + "\n");
        }
        out.println(shown.on());
        shown.failed().forEach(out::println);
        shown.missed().forEach(line -> out.println("missed: " + line));
    }
}
