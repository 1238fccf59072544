// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.JobProgressRecord;
import io.treadle.core.wire.NodeRecord;
import io.treadle.core.wire.ZkPaths;
import io.treadle.rm.conf.SchedulerConf;
import io.treadle.rm.power.NodeRecords;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A job fills ZooKeeper below its own node: a ResourceManager of little memory goes on reading what others say. */
class StrangersNodesTest {
    private static final String JOB = "application_1700000000000_0001";
    private static final String OTHER = "application_1700000000000_0002";
    private static final int NODES = 180;
    private static final int BYTES = 900_000;

    private static byte[] progress(long samples) {
        return new JobProgressRecord(samples, 100, 1, 0, "", System.currentTimeMillis())
                .toJson()
                .getBytes(StandardCharsets.UTF_8);
    }

    @Test
    @Timeout(300)
    void nodesOfAJobCostTheResourceManagerNoMemory(@TempDir Path directory) throws Exception {
        try (ConnectedZooKeeper zooKeeper = new ConnectedZooKeeper()) {
            CuratorFramework client = zooKeeper.client;
            for (int i = 0; i < NODES; i++) {
                String path = ZkPaths.job(JOB) + (i % 2 == 0 ? "/x" + i : "/y/z" + i + "/profile");
                client.create().creatingParentsIfNeeded().forPath(path, new byte[BYTES]);
            }
            client.create().creatingParentsIfNeeded().forPath(ZkPaths.progress(OTHER), progress(7));
            Path output = directory.resolve("output");
            Process reader = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx80m",
                            "-XX:+ExitOnOutOfMemoryError",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Reader.class.getName(),
                            zooKeeper.server.getConnectString())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            try {
                assertTrue(reader.waitFor(240, TimeUnit.SECONDS), () -> read(output));
                assertEquals(0, reader.exitValue(), () -> read(output));
            } finally {
                reader.destroyForcibly();
            }
        }
    }

    private static String read(Path output) {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** What the ResourceManager follows of ZooKeeper, in a process of its own. */
    static final class Reader {
        private Reader() {}

        public static void main(String[] arguments) throws Exception {
            Configuration conf = new Configuration(false);
            conf.set("hadoop.zk.address", arguments[0]);
            try (ZkTelemetry telemetry =
                    new ZkTelemetry(SchedulerConf.from(conf), () -> {}, () -> {}, new Nobody(), use -> {})) {
                telemetry.start(id -> false);
                while (telemetry.progress(OTHER).isEmpty()) {
                    TimeUnit.MILLISECONDS.sleep(50);
                }
                // All of it has been read.
                while (!telemetry.isReady()) {
                    TimeUnit.MILLISECONDS.sleep(50);
                }
                Runtime.getRuntime().halt(telemetry.profile(JOB).isEmpty() ? 0 : 2);
            }
        }
    }

    private static final class Nobody implements NodeRecords {
        @Override
        public void seen(String node, NodeRecord record) {}

        @Override
        public void gone(String node) {}
    }
}
