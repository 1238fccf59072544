// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.plan.Certificate;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.ProfileServers;
import io.treadle.core.wire.ServersModel;
import io.treadle.core.wire.ZkPaths;
import io.treadle.rm.bridge.YarnResources;
import io.treadle.rm.gang.Gang;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A queue whose policy chooses how many workers and servers its jobs have, and who is admitted. */
class WorkersAndServersTest {
    private TestZooKeeper zooKeeper;
    private SchedulerHarness cluster;
    private MockNM node;

    @BeforeEach
    void start() throws Exception {
        zooKeeper = new TestZooKeeper();
        YarnConfiguration conf = zooKeeper.settings(false, "smd");
        SizedJob.trust(conf);
        // So that the size is the one at which the job ends soonest, of which the answer is known.
        conf.set("yarn.scheduler.treadle.smd.trim-delta", "0");
        conf.set("yarn.scheduler.treadle.smd.capacity-factor", "1");
        cluster = SchedulerHarness.start(conf);
        node = cluster.node(1001, 8, 40, 16_384);
        zooKeeper.devices(cluster, node, "A100", 8);
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
        zooKeeper.close();
    }

    /** Containers of each group, by its priority: workers 1, servers 2. */
    private Map<Integer, Long> started(MockAM am) throws Exception {
        List<Container> containers = cluster.awaitContainers(am);
        cluster.launch(containers);
        return containers.stream()
                .collect(Collectors.groupingBy(c -> c.getPriority().getPriority(), Collectors.counting()));
    }

    @Test
    void jobsHaveTheSizesThatThePolicyChoosesAndWhoWaitsHearsWhy() throws Exception {
        MockAM worthMost = SizedJob.start(zooKeeper, cluster, "ml", SizedJob.spec(50, 8), node);
        assertEquals(Map.of(1, 5L, 2, 3L), started(worthMost), "of 8 tasks");
        MockAM next = SizedJob.start(zooKeeper, cluster, "ml", SizedJob.spec(20, 4), node);
        assertEquals(Map.of(1, 3L, 2, 1L), started(next), "of 4 tasks");

        ApplicationId waits = SizedJob.start(zooKeeper, cluster, "ml", SizedJob.spec(1, 0), node)
                .getApplicationAttemptId()
                .getApplicationId();
        cluster.awaitTrue("the third job hears that it is not admitted", () -> {
            cluster.heartbeat();
            String reason =
                    cluster.scheduler().gangs().find(waits).orElseThrow().reason();
            return reason.matches("not admitted: worth 0\\.\\d\\d, it would displace \\d+\\.\\d\\d;"
                    + " admitted in about .* if nothing else arrives");
        });

        Gang waiting = cluster.scheduler().gangs().find(waits).orElseThrow();
        assertTrue(waiting.startMs().orElseThrow() > waiting.submitMs(), "on a clock, too");

        List<QueueAdmission> admissions = cluster.scheduler().admissions();
        assertEquals(
                List.of("root.ml"),
                admissions.stream().map(QueueAdmission::queue).toList());
        Certificate certificate = admissions.get(0).certificate();
        assertTrue(certificate.value() > 0 && certificate.value() <= certificate.bound(), certificate.text());
        cluster.awaitTrue(
                "the queue's metrics are there",
                () -> DefaultMetricsSystem.instance().getSource("TreadleAdmission,queue=root.ml") != null);
        Gang running = cluster.scheduler()
                .gangs()
                .find(worthMost.getApplicationAttemptId().getApplicationId())
                .orElseThrow();
        assertTrue(running.reason().startsWith("has 5 workers and 3 servers, ends in about "), running::reason);
        assertEquals(OptionalLong.empty(), running.startMs(), "it has started");
    }

    /** Of each server, in the order of their containers. */
    private List<Long> vcores(List<Container> servers) {
        return servers.stream()
                .map(c -> YarnResources.vector(
                                cluster.scheduler().getRMContainer(c.getId()).getAllocatedResource())
                        .vcores())
                .sorted()
                .toList();
    }

    private void awaitVcores(String what, MockAM am, List<Container> servers, List<Long> each) throws Exception {
        cluster.awaitTrue(what, () -> {
            try {
                cluster.pull(am);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            return vcores(servers).equals(each);
        });
    }

    private static GangSpec fixed(int tasks, long vcores) {
        return new GangSpec(
                List.of(
                        new GangSpec.Group("worker", tasks, tasks, ResourceVector.of(1, vcores, 256), List.of()),
                        new GangSpec.Group("ps", tasks, tasks, ResourceVector.of(0, vcores, 256), List.of())),
                "",
                0,
                120 * SizedJob.ITERATIONS,
                true,
                0,
                "");
    }

    private void say(ApplicationId id, Optional<ProfileServers> servers) throws Exception {
        zooKeeper.write(
                ZkPaths.profile(id.toString()),
                new ProfileRecord(id.toString(), "", "", 0, ProfileRecord.Phase.READY, 1, List.of(), 1)
                        .withServers(servers)
                        .toJson());
    }

    /** Of 40 vcores its tasks have 4 and its ApplicationMaster one; then another comes with 20 and 1. */
    @Test
    void serversGrowInPlaceAndMakeRoomForAnotherJob() throws Exception {
        MockAM am = cluster.startGang(fixed(2, 1), node);
        ApplicationId id = am.getApplicationAttemptId().getApplicationId();
        List<Container> tasks = cluster.awaitContainers(am);
        cluster.launch(tasks);
        List<Container> servers =
                tasks.stream().filter(c -> c.getPriority().getPriority() == 2).toList();
        assertEquals(List.of(1L, 1L), vcores(servers));

        say(id, Optional.of(ProfileServers.ofVcores(ServersModel.Mode.SYNC, 16)));
        awaitVcores("its servers have what they can use", am, servers, List.of(16L, 16L));
        String reason = cluster.scheduler().gangs().find(id).orElseThrow().reason();
        assertTrue(reason.endsWith("; its servers have 30 vcores more, of what is idle"), reason);

        MockAM other = cluster.startGang(fixed(1, 10), node);
        awaitVcores("what the other job leaves", am, servers, List.of(8L, 8L));
        assertEquals(Map.of(1, 1L, 2, 1L), started(other));

        say(id, Optional.empty());
        awaitVcores("they use no more than they ask for", am, servers, List.of(1L, 1L));
        tasks.forEach(c -> assertEquals(
                RMContainerState.RUNNING,
                cluster.scheduler().getRMContainer(c.getId()).getState(),
                "nothing was started again"));
    }

    @Test
    void jobOfUnknownSpeedHasWhatItNeedsAtLeast() throws Exception {
        MockAM am = cluster.startGang(SizedJob.spec(5, 0), node);
        assertEquals(Map.of(1, 1L, 2, 1L), started(am));
    }
}
