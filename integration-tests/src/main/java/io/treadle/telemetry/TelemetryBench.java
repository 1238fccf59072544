// SPDX-License-Identifier: Apache-2.0
package io.treadle.telemetry;

import io.treadle.core.wire.ZkPaths;
import io.treadle.demo.DemoException;
import io.treadle.simulator.bench.Machine;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.cache.CuratorCache;
import org.apache.curator.framework.recipes.cache.CuratorCacheListener;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;

/** Measures a process with the plugin and one without at the same time, beside a ZooKeeper in this process. */
final class TelemetryBench {
    private static final int RETRY_MS = 1000;

    private final int gpus;
    private final int warmUpSeconds;
    private final int settlingSeconds;
    private final int seconds;
    private final Path directory;

    /** @param directory for the processes' files and what they say */
    TelemetryBench(int gpus, int warmUpSeconds, int settlingSeconds, int seconds, Path directory) {
        this.gpus = gpus;
        this.warmUpSeconds = warmUpSeconds;
        this.settlingSeconds = settlingSeconds;
        this.seconds = seconds;
        this.directory = directory;
    }

    /**
     * @throws DemoException if a process fails, with where it says why
     * @throws Exception if ZooKeeper does not start
     */
    TelemetryResult run() throws Exception {
        Machine machine = Machine.here();
        try (TestingServer server = new TestingServer();
                CuratorFramework client =
                        CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryOneTime(RETRY_MS))) {
            client.start();
            AtomicLong records = new AtomicLong();
            try (CuratorCache cache = counting(client, records);
                    Measured node = start(true, "node", server);
                    Measured idle = start(false, "idle", server)) {
                cache.start();
                node.begins();
                long before = records.get();
                CpuTimes taken = node.times();
                long written = records.get() - before;
                idle.begins();
                return new TelemetryResult(machine, gpus, taken, idle.times(), written);
            }
        }
    }

    /** Counts what is written of the node. */
    private static CuratorCache counting(CuratorFramework client, AtomicLong records) {
        CuratorCache cache = CuratorCache.build(
                client, ZkPaths.node(NodeProcess.node().toString()), CuratorCache.Options.SINGLE_NODE_CACHE);
        cache.listenable()
                .addListener(CuratorCacheListener.builder()
                        .forCreatesAndChanges((before, now) -> records.incrementAndGet())
                        .build());
        return cache;
    }

    private Measured start(boolean hasPlugin, String name, TestingServer server) {
        return Measured.start(
                new NodeProcess.Request(
                        hasPlugin,
                        gpus,
                        warmUpSeconds,
                        settlingSeconds,
                        seconds,
                        server.getConnectString(),
                        directory.resolve(name).toAbsolutePath().toString()),
                directory.resolve(name + ".log"));
    }
}
