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
import io.treadle.core.wire.SizingSpec;
import io.treadle.core.wire.ZkPaths;
import io.treadle.rm.bridge.YarnResources;
import io.treadle.rm.gang.Gang;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
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
    /** With w workers and p servers of one vcore each an iteration takes 3.6 / w + max(0.2, 0.2 · w / p) seconds. */
    private static final ServersModel MODEL = new ServersModel(
            ServersModel.Mode.SYNC,
            ServersModel.Overlap.WAIT_FREE,
            120,
            new ServersModel.Layered(List.of(new ServersModel.Layer(0.01, 0.02, 0, 0, 100e6)), 1e9, 1e9, 0, 0, 0));

    private static final long ITERATIONS = 10_000;

    private TestZooKeeper zooKeeper;
    private SchedulerHarness cluster;
    private MockNM node;

    @BeforeEach
    void start() throws Exception {
        zooKeeper = new TestZooKeeper();
        YarnConfiguration conf = zooKeeper.settings(false, "smd");
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

    /** @param vcores the most that all its tasks may have together */
    private static GangSpec job(double weight, long vcores) {
        return new GangSpec(
                List.of(
                        new GangSpec.Group("worker", 1, 8, ResourceVector.of(1, 1, 256), List.of()),
                        new GangSpec.Group("ps", 1, 8, ResourceVector.of(0, 1, 256), List.of())),
                "",
                0,
                120 * ITERATIONS,
                true,
                0,
                "",
                new SizingSpec(
                        OptionalDouble.of(weight), 0.1, OptionalDouble.empty(), ResourceVector.of(0, vcores, 0)));
    }

    /** Its ApplicationMaster asks when what is known of its speed is known to the scheduler. */
    private MockAM startProfiled(GangSpec spec) throws Exception {
        ApplicationId id = cluster.submit("ml", spec.toProperties());
        zooKeeper.write(
                ZkPaths.profile(id.toString()),
                new ProfileRecord(id.toString(), "", "", 0, ProfileRecord.Phase.READY, 1, List.of(), 1)
                        .withServers(Optional.of(new ProfileServers(MODEL, List.of(), OptionalDouble.empty())))
                        .toJson());
        Gang gang = cluster.scheduler().gangs().find(id).orElseThrow();
        cluster.awaitTrue(
                "the scheduler knows the job's speed",
                () -> cluster.scheduler().report().job(gang).profile().isPresent());
        return cluster.startApp(id, SchedulerHarness.requests(spec), node);
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
        MockAM worthMost = startProfiled(job(50, 8));
        assertEquals(Map.of(1, 5L, 2, 3L), started(worthMost), "of 8 tasks");
        MockAM next = startProfiled(job(20, 4));
        assertEquals(Map.of(1, 3L, 2, 1L), started(next), "of 4 tasks");

        ApplicationId waits = startProfiled(job(1, 0)).getApplicationAttemptId().getApplicationId();
        cluster.awaitTrue("the third job hears that it is not admitted", () -> {
            cluster.heartbeat();
            String reason =
                    cluster.scheduler().gangs().find(waits).orElseThrow().reason();
            return reason.matches("not admitted: worth 0\\.\\d\\d, it would displace \\d+\\.\\d\\d;"
                    + " admitted in about .* if nothing else arrives");
        });

        List<QueueAdmission> admissions = cluster.scheduler().admissions();
        assertEquals(
                List.of("root.ml"),
                admissions.stream().map(QueueAdmission::queue).toList());
        Certificate certificate = admissions.get(0).certificate();
        assertTrue(certificate.value() > 0 && certificate.value() <= certificate.bound(), certificate.text());
        cluster.awaitTrue(
                "the queue's metrics are there",
                () -> DefaultMetricsSystem.instance().getSource("TreadleAdmission,queue=root.ml") != null);
        String size = cluster.scheduler()
                .gangs()
                .find(worthMost.getApplicationAttemptId().getApplicationId())
                .orElseThrow()
                .reason();
        assertTrue(size.startsWith("has 5 workers and 3 servers, ends in about "), size);
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
                120 * ITERATIONS,
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
        MockAM am = cluster.startGang(job(5, 0), node);
        assertEquals(Map.of(1, 1L, 2, 1L), started(am));
    }
}
