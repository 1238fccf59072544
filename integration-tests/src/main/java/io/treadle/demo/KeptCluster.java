// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import io.treadle.cluster.EmbeddedCluster;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A cluster that stays up after the demo: how to reach it from another shell. */
final class KeptCluster {
    private KeptCluster() {}

    /** Says what to paste, and leaves the cluster up until Ctrl-C. */
    static void keep(EmbeddedCluster cluster, List<String> policies, DemoReport report, Screen screen)
            throws InterruptedException {
        keep(cluster, DemoCluster.queueOf(policies.get(0)), List.of(), report, screen);
    }

    /** @param more what else there is to paste */
    static void keep(EmbeddedCluster cluster, String queue, List<String> more, DemoReport report, Screen screen)
            throws InterruptedException {
        Path conf = report.directory().resolve("conf").toAbsolutePath();
        writeSettings(cluster, conf);
        lines(cluster.webAddress(), conf, queue).forEach(screen::line);
        more.forEach(screen::line);
        new CountDownLatch(1).await();
    }

    private static void writeSettings(EmbeddedCluster cluster, Path conf) {
        try {
            Files.createDirectories(conf);
            try (OutputStream out = Files.newOutputStream(conf.resolve("yarn-site.xml"))) {
                cluster.configuration().writeXml(out);
            }
        } catch (IOException e) {
            throw new DemoException("client settings cannot be written to " + conf + ": " + e.getMessage(), e);
        }
    }

    /** Commands for a shell in the checkout. */
    static List<String> lines(String page, Path conf, String queue) {
        return List.of(
                "",
                " The cluster stays up until Ctrl-C. From another shell, in this directory:",
                "   RM page    " + page + "/cluster/treadle",
                "   REST       curl -s " + page + "/ws/v1/treadle/jobs",
                "              export HADOOP_CONF_DIR='" + conf + "'",
                "   all jobs   ./treadle top",
                "   own job    ./treadle submit --queue " + queue
                        + " --gpus 1 --memory 512Mi --files conf/examples/train.py -- python3 train.py");
    }
}
