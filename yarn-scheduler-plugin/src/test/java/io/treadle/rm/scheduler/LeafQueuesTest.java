// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** Pages and rounds read the queues at any time. */
class LeafQueuesTest {
    private static final String CAPACITY = "yarn.scheduler.capacity.";
    private static final int REFRESHES = 10;
    private static final int ADDED = 60;

    @Test
    void queuesAreReadWhileARefreshAddsSome() throws Exception {
        Configuration conf = SchedulerHarness.settings(false, "fifo");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            assertEquals(
                    List.of("root.ml", "root.plain"),
                    cluster.scheduler().access().leafQueues());
            CompletableFuture<Void> refreshes = CompletableFuture.runAsync(() -> refresh(cluster, conf));
            int before = 2;
            while (!refreshes.isDone()) {
                int now = cluster.scheduler().access().leafQueues().size();
                assertTrue(now >= before, () -> "queues were missed");
                before = now;
            }
            refreshes.join();
            assertEquals(
                    2 + REFRESHES * ADDED,
                    cluster.scheduler().access().leafQueues().size());
        }
    }

    private static void refresh(SchedulerHarness cluster, Configuration start) {
        List<String> children = new ArrayList<>(List.of("ml", "plain"));
        Configuration conf = new Configuration(start);
        for (int i = 0; i < REFRESHES; i++) {
            for (int j = 0; j < ADDED; j++) {
                String name = "q" + children.size();
                children.add(name);
                conf.set(CAPACITY + "root." + name + ".capacity", "0");
                conf.set(CAPACITY + "root." + name + ".maximum-capacity", "100");
            }
            conf.set(CAPACITY + "root.queues", String.join(",", children));
            try {
                cluster.scheduler().reinitialize(conf, cluster.resourceManager.getRMContext());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
