// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.job.DeviceShare;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.core.wire.NodeCaps;
import io.treadle.core.wire.ZkPaths;
import io.treadle.rm.bridge.YarnResources;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.PreemptionContainer;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Jobs that a policy stops, moves, grows, shrinks and caps. */
class MakingWayTest {
    private static final ResourceVector ASK = ResourceVector.of(1, 1, 256);
    private static final GangSpec ELASTIC =
            new GangSpec(List.of(new GangSpec.Group("worker", 1, 4, ASK, List.of())), "", 0, true, 0, "");

    private final ScriptedPolicy policy = new ScriptedPolicy();
    private final Set<ContainerId> wanted = new HashSet<>();
    private final List<Integer> endings = new ArrayList<>();

    @AutoClose
    private final TestZooKeeper zooKeeper = new TestZooKeeper();

    private YarnConfiguration settings() {
        return zooKeeper.settings(false, "tiresias");
    }

    private MockNM node(SchedulerHarness cluster, int port) throws Exception {
        MockNM node = cluster.resourceManager.registerNode(
                "127.0.0.1:" + port, YarnResources.resource(new ResourceVector(4, 16, 8192, 0, 0, 1600)));
        cluster.watch(node);
        zooKeeper.devices(cluster, node, "A100", 4);
        return node;
    }

    private static String job(MockAM am) {
        return am.getApplicationAttemptId().getApplicationId().toString();
    }

    /** A task on each of these GPUs. */
    private static ScriptedPolicy.Wish on(MockNM node, long watts, int... gpus) {
        List<TaskPlacement> tasks = new ArrayList<>();
        for (int gpu : gpus) {
            tasks.add(new TaskPlacement(
                    "worker", node.getNodeId().toString(), ASK, List.of(new DeviceShare("A100-" + gpu, 40960, true))));
        }
        return new ScriptedPolicy.Wish(tasks, watts);
    }

    private Set<String> gpus(SchedulerHarness cluster, List<Container> containers) {
        return containers.stream()
                .map(c -> cluster.scheduler().getRMContainer(c.getId()))
                .flatMap(c -> c.getAllocationTags().stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** One heartbeat of all: what the ApplicationMaster is asked for, and what has ended. */
    private List<Container> heartbeat(SchedulerHarness cluster, MockAM am) {
        cluster.heartbeat();
        try {
            AllocateResponse answer = am.allocate(List.of(), List.of());
            if (answer.getPreemptionMessage() != null
                    && answer.getPreemptionMessage().getContract() != null) {
                answer.getPreemptionMessage().getContract().getContainers().stream()
                        .map(PreemptionContainer::getId)
                        .forEach(wanted::add);
            }
            answer.getCompletedContainersStatuses().forEach(status -> endings.add(status.getExitStatus()));
            return answer.getAllocatedContainers();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private List<Container> awaitContainers(SchedulerHarness cluster, MockAM am, int count) throws Exception {
        List<Container> containers = new ArrayList<>();
        cluster.awaitTrue(count + " containers arrive", () -> {
            containers.addAll(heartbeat(cluster, am));
            return containers.size() >= count;
        });
        assertEquals(count, containers.size());
        cluster.launch(containers);
        return containers;
    }

    private static Set<ContainerId> ids(List<Container> containers) {
        return containers.stream().map(Container::getId).collect(Collectors.toSet());
    }

    private static void giveUp(SchedulerHarness cluster, MockAM am, List<Container> containers) throws Exception {
        am.allocate(
                SchedulerHarness.requests(ELASTIC),
                containers.stream().map(Container::getId).toList());
        cluster.complete(containers);
    }

    @Test
    void aJobThatIsStoppedGivesItsContainersUpAndStartsAgain() throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(settings(), queue -> policy)) {
            MockNM node = node(cluster, 1001);
            MockAM am = cluster.startGang(ELASTIC, node);
            policy.wish(job(am), on(node, 0, 0, 1));
            List<Container> two = awaitContainers(cluster, am, 2);
            policy.stop(job(am));
            cluster.awaitTrue("both are asked for", () -> {
                heartbeat(cluster, am);
                return wanted.equals(ids(two));
            });
            assertEquals(2, cluster.used().gpus(), "they are its own until it gives them up");
            giveUp(cluster, am, two);
            cluster.awaitTrue("they are free", () -> {
                heartbeat(cluster, am);
                return cluster.used().gpus() == 0;
            });
            policy.wish(job(am), on(node, 0, 0, 1, 2, 3));
            assertEquals(4, gpus(cluster, awaitContainers(cluster, am, 4)).size());
        }
    }

    @Test
    void aJobThatGrowsKeepsItsContainersAndGetsTheOtherGpus() throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(settings(), queue -> policy)) {
            MockNM node = node(cluster, 1001);
            MockAM am = cluster.startGang(ELASTIC, node);
            policy.wish(job(am), on(node, 0, 1, 2));
            Set<String> first = gpus(cluster, awaitContainers(cluster, am, 2));
            policy.wish(job(am), on(node, 0, 0, 1, 2, 3));
            Set<String> second = gpus(cluster, awaitContainers(cluster, am, 2));
            assertEquals(Set.of("treadle.dev.A100-1.all", "treadle.dev.A100-2.all"), first);
            assertEquals(Set.of("treadle.dev.A100-0.all", "treadle.dev.A100-3.all"), second);
            assertEquals(Set.of(), wanted);
        }
    }

    @Test
    void aJobThatShrinksIsAskedForThoseThatAreNotMeantToBe() throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(settings(), queue -> policy)) {
            MockNM node = node(cluster, 1001);
            MockAM am = cluster.startGang(ELASTIC, node);
            policy.wish(job(am), on(node, 0, 0, 1, 2, 3));
            List<Container> four = awaitContainers(cluster, am, 4);
            policy.wish(job(am), on(node, 0, 2, 3));
            List<Container> over = four.stream()
                    .filter(c -> gpus(cluster, List.of(c)).stream()
                            .anyMatch(tag -> tag.contains("A100-0") || tag.contains("A100-1")))
                    .toList();
            cluster.awaitTrue("two are asked for", () -> {
                heartbeat(cluster, am);
                return wanted.equals(ids(over));
            });
            giveUp(cluster, am, over);
            cluster.awaitTrue("two are left", () -> {
                heartbeat(cluster, am);
                return cluster.used().gpus() == 2;
            });
            assertEquals(ids(over), wanted, "nothing else was asked for");
        }
    }

    @Test
    void aJobThatMovesStartsElsewhereOnceItHasGivenUpWhatItHad() throws Exception {
        try (SchedulerHarness cluster = SchedulerHarness.start(settings(), queue -> policy)) {
            MockNM from = node(cluster, 1001);
            MockNM to = node(cluster, 1002);
            MockAM am = cluster.startGang(ELASTIC, from);
            policy.wish(job(am), on(from, 0, 0));
            List<Container> one = awaitContainers(cluster, am, 1);
            policy.wish(job(am), on(to, 0, 0, 1));
            cluster.awaitTrue("it is asked for", () -> {
                heartbeat(cluster, am);
                return wanted.equals(ids(one));
            });
            giveUp(cluster, am, one);
            assertEquals(
                    Set.of(to.getNodeId()),
                    awaitContainers(cluster, am, 2).stream()
                            .map(Container::getNodeId)
                            .collect(Collectors.toSet()));
        }
    }

    @Test
    void containersThatAreNotGivenUpAreEnded() throws Exception {
        YarnConfiguration conf = settings();
        conf.set("yarn.scheduler.treadle.power.make-way-seconds", "1");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf, queue -> policy)) {
            MockNM node = node(cluster, 1001);
            MockAM am = cluster.startGang(ELASTIC, node);
            policy.wish(job(am), on(node, 0, 0, 1));
            awaitContainers(cluster, am, 2);
            policy.stop(job(am));
            cluster.awaitTrue("both have ended", () -> {
                heartbeat(cluster, am);
                return endings.size() == 2;
            });
            assertEquals(List.of(ContainerExitStatus.PREEMPTED, ContainerExitStatus.PREEMPTED), endings);
        }
    }

    @Test
    void nodesAreToldTheCapsOfTheirGpusAndToldAgain() throws Exception {
        YarnConfiguration conf = settings();
        conf.set("yarn.scheduler.treadle.power.caps-lease-ms", "3000");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf, queue -> policy)) {
            MockNM node = node(cluster, 1001);
            MockAM am = cluster.startGang(ELASTIC, node);
            policy.wish(job(am), on(node, 250, 0, 1));
            List<Container> two = awaitContainers(cluster, am, 2);
            NodeCaps first = awaitCaps(cluster, am, node, Map.of("A100-0", 250.0, "A100-1", 250.0), 0);
            assertEquals(3000, first.leaseMs());
            policy.wish(job(am), on(node, 200, 0, 1));
            NodeCaps lower = awaitCaps(cluster, am, node, Map.of("A100-0", 200.0, "A100-1", 200.0), first.epoch());
            NodeCaps again = awaitCaps(cluster, am, node, lower.caps(), lower.epoch());
            policy.stop(job(am));
            giveUp(cluster, am, two);
            awaitCaps(cluster, am, node, Map.of(), again.epoch());
        }
    }

    /** Waits for these caps in a record that is newer than {@code epoch}. */
    private NodeCaps awaitCaps(SchedulerHarness cluster, MockAM am, MockNM node, Map<String, Double> caps, long epoch)
            throws Exception {
        String path = ZkPaths.power(node.getNodeId().toString());
        List<NodeCaps> seen = new ArrayList<>();
        cluster.awaitTrue("caps " + caps, () -> {
            heartbeat(cluster, am);
            Optional<NodeCaps> now = zooKeeper.read(path).map(text -> NodeCaps.fromJson(path, text));
            now.filter(record -> record.epoch() > epoch && record.caps().equals(caps))
                    .ifPresent(seen::add);
            return !seen.isEmpty();
        });
        assertTrue(seen.get(0).epoch() > epoch);
        return seen.get(0);
    }
}
