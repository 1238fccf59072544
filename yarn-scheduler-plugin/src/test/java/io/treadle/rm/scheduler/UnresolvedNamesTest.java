// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.rm.bridge.NodeNames;
import io.treadle.rm.bridge.SchedulerAccess;
import io.treadle.rm.bridge.UndeliveredGangs;
import io.treadle.rm.bridge.YarnResources;
import io.treadle.rm.gang.Gang;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** YARN hands no container out on a node whose name does not resolve: a gang still arrives whole, or waits. */
class UnresolvedNamesTest {
    private static final String NOWHERE = "nowhere.invalid";
    private static final GangSpec GANG = SchedulerHarness.gang(4, 1, 1, 512);

    private static YarnConfiguration settings(boolean asynchronous) {
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, "fifo+synergy-tune");
        conf.setBoolean(SchedulerHarness.USE_IP, true);
        conf.set("yarn.scheduler.treadle.refuse-too-large", "false");
        return conf;
    }

    /** The ApplicationMaster starts before there is a node whose name does not resolve, and asks for nothing yet. */
    private static MockAM startMaster(SchedulerHarness cluster) throws Exception {
        return cluster.startApp("ml", GANG.toProperties(), List.of(), cluster.node(1001, 0, 8, 8192));
    }

    private static MockNM node(SchedulerHarness cluster, String host) throws Exception {
        MockNM node = cluster.resourceManager.registerNode(
                host + ":1002", YarnResources.resource(ResourceVector.of(2, 8, 8192)));
        cluster.watch(node);
        return node;
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void gangWaitsUntilTheNameResolves(boolean asynchronous) throws Exception {
        String host = "0waits" + asynchronous;
        NetUtils.addStaticResolution(host, NOWHERE);
        try (SchedulerHarness cluster = SchedulerHarness.start(settings(asynchronous))) {
            MockAM am = startMaster(cluster);
            cluster.node(1003, 2, 8, 8192);
            node(cluster, host);
            am.allocate(SchedulerHarness.requests(GANG), List.of());
            cluster.awaitReason(
                    am.getApplicationAttemptId().getApplicationId(),
                    "Gang 0/4: needs 4 GPUs (4 × 1), 2 free, at most 2 on one node, room for 2 of 4 tasks",
                    cluster::heartbeat);
            assertEquals(List.of(), cluster.pull(am));
            NetUtils.addStaticResolution(host, "127.0.0.1");
            assertEquals(4, cluster.awaitContainers(am).size(), "the gang comes whole");
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void gangGoesToNodesWhoseNamesResolve(boolean asynchronous) throws Exception {
        String host = "0elsewhere" + asynchronous;
        NetUtils.addStaticResolution(host, NOWHERE);
        try (SchedulerHarness cluster = SchedulerHarness.start(settings(asynchronous))) {
            MockAM am = startMaster(cluster);
            MockNM bad = node(cluster, host);
            cluster.node(1003, 2, 8, 8192);
            cluster.node(1004, 2, 8, 8192);
            am.allocate(SchedulerHarness.requests(GANG), List.of());
            var members = cluster.awaitContainers(am);
            assertEquals(4, members.size());
            members.forEach(
                    member -> assertEquals("127.0.0.1", member.getNodeId().getHost(), bad.getNodeId() + ""));
        }
    }

    /** The name resolved when the gang was granted. */
    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void gangIsTakenBackWhoseNodesNameFailsBeforeItIsFetched(boolean asynchronous) throws Exception {
        String host = "0fails" + asynchronous;
        NetUtils.addStaticResolution(host, "127.0.0.1");
        try (SchedulerHarness cluster = SchedulerHarness.start(settings(asynchronous))) {
            MockAM am = startMaster(cluster);
            cluster.node(1003, 2, 8, 8192);
            node(cluster, host);
            am.allocate(SchedulerHarness.requests(GANG), List.of());
            cluster.awaitTrue("the gang is granted", () -> cluster.used().gpus() == 4);
            NetUtils.addStaticResolution(host, NOWHERE);
            assertEquals(List.of(), cluster.pull(am));
            assertEquals(0, cluster.used().gpus(), "it holds nothing while it waits");
            NetUtils.addStaticResolution(host, "127.0.0.1");
            assertEquals(4, cluster.awaitContainers(am).size(), "the gang comes whole");
        }
    }

    /** While an application waits for its ApplicationMaster, the ResourceManager's dispatcher asks for its containers. */
    @Test
    void nothingIsLookedUpOnTheDispatcher() throws Exception {
        AtomicInteger lookUps = new AtomicInteger();
        NodeNames names = new NodeNames(node -> lookUps.incrementAndGet() > 0);
        try (SchedulerHarness cluster = SchedulerHarness.start(settings(false))) {
            MockAM am = startMaster(cluster);
            cluster.node(1003, 4, 8, 8192);
            am.allocate(SchedulerHarness.requests(GANG), List.of());
            cluster.awaitTrue("the gang is granted", () -> {
                cluster.heartbeat();
                return cluster.used().gpus() == 4;
            });
            SchedulerAccess access = cluster.scheduler().access();
            Gang gang = cluster.scheduler()
                    .gangs()
                    .find(am.getApplicationAttemptId().getApplicationId())
                    .orElseThrow();
            Optional<FiCaSchedulerApp> running = access.app(gang.id());
            ApplicationId other = cluster.submit("plain", Map.of());
            cluster.resourceManager.waitForState(other, RMAppState.ACCEPTED);
            Optional<FiCaSchedulerApp> waiting = access.app(other);

            new UndeliveredGangs(
                            with(access, names, waiting), cluster.scheduler().gangs())
                    .breakWhatCannotBeDelivered(gang);
            assertEquals(0, lookUps.get());
            new UndeliveredGangs(
                            with(access, names, running), cluster.scheduler().gangs())
                    .breakWhatCannotBeDelivered(gang);
            assertEquals(1, lookUps.get(), "its ApplicationMaster asks");
        } finally {
            names.close();
        }
    }

    private static SchedulerAccess with(SchedulerAccess access, NodeNames names, Optional<FiCaSchedulerApp> app) {
        return (SchedulerAccess) Proxy.newProxyInstance(
                SchedulerAccess.class.getClassLoader(),
                new Class<?>[] {SchedulerAccess.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "names" -> names;
                    case "app" -> app;
                    default -> method.invoke(access, arguments);
                });
    }
}
