// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import io.treadle.cluster.EmbeddedCluster;
import io.treadle.demo.serve.DemoModels;
import io.treadle.demo.serve.Digits;
import io.treadle.demo.serve.DigitsFile;
import io.treadle.demo.serve.DigitsTraining;
import io.treadle.demo.serve.ExampleImage;
import io.treadle.demo.serve.ServeCluster;
import io.treadle.demo.serve.ServePlan;
import io.treadle.demo.serve.ServeRun;
import io.treadle.demo.serve.ServeText;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.util.VersionInfo;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** Models of real digits answer one load of queries under each policy, while a job trains in the same cluster. */
final class ServeDemo {
    private final DemoOptions options;
    private final DemoReport report;
    private final GatedScreen screen;

    ServeDemo(DemoOptions options, DemoReport report, GatedScreen screen) {
        this.options = options;
        this.report = report;
        this.screen = screen;
    }

    /** Whether everything that the demo promises was seen. */
    boolean run() throws InterruptedException {
        Path directory = report.directory();
        Path file = DigitsPackage.ensure(screen, directory.resolve("apt.log"));
        ServePlan plan = ServePlan.demo(options.seed());
        screen.line(String.format(
                Locale.ROOT,
                "Treadle demo of services: embedded Hadoop %s, 2 nodes with simulated GPUs (models run on the CPU, %d cores"
                        + " for all of it). Seed %d. Takes about four minutes",
                VersionInfo.getVersion(),
                Runtime.getRuntime().availableProcessors(),
                options.seed()));
        screen.line(" training six models on scikit-learn's digits …");
        DemoModels models = DigitsTraining.run(
                directory.resolve("models"), file, plan.sizes(), options.seed(), directory.resolve("training.log"));
        Digits heldOut = DigitsFile.read(file).split(options.seed()).heldOut();
        try (Shutdown shutdown = new Shutdown(screen)) {
            EmbeddedCluster cluster = ServeCluster.start(shutdown::owns);
            screen.line(" RM page  " + cluster.webAddress() + "/cluster/treadle"
                    + (options.keep() ? "" : "      (keep the cluster and a service afterwards: --keep)"));
            ServeRun.Outcome outcome = ServeRun.run(cluster, models, heldOut, plan, options.keep(), screen);
            report.write(outcome.result());
            boolean good = show(outcome);
            if (options.keep()) {
                Path image = directory.resolve("image.json");
                List<String> more = asking(outcome.last(), image, ExampleImage.write(image, heldOut, 0));
                KeptCluster.keep(cluster, ServeCluster.TRAINING, more, report, screen);
            }
            return good;
        }
    }

    private boolean show(ServeRun.Outcome outcome) {
        screen.line("");
        screen.line(" " + outcome.result().setting());
        screen.line("");
        ServeText.lines(outcome.result()).forEach(screen::line);
        screen.line("");
        ServeChecks checks = ServeChecks.of(outcome);
        checks.lines().forEach(screen::line);
        screen.line(" report: " + report.servePage());
        return checks.good();
    }

    /** Commands for a shell in the checkout, as those of {@link KeptCluster#lines}. */
    static List<String> asking(ApplicationId service, Path image, int digit) {
        return List.of(
                "   its service, which is asked for a digit (this one is a " + digit + ")",
                "              ./treadle query " + service + " recognise --input image=@'" + image + "'",
                "              ./treadle status " + service);
    }
}
