// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hosts of which one goes off when nobody uses it, by a command that ends and starts its NodeManager. */
class SleepingNodesIT {
    private static final List<String> HOSTS = List.of("127.0.0.2", "127.0.0.3");
    /** Two such workers do not fit on one node. */
    private static final int VCORES = 8;

    /** A host of its own for each node, on ports that nobody knows before. */
    private static Map<String, String> node(String name) {
        String host = HOSTS.get(Integer.parseInt(name.substring(1)));
        String node = "yarn.nodemanager.";
        Map<String, String> settings = new HashMap<>();
        settings.put(node + "hostname", host);
        settings.put(node + "address", host + ":0");
        settings.put(node + "localizer.address", host + ":0");
        settings.put(node + "webapp.address", host + ":0");
        // Hadoop recovers no NodeManager that comes on another port.
        settings.put(node + "recovery.enabled", "false");
        // Nodes of one kind can stand in for each other.
        settings.put(node + "treadle.simulated-devices", "2xA100-SXM4-40GB:40960:400");
        return settings;
    }

    private static Map<String, String> settings(PowerStrip strip) {
        String off = "yarn.scheduler.treadle.power.off.";
        return Map.of(
                off + "command",
                strip.command().toString(),
                off + "idle-seconds",
                "3",
                off + "spare-nodes",
                "0",
                off + "wake-seconds",
                "120");
    }

    private static JsonNode power(ProcessCluster cluster) throws Exception {
        return cluster.rest().get("/ws/v1/treadle/power");
    }

    /** By host, the NodeManagers that take containers, as {@code host:port}. */
    private static Map<String, String> running(ProcessCluster cluster) throws Exception {
        Map<String, String> running = new TreeMap<>();
        cluster.rest().get("/ws/v1/cluster/nodes").path("nodes").path("node").forEach(node -> {
            if (node.path("state").asText().equals("RUNNING")) {
                running.put(node.path("nodeHostName").asText(), node.path("id").asText());
            }
        });
        return running;
    }

    private static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
    }

    @Test
    void idleHostGoesOffComesBackForAGangAndIsNotLostWhenTheCommandFails(@TempDir Path directory) throws Exception {
        PowerStrip strip = new PowerStrip(directory);
        try (ProcessCluster cluster = ProcessCluster.start(settings(strip), SleepingNodesIT::node)) {
            Map<String, String> before = running(cluster);
            for (int i = 0; i < HOSTS.size(); i++) {
                strip.plug(HOSTS.get(i), cluster.nodeManager(i));
            }
            String host = Await.value("a host is off", () -> {
                JsonNode asleep = power(cluster).path("asleep").path(0);
                return asleep.path("stage").asText().equals("off")
                        ? Optional.of(asleep.path("node").asText())
                        : Optional.empty();
            });
            assertTrue(HOSTS.contains(host), host);
            assertEquals(List.of("off " + host), strip.calls());
            Await.until("its NodeManager has ended", () -> !isAlive(strip.pid(host)));
            assertEquals(1, running(cluster).size());

            TrainingJob job = TrainingJob.submit(cluster, "wakes", VCORES, false);
            Await.until("training on both hosts", () -> {
                job.checkClientRunning();
                return job.workers().size() == TrainingJob.WORKERS && job.samples() > 0;
            });
            assertEquals(List.of("off " + host, "on " + host), strip.calls());
            assertTrue(isAlive(strip.pid(host)), "the command has started it");
            assertEquals(2, running(cluster).size());
            assertNotEquals(before.get(host), running(cluster).get(host), "on another port");
            Await.until("it is on", () -> power(cluster).path("asleep").isEmpty());
            assertEquals(0, job.restarts());

            strip.refuseOff();
            assertEquals(0, job.finish(), job::tail);
            Await.until(
                    "a command that fails, and a host that is asked back",
                    () -> strip.calls().size() == 4);
            String refused = strip.calls().get(2);
            assertTrue(refused.startsWith("off "), refused);
            assertEquals(refused.replace("off", "on"), strip.calls().get(3));
            Await.until(
                    "both hosts take containers again",
                    () -> running(cluster).size() == 2
                            && power(cluster).path("asleep").isEmpty());
            String warnings = power(cluster).at("/cluster/warnings").toString();
            assertTrue(warnings.contains("cannot be switched off"), warnings);
            assertTrue(warnings.contains("ended with 3: no such machine"), warnings);
        }
    }
}
