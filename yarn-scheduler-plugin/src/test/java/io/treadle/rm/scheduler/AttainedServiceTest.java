// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.job.JobView;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.rm.bridge.YarnResources;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.api.Test;

/** Orders that go by what a job has had are right for jobs of every kind: one that has had nothing goes first. */
class AttainedServiceTest {
    private static GangSpec gang(int tasks, ResourceVector size) {
        return new GangSpec(List.of(new GangSpec.Group("worker", tasks, tasks, size, List.of())), "", 0, false, 0, "");
    }

    private static String id(MockAM master) {
        return master.getApplicationAttemptId().getApplicationId().toString();
    }

    @Test
    void jobsWithoutWholeGpusHaveHadWhatTheyRanFor() throws Exception {
        Map<String, Double> attained = new ConcurrentHashMap<>();
        try (TestZooKeeper zooKeeper = new TestZooKeeper();
                SchedulerHarness cluster = SchedulerHarness.start(
                        zooKeeper.settings(false, "las"),
                        policy -> new WatchedPolicy(policy, snapshot -> {
                            for (JobView job : snapshot.jobs()) {
                                attained.put(job.id(), job.progress().attainedGpuSeconds(snapshot.nowMs()));
                            }
                        }))) {
            MockNM node = cluster.resourceManager.registerNode(
                    "127.0.0.1:1001",
                    YarnResources.resource(ResourceVector.of(2, 16, 16_384).withGpuMemoryMiB(40_000)));
            cluster.watch(node);
            zooKeeper.devices(cluster, node, "A100", 2);
            MockAM cpus = cluster.startGang(gang(4, ResourceVector.of(0, 1, 256)), node);
            cluster.launch(cluster.awaitContainers(cpus));
            MockAM slices =
                    cluster.startGang(gang(2, ResourceVector.of(0, 1, 256).withGpuMemoryMiB(2_000)), node);
            cluster.launch(cluster.awaitContainers(slices));
            MockAM whole = cluster.startGang(gang(1, ResourceVector.of(1, 1, 256)), node);
            cluster.launch(cluster.awaitContainers(whole));
            MockAM waits = cluster.startGang(gang(12, ResourceVector.of(0, 1, 128)), node);
            cluster.awaitTrue("what has run for seconds has had them", () -> {
                cluster.heartbeat();
                return List.of(cpus, slices, whole).stream()
                                .allMatch(master -> attained.getOrDefault(id(master), 0.0) >= 2)
                        && attained.containsKey(id(waits));
            });
            assertEquals(
                    0,
                    attained.getOrDefault(id(waits), -1.0).doubleValue(),
                    "its ApplicationMaster has had vcores and memory all the time");
            // As a job that holds one GPU, whatever its tasks: this one has run for the longest time.
            assertTrue(attained.getOrDefault(id(cpus), 0.0) < 60, attained::toString);
        }
    }
}
