// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.DeviceTag;
import io.treadle.core.wire.GangSpec;
import io.treadle.rm.TokenTags;
import io.treadle.rm.gang.Gang;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.conf.HAUtil;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.api.protocolrecords.NMContainerStatus;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.MemoryRMStateStore;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.RMStateStore;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Another ResourceManager takes over: in the middle of a gang's commit, and back and forth. */
class FailoverTest {
    private static final int TASKS = 40;
    private static final ResourceVector TASK = ResourceVector.of(1, 1, 64);
    private static final ResourceVector MASTER = ResourceVector.of(0, 1, 128);

    /** The state store outlives the ResourceManager that stops. */
    private static final class Store extends MemoryRMStateStore {
        @Override
        public void stop() {}
    }

    private final Store store = new Store();
    private final List<MockNM> nodes = new ArrayList<>();

    private static YarnConfiguration settings(boolean asynchronous) {
        YarnConfiguration conf = SchedulerHarness.settings(asynchronous, "fifo+synergy-tune");
        conf.setBoolean(YarnConfiguration.RECOVERY_ENABLED, true);
        conf.set(YarnConfiguration.RM_STORE, MemoryRMStateStore.class.getName());
        return conf;
    }

    /** The nodes, with what runs on them, and the ApplicationMasters go to this ResourceManager. */
    private void goTo(SchedulerHarness next, List<Container> running, List<MockAM> masters) throws Exception {
        for (MockNM node : nodes) {
            node.setResourceTrackerService(next.resourceManager.getResourceTrackerService());
            node.registerNode(
                    running.stream()
                            .filter(c -> c.getNodeId().equals(node.getNodeId()))
                            .map(FailoverTest::status)
                            .toList(),
                    List.of());
            next.watch(node);
        }
        next.resourceManager.drainEvents();
        for (MockAM am : masters) {
            ApplicationId id = am.getApplicationAttemptId().getApplicationId();
            next.awaitTrue(
                    "the attempt is recovered",
                    () -> next.app(id).getCurrentAppAttempt().getAppAttemptState() == RMAppAttemptState.LAUNCHED);
            am.setAMRMProtocol(next.resourceManager.getApplicationMasterService(), next.resourceManager.getRMContext());
            am.registerAppAttempt(false);
        }
    }

    private static NMContainerStatus status(Container container) {
        NMContainerStatus status = NMContainerStatus.newInstance(
                container.getId(),
                container.getVersion(),
                ContainerState.RUNNING,
                container.getResource(),
                "",
                0,
                container.getPriority(),
                0);
        status.setAllocationTags(TokenTags.of(container));
        return status;
    }

    /** Each has the GPUs that its token names, and no two have the same. */
    private static void assertGpus(SchedulerHarness active, List<Container> members) {
        Set<String> all = new HashSet<>();
        for (Container member : members) {
            Set<String> tags = TokenTags.of(member);
            assertEquals(1, tags.size(), tags::toString);
            assertTrue(DeviceTag.parse(tags.iterator().next()).isPresent(), tags::toString);
            assertEquals(tags, active.scheduler().getRMContainer(member.getId()).getAllocationTags());
            assertTrue(all.addAll(tags), () -> tags + " of " + all);
        }
    }

    private static Container master(SchedulerHarness cluster, MockAM am) {
        return cluster.app(am.getApplicationAttemptId().getApplicationId())
                .getCurrentAppAttempt()
                .getMasterContainer();
    }

    private List<TaskPlacement> tasks() {
        List<TaskPlacement> tasks = new ArrayList<>();
        for (MockNM node : nodes) {
            tasks.addAll(Collections.nCopies(
                    TASKS / 2, new TaskPlacement("worker", node.getNodeId().toString(), TASK, List.of())));
        }
        return tasks;
    }

    /** @param members how many are committed when the other takes over */
    @ParameterizedTest(name = "asynchronous scheduling {0}, after {1} members")
    @CsvSource({"false, 1", "true, 1", "false, 20", "true, 20", "false, 40", "true, 40"})
    void gangThatFormsThenIsGrantedOnceAndWhole(boolean asynchronous, int members) throws Exception {
        YarnConfiguration still = settings(asynchronous);
        // The first one's planner stays away: the test commits.
        still.set("yarn.scheduler.treadle.round.min-gap-ms", "60000");
        store.init(still);
        GangSpec spec = SchedulerHarness.gang(TASKS, TASK.gpus(), TASK.vcores(), TASK.memoryMiB());
        List<SchedulerHarness> second = new ArrayList<>();
        List<Container> granted = new ArrayList<>();
        try (SchedulerHarness first = SchedulerHarness.start(still, UnaryOperator.identity(), store)) {
            for (int port : new int[] {1001, 1002}) {
                nodes.add(first.node(port, TASKS / 2, TASKS / 2 + 4, 16384));
            }
            MockAM am = first.startGang(spec, nodes.get(0));
            ApplicationId id = am.getApplicationAttemptId().getApplicationId();
            Container master = master(first, am);
            Gang gang = first.scheduler().gangs().find(id).orElseThrow();
            CountedHolds holds = new CountedHolds(first.scheduler().access()).afterMembers(members, () -> {
                try {
                    SchedulerHarness next =
                            SchedulerHarness.start(settings(asynchronous), UnaryOperator.identity(), store);
                    second.add(next);
                    goTo(next, List.of(master), List.of(am));
                    am.allocate(SchedulerHarness.requests(spec), List.of());
                    granted.addAll(next.awaitContainers(am));
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            // The one that was active goes on meanwhile, as after a long pause of its process.
            Optional<String> refused = PlannedByHand.commit(holds.access(), gang, tasks());
            assertEquals(Optional.empty(), refused);
            assertEquals(1, second.size(), "the second ResourceManager took over");
            Set<Object> old = new HashSet<>();
            first.scheduler()
                    .access()
                    .app(id)
                    .orElseThrow()
                    .getLiveContainers()
                    .forEach(container -> old.add(container.getContainerId()));

            SchedulerHarness active = second.get(0);
            assertEquals(TASKS, granted.size(), "all members come in one answer");
            active.launch(granted);
            assertEquals(List.of(), active.pull(am));
            assertEquals(MASTER.plus(TASK.times(TASKS)), active.used());
            Set<Object> ids = new HashSet<>();
            granted.forEach(container -> ids.add(container.getId()));
            assertEquals(TASKS, ids.size());
            assertTrue(Collections.disjoint(ids, old), "no id is given twice");
            assertEquals(0, active.scheduler().getRootQueueMetrics().getPendingContainers());
        } finally {
            second.forEach(SchedulerHarness::close);
        }
    }

    /** What Hadoop's admin service calls, which then reads the queues again from a file. */
    private static final Method BECOME_ACTIVE = hadoops("transitionToActive");

    private static final Method BECOME_STANDBY = hadoops("transitionToStandby", boolean.class);

    /** One that becomes a standby makes itself a new store. */
    private static final Method USE_STORE = hadoops("setRMStateStore", RMStateStore.class);

    private static Method hadoops(String name, Class<?>... parameters) {
        try {
            Method method = ResourceManager.class.getDeclaredMethod(name, parameters);
            method.setAccessible(true);
            return method;
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    private static SchedulerHarness standby(YarnConfiguration common, String id, Store store) {
        YarnConfiguration conf = new YarnConfiguration(common);
        conf.setBoolean(YarnConfiguration.RM_HA_ENABLED, true);
        conf.setBoolean(YarnConfiguration.AUTO_FAILOVER_ENABLED, false);
        conf.set(YarnConfiguration.RM_HA_IDS, "rm1,rm2");
        conf.set(YarnConfiguration.RM_HA_ID, id);
        for (String key : YarnConfiguration.getServiceAddressConfKeys(conf)) {
            conf.set(HAUtil.addSuffix(key, "rm1"), "localhost:0");
            conf.set(HAUtil.addSuffix(key, "rm2"), "localhost:0");
        }
        return SchedulerHarness.start(conf, UnaryOperator.identity(), store);
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void eachOfTwoIsActiveInTurn(boolean asynchronous) throws Exception {
        GangSpec spec = SchedulerHarness.gang(2, 1, 1, 64);
        List<Container> running = new ArrayList<>();
        List<Container> members = new ArrayList<>();
        List<MockAM> masters = new ArrayList<>();
        try (TestZooKeeper zooKeeper = new TestZooKeeper()) {
            zooKeeper.write("/before", "the test's own client has its threads");
            Set<Thread> before = OurThreads.all();
            YarnConfiguration conf = settings(asynchronous);
            store.init(conf);
            conf.set("hadoop.zk.address", zooKeeper.server.getConnectString());
            try (SchedulerHarness one = standby(conf, "rm1", store);
                    SchedulerHarness other = standby(conf, "rm2", store)) {
                for (int turn = 0; turn < 4; turn++) {
                    SchedulerHarness active = turn % 2 == 0 ? one : other;
                    USE_STORE.invoke(active.resourceManager, store);
                    BECOME_ACTIVE.invoke(active.resourceManager);
                    if (nodes.isEmpty()) {
                        nodes.add(active.node(1001, 16, 32, 16384));
                        zooKeeper.devices(active, nodes.get(0), "A100", 16);
                    } else {
                        goTo(active, running, masters);
                    }
                    // Vcores may be more: the queue's policy gives what is idle.
                    ResourceVector ran = MASTER.plus(TASK.times(2)).times(turn);
                    assertGpus(active, members);
                    assertEquals(ran.gpus(), active.used().gpus());
                    assertEquals(ran.memoryMiB(), active.used().memoryMiB());
                    MockAM am = active.startGang(spec, nodes.get(0));
                    List<Container> granted = active.awaitContainers(am);
                    assertEquals(2, granted.size());
                    active.launch(granted);
                    masters.add(am);
                    running.add(master(active, am));
                    running.addAll(granted);
                    members.addAll(granted);
                    assertGpus(active, members);
                    BECOME_STANDBY.invoke(active.resourceManager, true);
                    Set<Thread> left = new HashSet<>();
                    active.awaitTrue("a standby has no thread of ours", () -> {
                        left.clear();
                        left.addAll(OurThreads.all());
                        left.removeAll(before);
                        return left.isEmpty();
                    });
                }
            }
        }
    }
}
