// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.rm.bridge.YarnResources;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.protocolrecords.GetNewReservationRequest;
import org.apache.hadoop.yarn.api.protocolrecords.ReservationDeleteRequest;
import org.apache.hadoop.yarn.api.protocolrecords.ReservationSubmissionRequest;
import org.apache.hadoop.yarn.api.protocolrecords.SubmitApplicationRequest;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.ContainerUpdateType;
import org.apache.hadoop.yarn.api.records.NodeAttribute;
import org.apache.hadoop.yarn.api.records.NodeAttributeOpCode;
import org.apache.hadoop.yarn.api.records.NodeAttributeType;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.ReservationDefinition;
import org.apache.hadoop.yarn.api.records.ReservationId;
import org.apache.hadoop.yarn.api.records.ReservationRequest;
import org.apache.hadoop.yarn.api.records.ReservationRequestInterpreter;
import org.apache.hadoop.yarn.api.records.ReservationRequests;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.api.records.UpdateContainerRequest;
import org.apache.hadoop.yarn.api.resource.PlacementConstraint;
import org.apache.hadoop.yarn.api.resource.PlacementConstraints;
import org.apache.hadoop.yarn.api.resource.PlacementConstraints.PlacementTargets;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.ClientRMService;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Constraints, attributes of nodes, increases and YARN's reservation system: others start beside them, and beside a gang that waits. */
@ParameterizedClass(name = "asynchronous scheduling {0}")
@ValueSource(booleans = {false, true})
class OtherWaysInTest {
    private static final String QUEUE_OF_RESERVATIONS = "plan";
    private static final long RESERVED_MS = 3_600_000;
    /** It begins so much later at most, and the test waits for it. */
    private static final long SLACK_MS = 2_000;
    /** Heartbeats in which something that must not happen would have happened. */
    private static final int LONG_ENOUGH = 20;

    private final boolean asynchronous;

    @AutoClose
    private final TestZooKeeper zooKeeper = new TestZooKeeper();

    OtherWaysInTest(boolean asynchronous) {
        this.asynchronous = asynchronous;
    }

    private YarnConfiguration settings() {
        return zooKeeper.settings(asynchronous, "fifo+synergy-tune");
    }

    /** More than there is beside its ApplicationMaster: it waits for ever, and no room is reserved for it. */
    private static void startWaitingGang(SchedulerHarness cluster, MockNM node, int tasks) throws Exception {
        cluster.startGang(SchedulerHarness.gang(tasks, 0, 8, 512), node);
    }

    @SuppressWarnings("ImmutableEnumChecker") // A constraint is not changed.
    private enum Unmet {
        /** No container has this tag. */
        TAG(PlacementConstraints.targetIn(PlacementConstraints.NODE, PlacementTargets.allocationTag("nobody"))),
        /** No node has this attribute. */
        ATTRIBUTE(PlacementConstraints.targetNodeAttribute(
                PlacementConstraints.NODE, NodeAttributeOpCode.EQ, PlacementTargets.nodeAttribute("metal", "gold"))),
        /** At least three that nobody has. */
        CARDINALITY(PlacementConstraints.targetCardinality(
                PlacementConstraints.NODE, 3, 4, PlacementTargets.allocationTag("nobody")));

        final PlacementConstraint.AbstractConstraint constraint;

        Unmet(PlacementConstraint.AbstractConstraint constraint) {
            this.constraint = constraint;
        }
    }

    @ParameterizedTest(name = "{0}, {1}, GPUs {2}")
    @CsvSource({
        "TAG, scheduler, 0",
        "TAG, scheduler, 1",
        "TAG, placement-processor, 0",
        "TAG, placement-processor, 1",
        "ATTRIBUTE, scheduler, 0",
        "ATTRIBUTE, scheduler, 1",
        "ATTRIBUTE, placement-processor, 0",
        "CARDINALITY, scheduler, 1",
        "CARDINALITY, placement-processor, 0",
    })
    void constraintThatNoNodeMeetsKeepsNobodyWaiting(Unmet unmet, String handler, long gpus) throws Exception {
        YarnConfiguration conf = settings();
        conf.set(YarnConfiguration.RM_PLACEMENT_CONSTRAINTS_HANDLER, handler);
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = cluster.node(1001, 2, 16, 8192);
            zooKeeper.devices(cluster, node, "A100", 2);
            startWaitingGang(cluster, node, 2);
            for (String queue : List.of("ml", "plain")) {
                MockAM asks = cluster.startApp(queue, Map.of(), List.of(), node);
                SchedulingRequest request =
                        SchedulerHarness.request(7, Set.of("mine"), ResourceVector.of(gpus, 1, 256));
                request.setPlacementConstraint(unmet.constraint.build());
                cluster.ask(asks, request);
                OthersAreServedTest.othersStart(cluster, node);
                assertEquals(List.of(), cluster.pull(asks));
            }
            assertTrue(cluster.scheduler().vetoes() <= OthersAreServedTest.mostVetoes(cluster));
        }
    }

    @Test
    void attributeOfOneNodeIsMetThereAndOthersStart() throws Exception {
        YarnConfiguration conf = settings();
        conf.set(YarnConfiguration.RM_PLACEMENT_CONSTRAINTS_HANDLER, "scheduler");
        // Hadoop looks for a node with an attribute by its host alone.
        conf.setBoolean(YarnConfiguration.RM_SCHEDULER_INCLUDE_PORT_IN_NODE_NAME, false);
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM plain = cluster.node(1001, 1, 16, 8192);
            MockNM gold = cluster.resourceManager.registerNode(
                    "127.0.0.2:1001", YarnResources.resource(ResourceVector.of(1, 16, 8192)));
            cluster.watch(gold);
            zooKeeper.devices(cluster, plain, "A100", 1);
            zooKeeper.devices(cluster, gold, "A100", 1);
            cluster.resourceManager
                    .getRMContext()
                    .getNodeAttributesManager()
                    .addNodeAttributes(Map.of(
                            "127.0.0.2",
                            Set.of(NodeAttribute.newInstance(
                                    NodeAttribute.PREFIX_CENTRALIZED, "metal", NodeAttributeType.STRING, "gold"))));
            cluster.resourceManager.drainEvents();
            startWaitingGang(cluster, plain, 4);
            MockAM asks = cluster.startApp("plain", Map.of(), List.of(), plain);
            for (long id = 7; id < 9; id++) {
                SchedulingRequest request = SchedulerHarness.request(id, Set.of("mine"), ResourceVector.of(1, 1, 256));
                request.setPlacementConstraint(Unmet.ATTRIBUTE.constraint.build());
                cluster.ask(asks, request);
            }
            // The second waits for the one GPU of that node, while the other node has one.
            List<Container> got = cluster.awaitContainers(asks, 1);
            assertEquals(gold.getNodeId(), got.get(0).getNodeId());
            OthersAreServedTest.othersStart(cluster, plain);
            assertEquals(List.of(), cluster.pull(asks));
            assertTrue(cluster.scheduler().vetoes() <= OthersAreServedTest.mostVetoes(cluster));
        }
    }

    /** As under YARN alone its node is reserved for it, and for nothing else; other nodes serve others. */
    @Test
    void increaseOfAPlainContainerKeepsNobodyWaiting() throws Exception {
        YarnConfiguration conf = settings();
        // Hadoop asks for an increase at the host's name and finds no node of that name where names carry ports.
        conf.setBoolean(YarnConfiguration.RM_SCHEDULER_INCLUDE_PORT_IN_NODE_NAME, false);
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = cluster.node(1001, 0, 16, 8192);
            MockAM grows =
                    cluster.startApp("plain", Map.of(), SchedulerHarness.asks(ResourceVector.of(0, 1, 256), 1), node);
            Container container = cluster.awaitRunning(grows);
            MockNM second = cluster.resourceManager.registerNode(
                    "127.0.0.2:1001", YarnResources.resource(ResourceVector.of(0, 16, 8192)));
            cluster.watch(second);
            increase(grows, container, 4);
            cluster.awaitTrue("it has grown", () -> {
                cluster.pull(grows);
                return vcores(cluster, container) == 4;
            });
            startWaitingGang(cluster, second, 4);
            increase(grows, container, 16);
            for (int i = 0; i < LONG_ENOUGH; i++) {
                cluster.pull(grows);
            }
            assertEquals(4, vcores(cluster, container), "its ApplicationMaster holds a vcore of the sixteen");
            OthersAreServedTest.othersStart(cluster, second);
            assertTrue(cluster.scheduler().vetoes() <= OthersAreServedTest.mostVetoes(cluster));
            // When the application ends, what was kept for its increase is others' again.
            cluster.resourceManager.killApp(grows.getApplicationAttemptId().getApplicationId());
            cluster.resourceManager.drainEvents();
            cluster.complete(List.of(container));
            cluster.lose(second);
            OthersAreServedTest.othersStart(cluster, node);
        }
    }

    private static void increase(MockAM am, Container container, long vcores) throws Exception {
        am.sendContainerResizingRequest(List.of(UpdateContainerRequest.newInstance(
                // Each update makes a container's next version.
                vcores == 4 ? 0 : 1,
                container.getId(),
                ContainerUpdateType.INCREASE_RESOURCE,
                YarnResources.resource(ResourceVector.of(0, vcores, 256)),
                null)));
    }

    private static long vcores(SchedulerHarness cluster, Container container) {
        RMContainer known = cluster.scheduler().getRMContainer(container.getId());
        return known.getAllocatedResource().getVirtualCores();
    }

    /**
     * YARN's reservation system makes a queue for a time in which something is reserved, and takes it away thereafter. Others start
     * beside it, and gangs in it go on in the queue that YARN moves them to.
     */
    @Test
    void reservationsOfYarnKeepNobodyWaiting() throws Exception {
        YarnConfiguration conf = settings();
        conf.setBoolean(YarnConfiguration.RM_RESERVATION_SYSTEM_ENABLE, true);
        conf.setLong(YarnConfiguration.RM_RESERVATION_SYSTEM_PLAN_FOLLOWER_TIME_STEP, 50);
        String queues = "yarn.scheduler.capacity.root.";
        conf.set(queues + "queues", "ml,plain," + QUEUE_OF_RESERVATIONS);
        conf.set(queues + "ml.capacity", "25");
        conf.set(queues + "plain.capacity", "25");
        conf.set(queues + QUEUE_OF_RESERVATIONS + ".capacity", "50");
        conf.set(queues + QUEUE_OF_RESERVATIONS + ".reservable", "true");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = cluster.node(1001, 2, 32, 16_384);
            zooKeeper.devices(cluster, node, "A100", 2);
            ReservationId reserved = reserve(cluster);
            // CapacityScheduler gives a new queue of a reservation its amounts with the next node that comes or goes.
            cluster.node(1002, 0, 1, 1024);
            startWaitingGang(cluster, node, 4);
            OthersAreServedTest.othersStart(cluster, node);

            GangSpec small = SchedulerHarness.gang(2, 0, 1, 256);
            MockAM gang = cluster.startApp(
                    submit(cluster, reserved, small.toProperties()), SchedulerHarness.requests(small), node);
            List<Container> members = cluster.awaitContainers(gang);
            assertEquals(2, members.size());
            // Hadoop activates one application of such a queue: this one waits for its ApplicationMaster.
            ApplicationId waits = submit(cluster, reserved, small.toProperties());
            OthersAreServedTest.othersStart(cluster, node);

            ClientRMService clients = cluster.resourceManager.getClientRMService();
            clients.deleteReservation(ReservationDeleteRequest.newInstance(reserved));
            cluster.awaitTrue("the queue of the reservation is gone", () -> {
                cluster.heartbeat();
                return cluster.scheduler().getQueue(reserved.toString()) == null;
            });
            OthersAreServedTest.othersStart(cluster, node);
            for (ApplicationId id : List.of(gang.getApplicationAttemptId().getApplicationId(), waits)) {
                String queue =
                        cluster.scheduler().gangs().find(id).orElseThrow().queue();
                assertTrue(queue.endsWith("plan-default") && cluster.scheduler().getQueue(queue) != null, queue);
            }
            assertTrue(members.stream().allMatch(c -> cluster.scheduler().getRMContainer(c.getId()) != null));
            assertTrue(cluster.scheduler().vetoes() <= OthersAreServedTest.mostVetoes(cluster));
        }
    }

    private static ReservationDefinition fromNow() {
        long now = System.currentTimeMillis();
        ReservationRequest four = ReservationRequest.newInstance(
                YarnResources.resource(ResourceVector.of(0, 1, 256)), 4, 1, RESERVED_MS - SLACK_MS);
        return ReservationDefinition.newInstance(
                now,
                now + RESERVED_MS,
                ReservationRequests.newInstance(List.of(four), ReservationRequestInterpreter.R_ALL),
                "mine");
    }

    /** A quarter of the queue, from now on; returns when YARN has made the queue. */
    private static ReservationId reserve(SchedulerHarness cluster) throws Exception {
        ClientRMService clients = cluster.resourceManager.getClientRMService();
        ReservationId id = clients.getNewReservation(GetNewReservationRequest.newInstance())
                .getReservationId();
        cluster.awaitTrue("the reservation is accepted", () -> {
            try {
                clients.submitReservation(
                        ReservationSubmissionRequest.newInstance(fromNow(), QUEUE_OF_RESERVATIONS, id));
                return true;
            } catch (YarnException | java.io.IOException e) {
                // The plan does not know yet how large the cluster is.
                return false;
            }
        });
        cluster.awaitTrue("its queue is there", () -> {
            cluster.heartbeat();
            return cluster.scheduler().getQueue(id.toString()) != null
                    && cluster.scheduler().getQueue(id.toString()).getCapacity() > 0;
        });
        return id;
    }

    private static ApplicationId submit(
            SchedulerHarness cluster, ReservationId reserved, Map<String, String> properties) throws Exception {
        ApplicationId id = cluster.resourceManager.getNewAppId().getApplicationId();
        ApplicationSubmissionContext context = ApplicationSubmissionContext.newInstance(
                id,
                "job",
                // Hadoop compares it with the path.
                "root." + QUEUE_OF_RESERVATIONS,
                Priority.newInstance(0),
                ContainerLaunchContext.newInstance(
                        Map.of(), Map.of(), List.of(), Map.of(), (ByteBuffer) null, Map.of()),
                false,
                true,
                1,
                Resource.newInstance(128, 1),
                GangSpec.APPLICATION_TYPE,
                false);
        context.setReservationID(reserved);
        context.setApplicationSchedulingPropertiesMap(properties);
        cluster.resourceManager.getClientRMService().submitApplication(SubmitApplicationRequest.newInstance(context));
        cluster.resourceManager.drainEvents();
        return id;
    }
}
