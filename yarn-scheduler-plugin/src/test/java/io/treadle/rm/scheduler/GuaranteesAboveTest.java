// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.rm.bridge.GangReservation;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A queue with a small guarantee below one with a large one, as queues of single users are: what the large one is guaranteed, and
 * nobody else below it waits for, comes to a gang of the small one.
 */
class GuaranteesAboveTest {
    private static final String USERS = "yarn.scheduler.capacity.root.users";
    /** Of 16 vcores. */
    private static final GangSpec GANG = SchedulerHarness.gang(4, 0, 4, 512);

    /** Of 64 vcores the users are guaranteed half: alice 2 of them, bob and carl the rest. */
    private static YarnConfiguration withUsers(YarnConfiguration conf) {
        conf.set("yarn.scheduler.capacity.root.queues", "users,plain");
        conf.set(USERS + ".capacity", "50");
        conf.set(USERS + ".maximum-capacity", "100");
        conf.set(USERS + ".queues", "alice,bob,carl");
        conf.set(USERS + ".alice.capacity", "6");
        conf.set(USERS + ".bob.capacity", "47");
        conf.set(USERS + ".carl.capacity", "47");
        for (String user : List.of("alice", "bob", "carl")) {
            conf.set(USERS + "." + user + ".maximum-capacity", "100");
            conf.set(USERS + "." + user + ".user-limit-factor", "100");
            conf.set(USERS + "." + user + ".treadle.policy", "fifo+proportional");
            conf.set(USERS + "." + user + ".ordering-policy", "io.treadle.rm.gang.GangOrderingPolicy");
        }
        return conf;
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}, preemption {1}")
    @CsvSource({"false, false", "true, false", "false, true", "true, true"})
    void gangGetsWhatTheQueueAboveItsOwnIsGuaranteed(boolean asynchronous, boolean preempts) throws Exception {
        YarnConfiguration conf = withUsers(
                preempts ? GangReservationTest.preempting(asynchronous) : GangReservationTest.settings(asynchronous));
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = GangReservationTest.nodes(cluster).get(0);
            MockAM am = cluster.startApp("alice", GANG.toProperties(), List.of(), node);
            // Tasks of others end, or are ended.
            BusyApplication busy = GangReservationTest.fill(cluster, 1, preempts ? 0 : 12, node);
            am.allocate(SchedulerHarness.requests(GANG), List.of());
            assertEquals(4, GangReservationTest.awaitGang(cluster, am, busy).size());
            assertTrue(busy.preempted() <= 16, () -> busy.preempted() + " vcores were taken for 16");
        }
    }

    /** Others below the same queue hold what it is guaranteed: it is theirs, and nobody is ended for the gang. */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void whatOthersBelowTheSameQueueHoldIsTheirs(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster =
                SchedulerHarness.start(withUsers(GangReservationTest.preempting(asynchronous)))) {
            MockNM node = GangReservationTest.nodes(cluster).get(0);
            MockAM am = cluster.startApp("alice", GANG.toProperties(), List.of(), node);
            MockAM bob = cluster.startApp("bob", Map.of(), List.of(), node);
            cluster.ask(bob, SchedulerHarness.asks(ResourceVector.of(0, 1, 256), 18));
            List<Container> bobs = cluster.awaitContainers(bob, 18);
            cluster.launch(bobs);
            BusyApplication busy = GangReservationTest.fill(cluster, 1, 0, node);
            am.allocate(SchedulerHarness.requests(GANG), List.of());
            // With bob's 19 vcores, and alice's master, sixteen more are more than 32.
            GangReservationTest.calm(cluster, busy, List.of(am));
            assertEquals(0, busy.preempted());
            assertEquals(List.of(), reserved(cluster));
            assertTrue(bobs.stream().allMatch(c -> cluster.scheduler().getRMContainer(c.getId()) != null));
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void whatOthersBelowTheSameQueueWaitForAndAreGuaranteedComesFirst(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(withUsers(GangReservationTest.settings(asynchronous)))) {
            MockNM node = GangReservationTest.nodes(cluster).get(0);
            GangSpec large = SchedulerHarness.gang(4, 0, 5, 512);
            MockAM am = cluster.startApp("alice", large.toProperties(), List.of(), node);
            MockAM bob = cluster.startApp("bob", Map.of(), List.of(), node);
            // It never ends.
            BusyApplication busy = GangReservationTest.fill(cluster, 1, 0, node);
            cluster.ask(bob, SchedulerHarness.asks(ResourceVector.of(0, 14, 256), 1));
            am.allocate(SchedulerHarness.requests(large), List.of());
            GangReservationTest.calm(cluster, busy, List.of(am));
            assertEquals(List.of(), reserved(cluster), "20 for the gang, 14 for bob and two masters are more than 32");
            bob.allocate(SchedulerHarness.asks(ResourceVector.of(0, 14, 256), 0), List.of());
            awaitReserved(cluster, am);
        }
    }

    /** Each by itself is within what the queue above is guaranteed, and not both. */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void whatTheQueueAboveIsGuaranteedIsReservedOnce(boolean asynchronous) throws Exception {
        YarnConfiguration conf = withUsers(GangReservationTest.settings(asynchronous));
        conf.set(USERS + ".bob.capacity", "6");
        conf.set(USERS + ".carl.capacity", "88");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = GangReservationTest.nodes(cluster).get(0);
            MockAM am = cluster.startApp("alice", GANG.toProperties(), List.of(), node);
            MockAM other = cluster.startApp("bob", GANG.toProperties(), List.of(), node);
            BusyApplication busy = GangReservationTest.fill(cluster, 1, 0, node);
            am.allocate(SchedulerHarness.requests(GANG), List.of());
            awaitReserved(cluster, am);
            other.allocate(SchedulerHarness.requests(GANG), List.of());
            GangReservationTest.calm(cluster, busy, List.of(am, other));
            assertEquals(List.of(id(am)), reserved(cluster));
        }
    }

    private static void awaitReserved(SchedulerHarness cluster, MockAM am) throws InterruptedException {
        cluster.awaitTrue("room is reserved", () -> {
            cluster.heartbeat();
            return reserved(cluster).equals(List.of(id(am)));
        });
    }

    private static List<ApplicationId> reserved(SchedulerHarness cluster) {
        return cluster.reservations().stream().map(GangReservation::gang).toList();
    }

    private static ApplicationId id(MockAM am) {
        return am.getApplicationAttemptId().getApplicationId();
    }
}
