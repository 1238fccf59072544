// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** ZooKeeper takes what is sent and never answers: nobody waits for it but those who write to it. */
class ZooKeeperHangsTest {
    private static final GangSpec GANG = SchedulerHarness.gang(2, 1, 1, 512);

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void applicationsComeRunAndGoAllTheSame(boolean asynchronous) throws Exception {
        try (TestZooKeeper zooKeeper = new TestZooKeeper();
                HangingZooKeeper way = new HangingZooKeeper(zooKeeper.server.getPort())) {
            YarnConfiguration conf = zooKeeper.settings(asynchronous, "fifo+synergy-tune");
            conf.set("hadoop.zk.address", way.address());
            SchedulerHarness cluster = SchedulerHarness.start(conf);
            // Half of it is left to others.
            MockNM node = cluster.node(1001, 8, 32, 16_384);
            zooKeeper.devices(cluster, node, "A100", 8);
            MockAM first = cluster.startGang(GANG, node);
            cluster.launch(cluster.awaitContainers(first));

            way.hang();
            MockAM second = cluster.startGang(GANG, node);
            List<Container> members = cluster.awaitContainers(second);
            assertEquals(2, members.size());
            cluster.launch(members);
            MockAM plain =
                    cluster.startApp("plain", Map.of(), SchedulerHarness.asks(ResourceVector.of(0, 1, 512), 3), node);
            cluster.awaitContainers(plain, 3);
            cluster.resourceManager.killApp(first.getApplicationAttemptId().getApplicationId());
            cluster.complete(members);
            cluster.awaitTrue("what has gone is free again", () -> {
                cluster.heartbeat();
                return cluster.used().gpus() == 0;
            });
            // A failover stops the active one: it must not wait for ever either.
            CompletableFuture<Void> stopped = CompletableFuture.runAsync(cluster::close);
            cluster.awaitTrue("the ResourceManager has stopped", stopped::isDone);
            stopped.join();
        }
    }
}
