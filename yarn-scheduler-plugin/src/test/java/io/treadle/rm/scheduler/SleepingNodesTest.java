// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.ZkPaths;
import io.treadle.rm.bridge.YarnResources;
import io.treadle.rm.conf.PowerOffSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that YARN takes out, a script switches, and YARN takes in again. */
class SleepingNodesTest {
    private static final String FIRST = "127.0.0.1:1001";

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

    private static MockNM register(SchedulerHarness cluster) throws Exception {
        return cluster.resourceManager.registerNode(FIRST, YarnResources.resource(ResourceVector.of(4, 8, 8192)));
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

    private static NodeState state(SchedulerHarness cluster) {
        return requireNonNull(cluster.resourceManager
                        .getRMContext()
                        .getInactiveRMNodes()
                        .get(NodeId.fromString(FIRST)))
                .getState();
    }

    @Test
    void nodeGoesIsRememberedAndComesForAGangThatNeedsIt(@TempDir Path folder) throws Exception {
        YarnConfiguration conf = settings(folder, "echo $1 $2 >> " + folder + "/calls");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM first = register(cluster);
            cluster.node(1002, 4, 8, 8192);
            cluster.awaitTrue("the first node is off", () -> {
                beat(first);
                cluster.heartbeat();
                return calls(folder).equals("off " + FIRST + "\n")
                        && asleep(cluster).equals(List.of(FIRST + " OFF"));
            });
            assertEquals(NodeState.DECOMMISSIONED, state(cluster));
            cluster.awaitTrue(
                    "it is written down",
                    () -> zooKeeper.read(ZkPaths.SLEEPING_NODES).orElse("").contains(FIRST));
        }
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM second = cluster.node(1002, 4, 8, 8192);
            cluster.awaitTrue(
                    "the next ResourceManager knows", () -> asleep(cluster).equals(List.of(FIRST + " OFF")));
            // Each task needs all GPUs of a node: the submission is not refused, though one node is there.
            MockAM am = cluster.startGang(SchedulerHarness.gang(2, 4, 1, 512), second);
            cluster.awaitTrue("the first node is switched on", () -> {
                cluster.heartbeat();
                return calls(folder).endsWith("on " + FIRST + "\n");
            });
            assertEquals(List.of(FIRST + " WAKING"), asleep(cluster));
            cluster.watch(register(cluster));
            assertEquals(2, cluster.awaitContainers(am).size());
            cluster.awaitTrue("it is on", () -> asleep(cluster).isEmpty());
            assertEquals("off " + FIRST + "\non " + FIRST + "\n", calls(folder));
        }
    }

    @Test
    void hookThatFailsIsSaidAndTheNodeMayComeBack(@TempDir Path folder) throws Exception {
        YarnConfiguration conf = settings(
                folder, "echo $1 $2 >> " + folder + "/calls; test $1 = on || { echo no such machine; exit 3; }");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM first = register(cluster);
            cluster.node(1002, 4, 8, 8192);
            cluster.awaitTrue("the hook has failed, and is asked to have it back", () -> {
                beat(first);
                cluster.heartbeat();
                return calls(folder).equals("off " + FIRST + "\non " + FIRST + "\n")
                        && asleep(cluster).equals(List.of(FIRST + " WAKING"));
            });
            List<String> warnings =
                    cluster.scheduler().power().report(List.of()).warnings();
            assertTrue(
                    warnings.stream().anyMatch(w -> w.endsWith("ended with 3: no such machine.")), warnings.toString());
            cluster.watch(register(cluster));
            cluster.awaitTrue("it is on", () -> asleep(cluster).isEmpty());
        }
    }
}
