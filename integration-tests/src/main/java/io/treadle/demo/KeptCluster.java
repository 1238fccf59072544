// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import io.treadle.cluster.EmbeddedCluster;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A cluster that stays up after the demo: how to reach it from another shell. */
final class KeptCluster {
    private final EmbeddedCluster cluster;
    private final Path conf;

    KeptCluster(EmbeddedCluster cluster, Path report) {
        this.cluster = cluster;
        this.conf = report.resolve("conf");
    }

    /** Writes the client's settings and says what to paste. */
    List<String> lines() {
        try {
            Files.createDirectories(conf);
            try (OutputStream out = Files.newOutputStream(conf.resolve("yarn-site.xml"))) {
                cluster.configuration().writeXml(out);
            }
        } catch (IOException e) {
            throw new DemoException("client settings cannot be written to " + conf + ": " + e.getMessage(), e);
        }
        String page = cluster.webAddress();
        return List.of(
                "",
                " The cluster stays up until Ctrl-C. From another shell:",
                "   RM page      " + page + "/cluster/treadle",
                "   jobs         curl -s " + page + "/ws/v1/treadle/jobs",
                "   nodes        curl -s " + page + "/ws/v1/treadle/nodes",
                "   own job      HADOOP_CONF_DIR=" + conf + " yarn jar treadle-am.jar --gpus 1 -- python3 train.py");
    }
}
