// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import io.treadle.cluster.ApplicationViews;
import io.treadle.cluster.EmbeddedCluster;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.apache.hadoop.util.VersionInfo;

/** The mix of jobs on an embedded cluster, under one policy after the other. */
final class Demo {
    private final DemoOptions options;
    private final DemoReport report;
    private final Screen screen;
    private final CpuShare share;

    Demo(DemoOptions options, DemoReport report, Screen screen, CpuShare share) {
        this.options = options;
        this.report = report;
        this.screen = screen;
        this.share = share;
    }

    /** Runs everything on {@code cluster} and writes the report. */
    DemoResult run(EmbeddedCluster cluster) throws InterruptedException {
        List<DemoResult.Node> nodes = DemoCluster.describe(cluster);
        Path trainer = Scripts.extract("trainer.py", cluster.workDirectory().resolve("scripts"));
        JobSpecs specs = new JobSpecs(Python.interpreter(), trainer, share);
        StatusReader statuses = new StatusReader(cluster.workDirectory().resolve("history"));
        List<DemoJob> mix = JobMix.of(options.seed());
        List<DemoResult.Job> jobs = new ArrayList<>();
        try (ClientLauncher launcher = new ClientLauncher(cluster.configuration())) {
            MixRun run = new MixRun(new ApplicationViews(cluster), launcher, specs, statuses, screen);
            for (String policy : options.policies()) {
                screen.line("");
                screen.line(jobs.isEmpty() ? " " + mix.size() + " jobs, " + policy : " same jobs, " + policy);
                jobs.addAll(run.run(mix, policy, DemoCluster.queueOf(policy), !policy.equals(DemoOptions.BASELINE)));
                DemoCluster.awaitIdle(cluster);
            }
        }
        DemoResult result = new DemoResult(
                VersionInfo.getVersion(),
                options.seed(),
                share.coresPerVcore(),
                nodes,
                options.policies(),
                jobs,
                OptionalDouble.empty());
        report.write(result);
        show(result);
        return result;
    }

    private void show(DemoResult result) {
        screen.line("");
        ComparisonText.lines(result).forEach(screen::line);
        screen.line("");
        ComparisonText.moves(result).forEach(screen::line);
        screen.line(ComparisonText.cpu(result));
        result.jobs().stream()
                .filter(job -> !job.succeeded())
                .forEach(job ->
                        screen.line(" " + job.name() + " under " + job.policy() + " ended as " + job.finalStatus()));
        screen.line(" report: " + report.page());
    }
}
