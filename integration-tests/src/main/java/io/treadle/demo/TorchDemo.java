// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.cluster.ApplicationViews;
import io.treadle.cluster.DeviceShape;
import io.treadle.cluster.EmbeddedCluster;
import io.treadle.cluster.NodeShape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.apache.hadoop.util.VersionInfo;

/**
 * Real PyTorch: two processes train with DistributedDataParallel, are profiled and resized, one is killed on purpose,
 * and the job goes on from its checkpoint.
 */
final class TorchDemo {
    static final double LEAST_ACCURACY = 0.95;

    private static final List<NodeShape> NODES = List.of(
            new NodeShape("n1", 4096, 5, List.of(new DeviceShape(1, "T4", 15360, 70))),
            new NodeShape("n2", 4096, 5, List.of(new DeviceShape(1, "V100-SXM2-16GB", 16384, 300))));
    /** PyTorch's own start-up takes seconds of CPU time: a vcore has to be worth more than in the mix. */
    private static final double MOST_CORES_PER_VCORE = 0.25;

    private static final double PART_OF_MACHINE = 0.75;

    private final DemoOptions options;
    private final DemoReport report;
    private final GatedScreen screen;

    TorchDemo(DemoOptions options, DemoReport report, GatedScreen screen) {
        this.options = options;
        this.report = report;
        this.screen = screen;
    }

    /** Whether everything that the demo promises was seen. */
    boolean run() throws InterruptedException {
        new TorchPackages(screen, report.directory().resolve("apt.log")).ensure();
        int processors = Runtime.getRuntime().availableProcessors();
        double fair = PART_OF_MACHINE * processors / DemoNodes.vcores(NODES);
        CpuShare share = new CpuShare(Math.min(MOST_CORES_PER_VCORE, fair));
        String policy = options.policies().get(0);
        screen.line(String.format(
                Locale.ROOT,
                "Treadle PyTorch demo: embedded Hadoop %s, 2 nodes with a simulated GPU each, 1 demo vcore = %s",
                VersionInfo.getVersion(),
                share.describe()));
        try (Shutdown shutdown = new Shutdown(screen)) {
            EmbeddedCluster cluster = DemoCluster.start(NODES, List.of(policy), share, shutdown::owns);
            screen.line(" RM page  " + cluster.webAddress() + "/cluster/treadle");
            boolean good = run(cluster, policy, share);
            if (options.keep()) {
                KeptCluster.keep(cluster, List.of(policy), report, screen);
            }
            return good;
        }
    }

    private boolean run(EmbeddedCluster cluster, String policy, CpuShare share) throws InterruptedException {
        Path work = cluster.workDirectory();
        Path resultFile = work.resolve("digits-result.json");
        TorchJob source = new TorchJob(Scripts.extract(TorchJob.SCRIPT, work.resolve("scripts")), resultFile);
        WorkerKiller killer = new WorkerKiller(screen, work, TorchJob.SCRIPT);
        List<DemoResult.Node> nodes = DemoCluster.describe(cluster);
        List<DemoResult.Job> jobs;
        try (ClientLauncher launcher = new ClientLauncher(cluster.configuration())) {
            StatusReader statuses = new StatusReader(work.resolve("history"));
            jobs = new MixRun(new ApplicationViews(cluster), launcher, source, statuses, screen)
                    .run(List.of(TorchJob.job()), policy, DemoCluster.queueOf(policy), true, killer);
        }
        OptionalDouble accuracy = accuracy(resultFile);
        report.write(new DemoResult(
                VersionInfo.getVersion(),
                options.seed(),
                share.coresPerVcore(),
                nodes,
                List.of(policy),
                jobs,
                accuracy));
        return show(jobs.get(0), accuracy, killer.killed());
    }

    private static OptionalDouble accuracy(Path file) {
        try {
            return OptionalDouble.of(new ObjectMapper()
                    .readTree(file.toFile())
                    .path("testAccuracy")
                    .asDouble());
        } catch (IOException e) {
            return OptionalDouble.empty();
        }
    }

    private boolean show(DemoResult.Job job, OptionalDouble accuracy, boolean killed) {
        screen.line("");
        boolean good = tell(job.succeeded(), "job " + job.applicationId() + " ended as " + job.finalStatus());
        good &= tell(job.gang().equals("2/2"), "gang of " + job.gang() + " ran at once");
        good &= tell(
                job.profile().size() > 1, "speed measured at " + job.profile().size() + " sizes");
        good &= tell(!job.resizes().isEmpty(), job.resizes().size() + " resizes in place");
        good &= tell(
                killed && job.restarts() > 0,
                "after kill -9 of a worker: " + job.restarts() + " restart from the checkpoint");
        good &= tell(
                accuracy.orElse(0) >= LEAST_ACCURACY,
                String.format(Locale.ROOT, "test accuracy %.1f %%", accuracy.orElse(0) * 100));
        screen.line(" report: " + report.page());
        return good;
    }

    private boolean tell(boolean good, String what) {
        screen.line((good ? " ok    " : " SHORT ") + what);
        return good;
    }
}
