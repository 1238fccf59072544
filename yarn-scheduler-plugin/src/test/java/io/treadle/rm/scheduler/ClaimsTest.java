// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.job.JobView;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a job says of itself brings it no more than its queue lets it have. */
class ClaimsTest {
    @Test
    void whoSaysThatItsEndIsWorthABillionMakesNobodyGiveWay() throws Exception {
        try (TestZooKeeper zooKeeper = new TestZooKeeper()) {
            YarnConfiguration conf = zooKeeper.settings(false, "smd");
            conf.set("yarn.scheduler.treadle.smd.capacity-factor", "1");
            conf.set("yarn.scheduler.treadle.power.rescale-seconds", "1");
            try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
                MockNM node = cluster.node(1001, 8, 40, 16_384);
                zooKeeper.devices(cluster, node, "A100", 8);
                GangSpec whole = SizedJob.spec(1, ResourceVector.ZERO, 8);
                SizedJob runs = SizedJob.obedient(zooKeeper, cluster, "ml", whole, node);
                cluster.awaitTrue("all of the first job runs", () -> {
                    cluster.heartbeat();
                    runs.beat();
                    return runs.size().equals("8 + 8");
                });
                SizedJob mighty =
                        SizedJob.obedient(zooKeeper, cluster, "ml", SizedJob.spec(1e9, ResourceVector.ZERO, 8), node);
                cluster.awaitTrue("the other hears that it counts as any other", () -> {
                    cluster.heartbeat();
                    runs.beat();
                    mighty.beat();
                    return mighty.reason().startsWith("not admitted: worth ")
                            && mighty.reason()
                                    .endsWith("; its weight of 1000000000 counts as 1, the most in queue root.ml"
                                            + " (treadle.utility.max-weight)");
                });
                assertEquals("8 + 8", runs.size());
                assertEquals(0, runs.askedFor());
            }
        }
    }

    /** Policies go through the sizes that a job may have. */
    @ParameterizedTest
    @ValueSource(strings = {"fifo", "srtf+synergy-balanced", "powerflow", "smd"})
    void whoAsksForAMillionTasksIsPlannedWithWhatTheNodesCouldHold(String policy) throws Exception {
        Map<String, Integer> most = new ConcurrentHashMap<>();
        try (SchedulerHarness cluster = SchedulerHarness.start(
                SchedulerHarness.settings(false, policy),
                each -> new WatchedPolicy(each, snapshot -> {
                    for (JobView job : snapshot.jobs()) {
                        most.merge(job.id(), job.groups().get(0).max(), Math::max);
                    }
                }))) {
            MockNM node = cluster.node(1001, 8, 40, 16_384);
            MockNM other = cluster.node(1002, 8, 40, 16_384);
            GangSpec spec = new GangSpec(
                    List.of(new GangSpec.Group("worker", 2, 1_000_000, ResourceVector.of(0, 1, 512), List.of())),
                    "",
                    0,
                    true,
                    0,
                    "");
            MockAM am = cluster.startGang(spec, node);
            cluster.launch(cluster.awaitContainers(am));
            other.nodeHeartbeat(true);
            cluster.awaitTrue("its size is planned", () -> {
                cluster.heartbeat();
                return !most.isEmpty();
            });
            String id = am.getApplicationAttemptId().getApplicationId().toString();
            int planned = most.getOrDefault(id, 0);
            assertTrue(planned >= 2 && planned <= 64, most::toString);
        }
    }
}
