// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.core.wire.ZkPaths;
import io.treadle.rm.bridge.YarnResources;
import io.treadle.rm.history.JobHistories;
import io.treadle.rm.power.PowerHistory;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterRequest;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Many applications, gangs and others, go through their states in random order and are killed in each of them, while nodes
 * are lost, and come back or are replaced by others. In the end every book of ours and of YARN's is as it was before the first of them.
 */
class NothingIsLeftTest {
    private static final int APPLICATIONS = Integer.getInteger("treadle.test.applications", 30);
    private static final int AT_ONCE = 6;
    private static final int NODES = 3;
    private static final Set<RMAppState> OVER = EnumSet.of(RMAppState.FINISHED, RMAppState.FAILED, RMAppState.KILLED);

    /** An application with how far it has come. */
    private final class Driven {
        final ApplicationId id;
        final List<ResourceRequest> asks;

        @Nullable
        MockAM am;

        boolean asked;
        boolean launched;
        final List<Container> containers = new ArrayList<>();

        Driven(ApplicationId id, List<ResourceRequest> asks) {
            this.id = id;
            this.asks = asks;
        }

        boolean isOver() {
            return OVER.contains(cluster.app(id).getState());
        }

        void goOn() throws Exception {
            RMAppAttempt attempt = cluster.app(id).getCurrentAppAttempt();
            if (attempt == null || isOver()) {
                return;
            }
            MockAM master = am;
            if (master == null) {
                if (attempt.getAppAttemptState() == RMAppAttemptState.ALLOCATED) {
                    master = cluster.resourceManager.sendAMLaunched(attempt.getAppAttemptId());
                    master.registerAppAttempt();
                    am = master;
                }
            } else if (!asked) {
                master.allocate(asks, List.of());
                asked = true;
            } else if (containers.isEmpty()) {
                containers.addAll(master.allocate(List.of(), List.of()).getAllocatedContainers());
            } else if (!launched) {
                for (Container container : containers) {
                    report(
                            container.getNodeId(),
                            container.getId().getApplicationAttemptId(),
                            container.getId().getContainerId(),
                            ContainerState.RUNNING);
                }
                launched = true;
            } else {
                master.unregisterAppAttempt(
                        FinishApplicationMasterRequest.newInstance(FinalApplicationStatus.SUCCEEDED, "", ""), true);
                end();
            }
        }

        void kill() throws Exception {
            if (!isOver()) {
                cluster.resourceManager.killApp(id);
                cluster.resourceManager.drainEvents();
                end();
            }
        }

        /** The nodes report its containers as ended: YARN keeps the room of one that was started until then. */
        void end() throws Exception {
            for (RMAppAttempt attempt : cluster.app(id).getAppAttempts().values()) {
                if (attempt.getMasterContainer() != null) {
                    report(
                            attempt.getMasterContainer().getNodeId(),
                            attempt.getAppAttemptId(),
                            attempt.getMasterContainer().getId().getContainerId(),
                            ContainerState.COMPLETE);
                }
            }
            for (Container container : containers) {
                report(
                        container.getNodeId(),
                        container.getId().getApplicationAttemptId(),
                        container.getId().getContainerId(),
                        ContainerState.COMPLETE);
            }
            cluster.resourceManager.drainEvents();
        }
    }

    @SuppressWarnings("NullAway.Init") // The test sets it first.
    private SchedulerHarness cluster;

    @SuppressWarnings("NullAway.Init") // The test sets it first.
    private TestZooKeeper zooKeeper;

    private final List<MockNM> nodes = new ArrayList<>();
    private int newestPort = 1000;

    private void report(NodeId id, ApplicationAttemptId attempt, long container, ContainerState state)
            throws Exception {
        for (MockNM node : nodes) {
            if (node.getNodeId().equals(id)) {
                node.nodeHeartbeat(attempt, container, state);
            }
        }
    }

    private Driven submit(Random random) throws Exception {
        if (random.nextInt(4) == 0) {
            List<ResourceRequest> asks = List.of(ResourceRequest.newBuilder()
                    .priority(Priority.newInstance(1))
                    .resourceName(ResourceRequest.ANY)
                    .capability(YarnResources.resource(ResourceVector.of(0, 1, 256)))
                    .numContainers(1 + random.nextInt(4))
                    .build());
            return new Driven(cluster.submit("plain", Map.of()), asks);
        }
        GangSpec spec = SchedulerHarness.gang(1 + random.nextInt(4), 1, 1, 512);
        return new Driven(cluster.submit("ml", spec.toProperties()), SchedulerHarness.requests(spec));
    }

    private MockNM register(int port) throws Exception {
        MockNM node = cluster.node(port, 2, 9, 8192);
        nodes.add(node);
        return node;
    }

    private void registerNew() throws Exception {
        zooKeeper.devices(cluster, register(++newestPort), "A100", 2);
    }

    private void lose(MockNM node, boolean forEver) throws Exception {
        nodes.remove(node);
        cluster.lose(node);
        if (forEver) {
            zooKeeper.delete(ZkPaths.node(node.getNodeId().toString()));
            registerNew();
        } else {
            register(node.getNodeId().getPort());
        }
    }

    private void step(List<Driven> living, Random random) throws Exception {
        int dice = random.nextInt(40);
        if (dice == 0) {
            lose(nodes.get(random.nextInt(nodes.size())), random.nextBoolean());
        } else if (dice < 6) {
            living.get(random.nextInt(living.size())).kill();
        } else {
            living.get(random.nextInt(living.size())).goOn();
        }
        cluster.heartbeat();
    }

    @ParameterizedTest(name = "seed {0}, asynchronous scheduling {1}")
    @CsvSource({"1, false", "2, true"})
    void booksAreAsBefore(long seed, boolean asynchronous) throws Exception {
        Random random = new Random(seed);
        try (TestZooKeeper records = new TestZooKeeper();
                SchedulerHarness started = SchedulerHarness.start(settings(records, asynchronous))) {
            zooKeeper = records;
            cluster = started;
            for (int i = 0; i < NODES; i++) {
                registerNew();
            }
            cluster.awaitTrue("the planner rests", this::isAtRest);
            Map<String, Integer> before = books();
            List<Driven> all = new ArrayList<>();
            List<Driven> living = new ArrayList<>();
            while (all.size() < APPLICATIONS || !living.isEmpty()) {
                living.removeIf(Driven::isOver);
                if (living.size() < AT_ONCE && all.size() < APPLICATIONS) {
                    Driven application = submit(random);
                    all.add(application);
                    living.add(application);
                }
                if (all.size() == APPLICATIONS && random.nextInt(20) == 0 && !living.isEmpty()) {
                    // Some wait for ever.
                    living.get(0).kill();
                } else if (!living.isEmpty()) {
                    step(living, random);
                }
            }
            for (Driven application : all) {
                application.end();
            }
            nothingIsLeftInYarn();
            Map<String, Integer> left = new TreeMap<>();
            try {
                cluster.awaitTrue("books are as before", () -> {
                    cluster.heartbeat();
                    left.clear();
                    left.putAll(difference(before));
                    return left.isEmpty();
                });
            } catch (AssertionError e) {
                throw new AssertionError(e.getMessage() + "; they hold more by " + left, e);
            }
        }
    }

    /** YARN is to remember all of them: each is looked at in the end. */
    private static YarnConfiguration settings(TestZooKeeper zooKeeper, boolean asynchronous) {
        YarnConfiguration conf = zooKeeper.settings(asynchronous, "fifo+synergy-tune");
        conf.setInt(YarnConfiguration.RM_MAX_COMPLETED_APPLICATIONS, APPLICATIONS);
        return conf;
    }

    private boolean isAtRest() {
        cluster.heartbeat();
        return cluster.scheduler().planner().activity().isEmpty();
    }

    private Map<String, Integer> books() {
        try {
            // Bounded histories are meant to stay.
            return Books.of(cluster.scheduler(), Set.of(JobHistories.class, PowerHistory.class));
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Fields that hold more than before, with how many more. */
    private Map<String, Integer> difference(Map<String, Integer> before) {
        Map<String, Integer> more = new TreeMap<>();
        books().forEach((field, size) -> {
            int grown = size - before.getOrDefault(field, 0);
            if (grown > 0) {
                more.put(field, grown);
            }
        });
        return more;
    }

    private void nothingIsLeftInYarn() throws Exception {
        cluster.awaitTrue("nothing is held", () -> {
            cluster.heartbeat();
            return cluster.used().equals(ResourceVector.ZERO);
        });
        List<CSQueue> queues = new ArrayList<>(cluster.scheduler()
                .getCapacitySchedulerQueueManager()
                .getQueues()
                .values());
        for (CSQueue queue : queues) {
            String name = queue.getQueuePath();
            assertEquals(Resources.none(), queue.getQueueResourceUsage().getUsed(), name);
            assertEquals(Resources.none(), queue.getQueueResourceUsage().getPending(), name);
            assertEquals(Resources.none(), queue.getQueueResourceUsage().getReserved(), name);
            QueueMetrics metrics = queue.getMetrics();
            assertEquals(0, metrics.getAllocatedContainers(), name);
            assertEquals(0, metrics.getAllocatedMB(), name);
            assertEquals(0, metrics.getAllocatedVirtualCores(), name);
            assertEquals(0, metrics.getPendingContainers(), name);
            assertEquals(0, metrics.getPendingMB(), name);
            assertEquals(0, metrics.getPendingVirtualCores(), name);
            assertEquals(0, metrics.getReservedContainers(), name);
            assertEquals(0, metrics.getReservedMB(), name);
            if (queue instanceof AbstractLeafQueue leaf) {
                leaf.getUsersManager()
                        .getUsersInfo()
                        .forEach(user -> assertEquals(
                                Resources.none(), user.getResourcesUsed().getResource(), name));
                assertEquals(0, leaf.getNumContainers(), name);
                assertEquals(0, leaf.getNumApplications(), name);
            }
        }
        for (MockNM node : nodes) {
            var known = cluster.scheduler().getNode(node.getNodeId());
            assertEquals(0, known.getNumContainers());
            assertEquals(Resources.none(), known.getAllocatedResource());
            var tags = cluster.resourceManager
                    .getRMContext()
                    .getAllocationTagsManager()
                    .getAllocationTagsWithCount(node.getNodeId());
            assertEquals(true, tags == null || tags.isEmpty(), () -> node.getNodeId() + " has tags " + tags);
        }
        for (RMApp app : cluster.resourceManager.getRMContext().getRMApps().values()) {
            assertEquals(true, OVER.contains(app.getState()), () -> app.getApplicationId() + " is " + app.getState());
        }
    }
}
