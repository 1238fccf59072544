// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.rm.bridge.ContainerResizer;
import io.treadle.rm.bridge.SchedulerAccess;
import io.treadle.rm.gang.Gang;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A gang of many members is committed and taken back in many short holds of the scheduler's lock. */
class ShortHoldsTest {
    private static final int TASKS = 40;
    private static final int MOST_IN_A_HOLD = 16;
    private static final ResourceVector TASK = ResourceVector.of(1, 1, 64);
    private static final ResourceVector MASTER = ResourceVector.of(0, 1, 128);

    /** A cluster of two nodes, each with room for half of a gang and a little more; the planner stays away. */
    private record Setting(SchedulerHarness cluster, MockNM first, MockNM second, MockAM am, Gang gang) {
        static Setting of(boolean asynchronous) throws Exception {
            YarnConfiguration conf = SchedulerHarness.settings(asynchronous, "fifo+synergy-tune");
            conf.set("yarn.scheduler.treadle.round.min-gap-ms", "60000");
            SchedulerHarness cluster = SchedulerHarness.start(conf);
            MockNM first = cluster.node(1001, TASKS / 2, TASKS / 2 + 4, 16384);
            MockNM second = cluster.node(1002, TASKS / 2, TASKS / 2 + 4, 16384);
            GangSpec spec = SchedulerHarness.gang(TASKS, TASK.gpus(), TASK.vcores(), TASK.memoryMiB());
            MockAM am = cluster.startGang(spec, first);
            ApplicationId id = am.getApplicationAttemptId().getApplicationId();
            return new Setting(
                    cluster,
                    first,
                    second,
                    am,
                    cluster.scheduler().gangs().find(id).orElseThrow());
        }

        Optional<String> commit(SchedulerAccess access) {
            List<TaskPlacement> tasks = new ArrayList<>();
            for (MockNM node : List.of(first, second)) {
                tasks.addAll(Collections.nCopies(
                        TASKS / 2, new TaskPlacement("worker", node.getNodeId().toString(), TASK, List.of())));
            }
            return PlannedByHand.commit(access, gang, tasks);
        }

        void nothingOfTheGangIsHeld() {
            assertEquals(MASTER, cluster.used());
            QueueMetrics metrics = cluster.scheduler().getRootQueueMetrics();
            assertEquals(TASKS, metrics.getPendingContainers());
            assertEquals(TASKS * TASK.memoryMiB(), metrics.getPendingMB());
            assertEquals(1, metrics.getAllocatedContainers());
        }

        CompletableFuture<List<Container>> heartbeatOfMaster() {
            return CompletableFuture.supplyAsync(() -> {
                try {
                    return am.allocate(List.of(), List.of()).getAllocatedContainers();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void oneHoldCommitsFewMembers(boolean asynchronous) throws Exception {
        Setting setting = Setting.of(asynchronous);
        try (SchedulerHarness cluster = setting.cluster()) {
            CountedHolds holds = new CountedHolds(cluster.scheduler().access());
            assertEquals(Optional.empty(), setting.commit(holds.access()));
            assertTrue(holds.mostCommitted() <= MOST_IN_A_HOLD, () -> holds.mostCommitted() + " members in one hold");
            assertEquals(TASKS, holds.committed());
            assertEquals(TASKS, setting.heartbeatOfMaster().get().size());
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void oneHoldTakesBackFewMembers(boolean asynchronous) throws Exception {
        Setting setting = Setting.of(asynchronous);
        try (SchedulerHarness cluster = setting.cluster()) {
            CountedHolds holds = new CountedHolds(cluster.scheduler().access()).refusing(TASKS);
            assertTrue(setting.commit(holds.access()).orElseThrow().endsWith("was refused"));
            assertTrue(holds.mostTakenBack() <= MOST_IN_A_HOLD, () -> holds.mostTakenBack() + " members in one hold");
            assertEquals(TASKS - 1, holds.takenBack());
            setting.nothingOfTheGangIsHeld();
            assertEquals(List.of(), setting.heartbeatOfMaster().get());
        }
    }

    @ParameterizedTest(name = "before Hadoop notes the member {0}")
    @ValueSource(booleans = {false, true})
    void gangIsTakenBackWholeWhereACommitFails(boolean before) throws Exception {
        Setting setting = Setting.of(false);
        try (SchedulerHarness cluster = setting.cluster()) {
            CountedHolds holds = new CountedHolds(cluster.scheduler().access()).failing(TASKS / 2, before);
            assertThrows(IllegalStateException.class, () -> setting.commit(holds.access()));
            setting.nothingOfTheGangIsHeld();
            assertEquals(List.of(), setting.heartbeatOfMaster().get());
            assertEquals(Optional.empty(), setting.commit(cluster.scheduler().access()));
            assertEquals(TASKS, setting.heartbeatOfMaster().get().size());
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void oneHoldResizesFewMembers(boolean asynchronous) throws Exception {
        Setting setting = Setting.of(asynchronous);
        try (SchedulerHarness cluster = setting.cluster()) {
            assertEquals(Optional.empty(), setting.commit(cluster.scheduler().access()));
            List<Container> members = setting.heartbeatOfMaster().get();
            cluster.launch(members);
            cluster.awaitTrue("all run", () -> members.stream()
                    .allMatch(
                            c -> cluster.scheduler().getRMContainer(c.getId()).getState() == RMContainerState.RUNNING));
            Map<String, ResourceVector> larger =
                    members.stream().collect(Collectors.toMap(c -> c.getId().toString(), c -> TASK.withMemoryMiB(128)));
            CountedHolds holds = new CountedHolds(cluster.scheduler().access());
            ContainerResizer resizer = PlannedByHand.resizer(holds.access());
            assertEquals(TASKS, resizer.grow(setting.gang(), larger, 0));
            assertTrue(holds.mostCommitted() <= MOST_IN_A_HOLD, () -> holds.mostCommitted() + " members in one hold");
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void gangThatFormsIsNotFetchedInPart(boolean asynchronous) throws Exception {
        Setting setting = Setting.of(asynchronous);
        try (SchedulerHarness cluster = setting.cluster()) {
            List<CompletableFuture<List<Container>>> answers = new ArrayList<>();
            CountedHolds holds = new CountedHolds(cluster.scheduler().access()).afterMembers(20, () -> {
                answers.add(setting.heartbeatOfMaster());
                CompletableFuture<List<Container>> answer = answers.get(0);
                assertFalse(comesWithin(answer, 200), "no answer while the gang forms");
            });
            assertEquals(Optional.empty(), setting.commit(holds.access()));
            assertEquals(TASKS, answers.get(0).get(120, TimeUnit.SECONDS).size());
        }
    }

    private static boolean comesWithin(CompletableFuture<?> answer, long millis) {
        try {
            answer.get(millis, TimeUnit.MILLISECONDS);
            return true;
        } catch (java.util.concurrent.TimeoutException e) {
            return false;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void nodeThatIsLostBetweenTwoHoldsTakesTheGangBack(boolean asynchronous) throws Exception {
        Setting setting = Setting.of(asynchronous);
        try (SchedulerHarness cluster = setting.cluster()) {
            MockNM lost = withoutMaster(setting);
            CountedHolds holds = new CountedHolds(cluster.scheduler().access()).afterMembers(TASKS, () -> {
                // The dispatcher must not wait for the gang: this thread forms it.
                cluster.lose(lost);
            });
            assertTrue(setting.commit(holds.access()).isPresent());
            cluster.awaitTrue(
                    "nothing but the master is held", () -> cluster.used().equals(MASTER));
            setting.nothingOfTheGangIsHeld();
            assertEquals(List.of(), setting.heartbeatOfMaster().get());
            assertFalse(setting.gang().delivery().isBusy());
        }
    }

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void othersAreServedBetweenTwoHoldsAndLeaveTheGangItsRoom(boolean asynchronous) throws Exception {
        othersAskAfter(1, 1, 6, asynchronous);
    }

    /**
     * The gang has its room on the first node: what is reserved there for others would count as held by the root. By heartbeats, as it
     * is known then where ApplicationMasters are.
     */
    @Test
    void nobodyReservesANodeBetweenTwoHolds() throws Exception {
        // There is room for one of them, on the second node.
        othersAskAfter(TASKS / 2 + 1, 4, 1, false);
    }

    /** What is refused at its commit would end the walk of each heartbeat before those that fit. */
    @Test
    void whoeverFitsIsServedBehindOneThatDoesNot() throws Exception {
        Setting setting = Setting.of(false);
        try (SchedulerHarness cluster = setting.cluster()) {
            MockAM large = cluster.startApp("plain", Map.of(), List.of(), setting.first());
            MockAM small = cluster.startApp("plain", Map.of(), List.of(), setting.first());
            CountedHolds holds = new CountedHolds(cluster.scheduler().access()).afterMembers(1, () -> {
                cluster.ask(large, SchedulerHarness.asks(ResourceVector.of(0, 6, 64), 30));
                cluster.ask(small, SchedulerHarness.asks(ResourceVector.of(0, 1, 64), 2));
                cluster.awaitContainers(small, 2);
            });
            assertEquals(Optional.empty(), setting.commit(holds.access()));
        }
    }

    /** @param come how many containers of so many vcores there is room for beside the gang */
    private static void othersAskAfter(int members, int vcores, int come, boolean asynchronous) throws Exception {
        Setting setting = Setting.of(asynchronous);
        try (SchedulerHarness cluster = setting.cluster()) {
            MockAM plain = cluster.startApp("plain", Map.of(), List.of(), setting.first());
            CountedHolds holds = new CountedHolds(cluster.scheduler().access()).afterMembers(members, () -> {
                // More than there is beside the gang.
                cluster.ask(plain, SchedulerHarness.asks(ResourceVector.of(0, vcores, 64), 30));
                cluster.awaitContainers(plain, come);
                // It still asks.
                cluster.heartbeat();
            });
            assertEquals(Optional.empty(), setting.commit(holds.access()));
            assertEquals(TASKS, setting.heartbeatOfMaster().get().size());
        }
    }

    private static MockNM withoutMaster(Setting setting) {
        var master = setting.cluster()
                .app(setting.gang().id())
                .getCurrentAppAttempt()
                .getMasterContainer()
                .getNodeId();
        return master.equals(setting.first().getNodeId()) ? setting.second() : setting.first();
    }
}
