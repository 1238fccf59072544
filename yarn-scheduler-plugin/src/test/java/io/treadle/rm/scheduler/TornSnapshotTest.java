// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.wire.GangSpec;
import io.treadle.rm.bridge.GangReservations;
import io.treadle.rm.bridge.MemoryWishes;
import io.treadle.rm.bridge.PowerSight;
import io.treadle.rm.bridge.SchedulerAccess;
import io.treadle.rm.bridge.SnapshotBuilder;
import io.treadle.rm.conf.SchedulerConf;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.profile.NoTelemetry;
import io.treadle.rm.profile.ProfilingTime;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Containers start and end while the scheduler's state is read. */
class TornSnapshotTest {
    private static final YarnConfiguration CONF = SchedulerHarness.settings(false, "fifo+synergy-tune");

    /** The queue may hold the whole cluster: it is never what a job on the only node has to be made smaller for. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void containerThatStartsMeanwhileLeavesTheQueueNoLessThanTheNode(int call) throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(CONF)) {
            MockNM node = cluster.node(1001, 2, 9, 8192);
            GangSpec spec = SchedulerHarness.gang(1, 1, 1, 512);
            ApplicationId job = cluster.submit("ml", spec.toProperties());
            cluster.awaitContainers(cluster.startApp(job, SchedulerHarness.requests(spec), node));
            ApplicationId next = cluster.submit("ml", spec.toProperties());
            cluster.resourceManager.waitForState(next, RMAppState.ACCEPTED);
            Gang gang = cluster.scheduler().gangs().find(job).orElseThrow();

            Snapshot snapshot =
                    snapshot(at(call, cluster.scheduler().access(), () -> startMaster(cluster, next)), gang);

            assertNotNull(cluster.app(next).getCurrentAppAttempt().getMasterContainer(), "it looked less often");
            assertEquals(1, snapshot.jobs().size());
            long onNode = snapshot.nodes().get(0).available().vcores();
            long inQueue = snapshot.queue().available().vcores();
            assertTrue(onNode <= inQueue, () -> inQueue + " vcores for the queue, " + onNode + " on the node");
        }
    }

    private static void startMaster(SchedulerHarness cluster, ApplicationId id) {
        try {
            cluster.awaitTrue("the ApplicationMaster's container is allocated", () -> {
                cluster.heartbeat();
                return cluster.app(id).getCurrentAppAttempt().getMasterContainer() != null;
            });
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static Snapshot snapshot(SchedulerAccess access, Gang gang) {
        NoTelemetry telemetry = new NoTelemetry();
        SchedulerConf conf = SchedulerConf.from(CONF);
        SnapshotBuilder builder = new SnapshotBuilder(
                access,
                telemetry,
                new ProfilingTime(telemetry, conf.profilingMost(), Clock.systemUTC()),
                new MemoryWishes(telemetry, (id, wanted) -> {}),
                new PowerSight(access, telemetry, () -> PowerSight.Limits.NONE, 0),
                new GangReservations(),
                conf);
        return builder.build(SchedulerHarness.QUEUE, "", List.of(gang), List.of(), false, 0)
                .orElseThrow();
    }

    /** @param call before which look at the nodes or at the cluster's size, counted from 1, it happens */
    private static SchedulerAccess at(int call, SchedulerAccess access, Runnable happens) {
        AtomicInteger calls = new AtomicInteger();
        return (SchedulerAccess) Proxy.newProxyInstance(
                SchedulerAccess.class.getClassLoader(),
                new Class<?>[] {SchedulerAccess.class},
                (proxy, method, arguments) -> {
                    boolean looks = List.of("nodes", "clusterResource").contains(method.getName());
                    if (looks && calls.incrementAndGet() == call) {
                        happens.run();
                    }
                    try {
                        return method.invoke(access, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
