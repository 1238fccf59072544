// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.ZkPaths;
import io.treadle.rm.bridge.NodesOfYarn;
import io.treadle.rm.bridge.YarnResources;
import io.treadle.rm.conf.PowerOffSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that YARN takes out, a script switches, and YARN takes in again. */
class SleepingNodesTest {
    /** The nodes of the harness are on 127.0.0.1: of hosts that are idle for as long the first by name goes. */
    private static final String HOST = "10.0.0.1";

    private TestZooKeeper zooKeeper;

    @BeforeEach
    void start() throws Exception {
        zooKeeper = new TestZooKeeper();
    }

    @AfterEach
    void stop() throws Exception {
        zooKeeper.close();
    }

    private YarnConfiguration settings(Path folder, String script) throws IOException {
        Path command = folder.resolve("switch");
        Files.writeString(command, "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwxr-xr-x"));
        YarnConfiguration conf = zooKeeper.settings(false, "fifo");
        conf.set(PowerOffSettings.COMMAND, command.toString());
        conf.set(PowerOffSettings.IDLE_SECONDS, "1");
        conf.set(PowerOffSettings.SPARE_NODES, "0");
        return conf;
    }

    private static String calls(Path folder) {
        Path calls = folder.resolve("calls");
        try {
            return Files.exists(calls) ? Files.readString(calls) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The host comes on whatever port its NodeManager gets. */
    private static MockNM register(SchedulerHarness cluster, int port) throws Exception {
        return cluster.resourceManager.registerNode(
                HOST + ":" + port, YarnResources.resource(ResourceVector.of(4, 8, 8192)));
    }

    private static void beat(MockNM node) {
        try {
            node.nodeHeartbeat(true);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<String> asleep(SchedulerHarness cluster) {
        return cluster.scheduler().power().report(List.of()).asleep().stream()
                .map(state -> state.node() + " " + state.stage())
                .toList();
    }

    private static String warnings(SchedulerHarness cluster) {
        return String.join("\n", cluster.scheduler().power().report(List.of()).warnings());
    }

    private static void awaitOff(SchedulerHarness cluster, MockNM node, Path folder) throws Exception {
        cluster.awaitTrue("the host is off", () -> {
            beat(node);
            cluster.heartbeat();
            return calls(folder).equals("off " + HOST + "\n") && asleep(cluster).equals(List.of(HOST + " OFF"));
        });
    }

    private static NodesOfYarn nodes(SchedulerHarness cluster, boolean heldBack) {
        return nodes(cluster, queue -> heldBack, queue -> false);
    }

    private static NodesOfYarn nodes(SchedulerHarness cluster, Predicate<String> heldBack, Predicate<String> limited) {
        return new NodesOfYarn(
                cluster.scheduler().access(),
                cluster.scheduler().gangs(),
                cluster.resourceManager.getRMContext(),
                heldBack,
                limited);
    }

    @Test
    void hostGoesIsRememberedAndComesOnAnotherPortForAGangThatNeedsIt(@TempDir Path folder) throws Exception {
        YarnConfiguration conf = settings(folder, "echo $1 $2 >> " + folder + "/calls");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM first = register(cluster, 1001);
            cluster.node(1002, 4, 8, 8192);
            awaitOff(cluster, first, folder);
            assertEquals(
                    NodeState.DECOMMISSIONED,
                    requireNonNull(cluster.resourceManager
                                    .getRMContext()
                                    .getInactiveRMNodes()
                                    .get(first.getNodeId()))
                            .getState());
            cluster.awaitTrue("it is written down", () -> zooKeeper
                    .read(ZkPaths.SLEEPING_NODES)
                    .orElse("")
                    .contains("\"" + HOST + "\":{\"stage\":\"off\""));
        }
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM second = cluster.node(1002, 4, 8, 8192);
            // Each task needs all GPUs of a node: the submission is not refused, though one node is there.
            MockAM am = cluster.startGang(SchedulerHarness.gang(2, 4, 1, 512), second);
            cluster.awaitTrue("the host is switched on", () -> {
                cluster.heartbeat();
                return calls(folder).endsWith("on " + HOST + "\n");
            });
            cluster.awaitTrue("it is on its way", () -> asleep(cluster).equals(List.of(HOST + " WAKING")));
            cluster.watch(register(cluster, 1777));
            assertEquals(2, cluster.awaitContainers(am).size());
            cluster.awaitTrue("it is on", () -> asleep(cluster).isEmpty());
            assertEquals("off " + HOST + "\non " + HOST + "\n", calls(folder));
        }
    }

    @Test
    void commandThatFailsIsSaidAndTheHostMayComeBack(@TempDir Path folder) throws Exception {
        YarnConfiguration conf = settings(
                folder, "echo $1 $2 >> " + folder + "/calls; test $1 = on || { echo no such machine; exit 3; }");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM first = register(cluster, 1001);
            cluster.node(1002, 4, 8, 8192);
            cluster.awaitTrue("the command has failed", () -> {
                beat(first);
                cluster.heartbeat();
                return calls(folder).equals("off " + HOST + "\n")
                        && warnings(cluster).contains("ended with 3: no such machine.");
            });
            cluster.watch(register(cluster, 1777));
            cluster.awaitTrue("it is on", () -> asleep(cluster).isEmpty());
        }
    }

    @Test
    void recordThatCannotBeReadStaysAndNothingGoesUntilItIsMended(@TempDir Path folder) throws Exception {
        zooKeeper.write(ZkPaths.SLEEPING_NODES, "nonsense");
        YarnConfiguration conf = settings(folder, "echo $1 $2 >> " + folder + "/calls");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM first = register(cluster, 1001);
            cluster.node(1002, 4, 8, 8192);
            cluster.awaitTrue("it is said, with the path", () -> warnings(cluster)
                    .contains("Maybe mend or delete " + ZkPaths.SLEEPING_NODES));
            assertEquals("nonsense", zooKeeper.read(ZkPaths.SLEEPING_NODES).orElse(""));
            assertEquals("", calls(folder));
            zooKeeper.delete(ZkPaths.SLEEPING_NODES);
            awaitOff(cluster, first, folder);
            assertEquals("", warnings(cluster));
        }
    }

    @Test
    void gangsAreNotRefusedForTheirSizeBeforeItIsKnownWhatIsOff(@TempDir Path folder) throws Exception {
        zooKeeper.write(
                ZkPaths.SLEEPING_NODES,
                "{\"schema\":1,\"hosts\":{\"" + HOST + "\":{\"stage\":\"off\",\"nodeManagers\":["
                        + "{\"gpus\":4,\"vcores\":8,\"memoryMiB\":8192}]}}}");
        YarnConfiguration conf = settings(folder, "echo $1 $2 >> " + folder + "/calls");
        zooKeeper.server.stop();
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM second = cluster.node(1002, 4, 8, 8192);
            ApplicationId id =
                    cluster.submit("ml", SchedulerHarness.gang(2, 4, 1, 512).toProperties());
            cluster.resourceManager.waitForState(id, RMAppState.ACCEPTED);
            zooKeeper.server.restart();
            cluster.awaitTrue("what is off is known", () -> asleep(cluster).equals(List.of(HOST + " OFF")));
            cluster.startApp(id, SchedulerHarness.requests(SchedulerHarness.gang(2, 4, 1, 512)), second);
            cluster.awaitTrue("the host is switched on", () -> {
                cluster.heartbeat();
                return calls(folder).equals("on " + HOST + "\n");
            });
            // Three such nodes there are not.
            ApplicationId tooLarge =
                    cluster.submit("ml", SchedulerHarness.gang(3, 4, 1, 512).toProperties());
            cluster.resourceManager.waitForState(tooLarge, RMAppState.FAILED);
            assertTrue(
                    cluster.app(tooLarge).getDiagnostics().toString().contains("the whole cluster has room for 2"),
                    cluster.app(tooLarge).getDiagnostics().toString());
        }
    }

    @Test
    void gangsThatABudgetHoldsBackNeedNothing() throws Exception {
        try (SchedulerHarness cluster = zooKeeper.cluster(false, "fifo")) {
            cluster.node(1002, 4, 8, 8192);
            // Without a heartbeat its ApplicationMaster waits.
            cluster.submit("ml", SchedulerHarness.gang(1, 4, 1, 512).toProperties());
            cluster.awaitTrue(
                    "the gang waits",
                    () -> !nodes(cluster, false).waiting(List.of()).needs().isEmpty());
            assertEquals(
                    List.of(),
                    nodes(cluster, true).waiting(List.of()).needs(),
                    "neither workers nor their ApplicationMaster");
        }
    }

    /** A look at a queue's budgets is one at all nodes. */
    @Test
    void budgetsOfAQueueAreLookedAtOnceForAllThatWaitInIt() throws Exception {
        try (SchedulerHarness cluster = zooKeeper.cluster(false, "fifo")) {
            cluster.node(1002, 4, 8, 8192);
            for (int i = 0; i < 3; i++) {
                cluster.submit("ml", SchedulerHarness.gang(1, 4, 1, 512).toProperties());
            }
            List<String> heldBack = new ArrayList<>();
            List<String> limited = new ArrayList<>();
            NodesOfYarn nodes = nodes(
                    cluster,
                    queue -> {
                        heldBack.add(queue);
                        return false;
                    },
                    limited::add);
            cluster.awaitTrue("all of them wait", () -> {
                heldBack.clear();
                limited.clear();
                return nodes.waiting(List.of()).needs().size() == 3;
            });
            assertEquals(List.of(SchedulerHarness.QUEUE), heldBack);
            assertEquals(List.of(SchedulerHarness.QUEUE), limited);
        }
    }

    @Test
    void excludedHostsAreKnown(@TempDir Path folder) throws Exception {
        Path excludes = Files.writeString(folder.resolve("excludes"), "");
        YarnConfiguration conf = zooKeeper.settings(false, "fifo");
        conf.set(YarnConfiguration.RM_NODES_EXCLUDE_FILE_PATH, excludes.toString());
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            assertFalse(nodes(cluster, false).isExcluded(HOST));
            Files.writeString(excludes, HOST + "\n");
            cluster.resourceManager.getRMContext().getNodesListManager().refreshNodes(conf);
            assertTrue(nodes(cluster, false).isExcluded(HOST));
            assertFalse(nodes(cluster, false).isExcluded("10.0.0.2"));
        }
    }

    /** Nobody pays for what is not asked for. */
    @Test
    void withoutACommandThereIsNoThread() throws Exception {
        try (SchedulerHarness cluster = zooKeeper.cluster(false, "fifo")) {
            cluster.node(1002, 4, 8, 8192);
            assertEquals(List.of(), asleep(cluster));
            // That of a ResourceManager before may take a moment to end.
            cluster.awaitTrue("there is no thread", () -> Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().equals("treadle-sleep")));
        }
    }
}
