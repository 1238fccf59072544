// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.treadle.core.job.DeviceShare;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.KnownDevices;
import io.treadle.rm.bridge.GangCommitter;
import io.treadle.rm.bridge.GangReservations;
import io.treadle.rm.bridge.SchedulerAccess;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.sleep.Sleeping;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** YARN's AllocationTagsManager has no tag of a container that is gone, whether or not its master ever saw it. */
class ForgottenTagsTest {
    private static YarnConfiguration withoutPlanner(boolean asynchronous) {
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, "fifo+synergy-tune");
        conf.set("yarn.scheduler.treadle.round.min-gap-ms", "60000");
        return conf;
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void tagsOfMembersThatAreTakenBackGoWithThem(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(withoutPlanner(asynchronous))) {
            MockNM node = cluster.node(1001, 2, 16, 8192);
            MockAM am = cluster.startGang(SchedulerHarness.gang(2, 1, 1, 512), node);
            AtomicInteger commits = new AtomicInteger();
            Optional<String> refused = commit(cluster, am, node, refusing(cluster, commits, 2));
            assertEquals(Optional.of("a member on " + node.getNodeId() + " was refused"), refused);
            assertEquals(Map.of(), tags(cluster, node));
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void tagsOfAGangThatWasNeverFetchedGoWithItsJob(boolean asynchronous) throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(withoutPlanner(asynchronous))) {
            MockNM node = cluster.node(1001, 2, 16, 8192);
            MockAM am = cluster.startGang(SchedulerHarness.gang(2, 1, 1, 512), node);
            assertEquals(
                    Optional.empty(),
                    commit(cluster, am, node, cluster.scheduler().access()));
            assertFalse(tags(cluster, node).isEmpty());
            cluster.resourceManager.killApp(am.getApplicationAttemptId().getApplicationId());
            cluster.resourceManager.waitForState(am.getApplicationAttemptId().getApplicationId(), RMAppState.KILLED);
            cluster.awaitTrue("its containers are gone", () -> {
                cluster.heartbeat();
                return cluster.used().gpus() == 0;
            });
            assertEquals(Map.of(), tags(cluster, node));
        }
    }

    private static Optional<String> commit(SchedulerHarness cluster, MockAM am, MockNM node, SchedulerAccess access) {
        Gang gang = cluster.scheduler()
                .gangs()
                .find(am.getApplicationAttemptId().getApplicationId())
                .orElseThrow();
        String id = node.getNodeId().toString();
        return new GangCommitter(access, KnownDevices.of("A", "B"), Sleeping.NONE, new GangReservations())
                .commit(gang, List.of(placement(id, "A"), placement(id, "B")));
    }

    private static SchedulerAccess refusing(SchedulerHarness cluster, AtomicInteger commits, int which) {
        SchedulerAccess real = cluster.scheduler().access();
        return (SchedulerAccess) Proxy.newProxyInstance(
                SchedulerAccess.class.getClassLoader(),
                new Class<?>[] {SchedulerAccess.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("commitPlanned") && commits.incrementAndGet() == which) {
                        return false;
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static Map<String, Long> tags(SchedulerHarness cluster, MockNM node) {
        Map<String, Long> tags = cluster.resourceManager
                .getRMContext()
                .getAllocationTagsManager()
                .getAllocationTagsWithCount(node.getNodeId());
        return tags == null ? Map.of() : new TreeMap<>(tags);
    }

    private static TaskPlacement placement(String node, String device) {
        return new TaskPlacement(
                "worker", node, ResourceVector.of(1, 3, 512), List.of(new DeviceShare(device, 40960, true)));
    }
}
