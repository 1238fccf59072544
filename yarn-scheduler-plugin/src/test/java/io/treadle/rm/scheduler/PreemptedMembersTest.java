// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.NodeRecord;
import io.treadle.rm.KnownDevices;
import io.treadle.rm.bridge.GangMembers;
import io.treadle.rm.bridge.PreemptedGangs;
import io.treadle.rm.bridge.SchedulerAccess;
import io.treadle.rm.profile.NoTelemetry;
import io.treadle.rm.profile.Telemetry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ResourceBlacklistRequest;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.api.resource.PlacementConstraint;
import org.apache.hadoop.yarn.api.resource.PlacementConstraints;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** YARN's preemption names the members of a gang one by one: all together are looked at once, and warned for somebody. */
@ParameterizedClass(name = "asynchronous scheduling {0}")
@ValueSource(booleans = {false, true})
class PreemptedMembersTest {
    private final boolean asynchronous;

    PreemptedMembersTest(boolean asynchronous) {
        this.asynchronous = asynchronous;
    }

    private static final int TASKS = 32;

    private final AtomicLong nowMs = new AtomicLong(1_000_000);
    private final AtomicInteger looks = new AtomicInteger();
    private Telemetry records = new NoTelemetry();

    @ParameterizedTest(name = "somebody would be served {0}")
    @ValueSource(booleans = {false, true})
    void gangIsLookedAtOnceForAllItsMembers(boolean served) throws Exception {
        try (SchedulerHarness cluster =
                SchedulerHarness.start(SchedulerHarness.settings(asynchronous, "fifo+proportional"))) {
            MockNM node = cluster.node(1001, 0, TASKS + 8, 65_536);
            MockAM am = cluster.startGang(SchedulerHarness.gang(TASKS, 0, 1, 64), node);
            List<Container> members = cluster.awaitContainers(am);
            assertEquals(TASKS, members.size());
            cluster.launch(members);
            cluster.startApp("plain", Map.of(), served ? ask(16) : List.of(), node);
            SchedulerAccess access = counting(cluster.scheduler().access());
            PreemptedGangs preempted = preempted(cluster, access);

            assertEquals(served ? TASKS : 0, warned(cluster, preempted, members));
            assertEquals(1, looks.get());
            // YARN's preemption looks again some time later.
            nowMs.addAndGet(3_000);
            assertEquals(served ? TASKS : 0, warned(cluster, preempted, members));
            assertEquals(2, looks.get());
        }
    }

    /** The same ask, which its queue's maximum, or the application itself, keeps from the gang's room. */
    @ParameterizedTest(name = "the queue is full {0}")
    @ValueSource(booleans = {false, true})
    void whoeverCouldNotHaveTheRoomIsNotServed(boolean full) throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, "fifo+proportional");
        if (full) {
            // 20 vcores, of which the master and a container hold 6.
            conf.set("yarn.scheduler.capacity.root.plain.maximum-capacity", "50");
        }
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = cluster.node(1001, 0, TASKS + 8, 65_536);
            MockAM am = cluster.startGang(SchedulerHarness.gang(TASKS, 0, 1, 64), node);
            List<Container> members = cluster.awaitContainers(am);
            cluster.launch(members);
            MockAM plain = cluster.startApp("plain", Map.of(), ask(5), node);
            assertEquals(1, cluster.awaitContainers(plain).size());
            plain.allocate(AllocateRequest.newInstance(
                    0,
                    0,
                    ask(16),
                    List.of(),
                    ResourceBlacklistRequest.newInstance(full ? List.of() : List.of("127.0.0.1"), List.of())));
            SchedulerAccess access = counting(cluster.scheduler().access());
            assertEquals(0, warned(cluster, preempted(cluster, access), members));
            assertEquals(1, looks.get());
        }
    }

    /** Its constraint names a tag that nothing has: it would not come to the gang's node. */
    @ParameterizedTest(name = "the constraint can be met {0}")
    @ValueSource(booleans = {false, true})
    void whoeverItsConstraintKeepsOffTheNodeIsNotServed(boolean canBeMet) throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, "fifo+proportional");
        conf.set(YarnConfiguration.RM_PLACEMENT_CONSTRAINTS_HANDLER, "scheduler");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = cluster.node(1001, 0, TASKS + 8, 65_536);
            MockAM am = cluster.startGang(SchedulerHarness.gang(TASKS, 0, 1, 64), node);
            List<Container> members = cluster.awaitContainers(am);
            cluster.launch(members);
            MockAM plain = cluster.startApp("plain", Map.of(), List.of(), node);
            SchedulingRequest request = SchedulerHarness.request(7, Set.of("mine"), ResourceVector.of(0, 16, 256));
            PlacementConstraint.AbstractConstraint nobody = canBeMet
                    ? PlacementConstraints.targetNotIn(
                            PlacementConstraints.NODE, PlacementConstraints.PlacementTargets.allocationTag("nobody"))
                    : PlacementConstraints.targetIn(
                            PlacementConstraints.NODE, PlacementConstraints.PlacementTargets.allocationTag("nobody"));
            request.setPlacementConstraint(nobody.build());
            cluster.ask(plain, request);
            SchedulerAccess access = counting(cluster.scheduler().access());
            assertEquals(canBeMet ? TASKS : 0, warned(cluster, preempted(cluster, access), members));
        }
    }

    /** By YARN's count a GPU is free beside the gang's vcores: it does not work, and who waits for one would not be served. */
    @ParameterizedTest(name = "GPUs work {0}")
    @ValueSource(booleans = {false, true})
    void gangIsSparedWhereItsEndFreesNoGpuThatWorks(boolean works) throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, "fifo+proportional");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = cluster.node(1001, 1, TASKS + 8, 65_536);
            NodeRecord.Health health = works ? NodeRecord.Health.OK : NodeRecord.Health.LOST;
            records = new KnownDevices(List.of(KnownDevices.device("A", health)));
            MockAM am = cluster.startGang(SchedulerHarness.gang(TASKS, 0, 1, 64), node);
            List<Container> members = cluster.awaitContainers(am);
            cluster.launch(members);
            MockAM plain =
                    cluster.startApp("plain", Map.of(), SchedulerHarness.asks(ResourceVector.of(1, 12, 256), 1), node);
            SchedulerAccess access = counting(cluster.scheduler().access());
            assertEquals(works ? TASKS : 0, warned(cluster, preempted(cluster, access), members));
            assertEquals(List.of(), cluster.pull(plain));
        }
    }

    private PreemptedGangs preempted(SchedulerHarness cluster, SchedulerAccess access) {
        return new PreemptedGangs(
                access,
                cluster.scheduler(),
                new GangMembers(access, cluster.scheduler().gangs()),
                cluster.scheduler()::reservations,
                () -> records,
                nowMs::get);
    }

    private static int warned(SchedulerHarness cluster, PreemptedGangs preempted, List<Container> members) {
        return members.stream()
                .map(member -> cluster.scheduler().getRMContainer(member.getId()))
                .mapToInt((RMContainer member) -> preempted.toWarn(member).size())
                .sum();
    }

    private static List<ResourceRequest> ask(long vcores) {
        return SchedulerHarness.asks(ResourceVector.of(0, vcores, 256), 1);
    }

    private SchedulerAccess counting(SchedulerAccess real) {
        return (SchedulerAccess) Proxy.newProxyInstance(
                SchedulerAccess.class.getClassLoader(),
                new Class<?>[] {SchedulerAccess.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("leafQueues")) {
                        looks.incrementAndGet();
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
