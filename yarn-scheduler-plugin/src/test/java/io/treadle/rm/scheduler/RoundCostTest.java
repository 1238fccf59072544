// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.rm.AllocatedBytes;
import io.treadle.rm.bridge.GangReservations;
import io.treadle.rm.bridge.Heartbeats;
import io.treadle.rm.bridge.MemoryWishes;
import io.treadle.rm.bridge.PowerSight;
import io.treadle.rm.bridge.SchedulerAccess;
import io.treadle.rm.bridge.SnapshotBuilder;
import io.treadle.rm.bridge.YarnResources;
import io.treadle.rm.conf.SchedulerConf;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.profile.NoTelemetry;
import io.treadle.rm.profile.ProfilingTime;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.junit.jupiter.api.Test;

/** What the snapshots of a round cost, by the bytes that they allocate, and what each of them sees. */
class RoundCostTest {
    private static final YarnConfiguration CONF = SchedulerHarness.settings(false, "fifo+synergy-tune");
    private static final int NODES = 40;
    private static final int CONTAINERS = 600;
    private static final int GANGS = 30;

    @Test
    void furtherQueuesOfARoundCostAFractionOfTheFirst() throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(CONF)) {
            fill(cluster, NODES, CONTAINERS);
            SchedulerAccess access = cluster.scheduler().access();
            SnapshotBuilder builder = builder(access);
            long first = AllocatedBytes.of(() -> build(builder(access), List.of(), List.of()));
            long second = AllocatedBytes.of(() -> build(builder, List.of(), List.of()));
            assertTrue(3 * second < first, () -> first + " bytes for the first queue, " + second + " for the second");
        }
    }

    /** Each queue sees the gangs of all others. */
    @Test
    void gangsOfOtherQueuesAreReadOnceInARound() throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(CONF)) {
            MockNM node = cluster.node(1001, 0, 512, 262_144);
            List<Gang> gangs = new ArrayList<>();
            for (int i = 0; i < GANGS; i++) {
                MockAM am = cluster.startGang(SchedulerHarness.gang(8, 0, 1, 64), node);
                cluster.awaitContainers(am);
                gangs.add(gang(cluster, am));
            }
            SchedulerAccess access = cluster.scheduler().access();
            SnapshotBuilder builder = builder(access);
            long first = AllocatedBytes.of(() -> build(builder(access), List.of(), gangs));
            long second = AllocatedBytes.of(() -> build(builder, List.of(), gangs));
            assertTrue(3 * second < first, () -> first + " bytes for the first queue, " + second + " for the second");
        }
    }

    @Test
    void silentNodesCostNoMoreThanOthers() throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(CONF)) {
            fill(cluster, NODES, 0);
            AtomicLong heartbeats = new AtomicLong();
            SchedulerAccess access = cluster.scheduler().access();
            SchedulerAccess silent = later(access, heartbeats);
            long speaking = AllocatedBytes.of(() -> build(builder(access), List.of(), List.of()));
            long quiet = AllocatedBytes.of(() -> {
                Snapshot snapshot = build(builder(silent), List.of(), List.of());
                assertTrue(snapshot.nodes().stream().noneMatch(NodeView::open));
            });
            assertEquals(10, heartbeats.get(), "looks for the newest heartbeat in ten rounds");
            assertTrue(quiet < 2 * speaking, () -> speaking + " bytes, " + quiet + " where nodes are silent");
        }
    }

    /** What a plan has done in a round, the next queue's snapshot of the same round has seen. */
    @Test
    void nextQueueOfTheRoundSeesWhatWasStartedMeanwhile() throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(CONF)) {
            MockNM node = cluster.node(1001, 4, 16, 16_384);
            GangSpec spec = SchedulerHarness.gang(2, 1, 2, 512);
            MockAM first = cluster.startGang(spec, node);
            cluster.awaitContainers(first);
            SnapshotBuilder builder = builder(cluster.scheduler().access());
            builder.roundBegins();
            Gang gang = gang(cluster, first);
            ResourceVector before = used(build(builder, List.of(gang), List.of()));
            assertEquals(1, before.vcores(), "its ApplicationMaster");

            MockAM second = cluster.startGang(spec, node);
            List<Container> started = cluster.awaitContainers(second);
            Gang next = gang(cluster, second);

            // As another queue sees it, in the same round.
            NodeView seen = build(builder, List.of(gang), List.of(next)).nodes().get(0);
            assertEquals(2, seen.othersUse().gpus());
            assertEquals(2, seen.othersTasks().gpus(), "they are tasks of a gang");
            assertEquals(0, used(build(builder, List.of(gang, next), List.of())).gpus());
            assertEquals(2, used(build(builder, List.of(next), List.of(gang))).gpus());

            cluster.launch(started);
            cluster.complete(started);
            assertEquals(0, used(build(builder, List.of(gang), List.of(next))).gpus());
        }
    }

    @Test
    void nodeIsSilentWhereOthersWereHeardOfMeanwhile() throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(CONF)) {
            cluster.node(1001, 0, 4, 4096);
            FiCaSchedulerNode node =
                    cluster.scheduler().access().nodes().iterator().next();
            long last = node.getLastHeartbeatMonotonicTime();
            assertEquals(
                    0, new Heartbeats(last + 20_000, last, 10_000).silentMs(node), "the ResourceManager stood still");
            assertEquals(0, new Heartbeats(last + 10_000, last + 10_000, 10_000).silentMs(node));
            assertEquals(20_000, new Heartbeats(last + 20_000, last + 19_000, 10_000).silentMs(node));
        }
    }

    private static ResourceVector used(Snapshot snapshot) {
        return snapshot.nodes().get(0).othersUse();
    }

    private static Gang gang(SchedulerHarness cluster, MockAM am) {
        return cluster.scheduler()
                .gangs()
                .find(am.getApplicationAttemptId().getApplicationId())
                .orElseThrow();
    }

    private static Snapshot build(SnapshotBuilder builder, List<Gang> gangs, List<Gang> others) {
        return builder.build(SchedulerHarness.QUEUE, "", gangs, others, false, 0)
                .orElseThrow();
    }

    private static SnapshotBuilder builder(SchedulerAccess access) {
        NoTelemetry telemetry = new NoTelemetry();
        SchedulerConf conf = SchedulerConf.from(CONF);
        return new SnapshotBuilder(
                access,
                telemetry,
                new ProfilingTime(telemetry, conf.profilingMost(), Clock.systemUTC()),
                new MemoryWishes(telemetry, (id, wanted) -> {}),
                new PowerSight(access, telemetry, () -> PowerSight.Limits.NONE, 0),
                new GangReservations(),
                conf);
    }

    /** Nodes, and one plain application with so many containers on them. */
    private static void fill(SchedulerHarness cluster, int nodes, int containers) throws Exception {
        List<MockNM> all = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            all.add(cluster.node(2000 + i, 0, 32, 16_384));
        }
        ResourceRequest ask = ResourceRequest.newBuilder()
                .priority(Priority.newInstance(1))
                .resourceName(ResourceRequest.ANY)
                .capability(YarnResources.resource(ResourceVector.of(0, 1, 64)))
                .numContainers(containers)
                .relaxLocality(true)
                .build();
        if (containers > 0) {
            cluster.startApp("plain", Map.of(), List.of(ask), all.get(0));
            cluster.awaitTrue("all containers are there", () -> {
                cluster.heartbeat();
                return cluster.used().vcores() == containers + 1;
            });
        }
    }

    /** The same cluster an hour later, where one node more has just been heard of. */
    private static SchedulerAccess later(SchedulerAccess access, AtomicLong heartbeats) {
        return (SchedulerAccess) Proxy.newProxyInstance(
                SchedulerAccess.class.getClassLoader(),
                new Class<?>[] {SchedulerAccess.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("heartbeats")) {
                        heartbeats.incrementAndGet();
                        Heartbeats now = access.heartbeats();
                        long later = now.nowMs() + 3_600_000;
                        return new Heartbeats(later, later, now.mostMs());
                    }
                    try {
                        return method.invoke(access, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
