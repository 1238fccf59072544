// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** What jobs that are over must not leave behind. */
final class Leftovers {
    private Leftovers() {}

    /** No container on any node, no reservation, no ask, no node in ZooKeeper, no file, no process. */
    static void assertNone(ProcessCluster cluster) throws Exception {
        Await.until("end of all that is counted of applications, containers, reservations and asks", () -> {
            cluster.checkAlive();
            return areZero(
                    cluster.metrics(),
                    "appsRunning",
                    "containersAllocated",
                    "allocatedMB",
                    "allocatedVirtualCores",
                    "containersReserved",
                    "reservedMB",
                    "containersPending",
                    "pendingMB",
                    "pendingVirtualCores");
        });
        Await.until("end of all containers on nodes", () -> {
            JsonNode nodes =
                    cluster.rest().get("/ws/v1/cluster/nodes").path("nodes").path("node");
            return StreamSupport.stream(nodes.spliterator(), false)
                    .allMatch(node -> areZero(node, "numContainers", "usedMemoryMB", "usedVirtualCores"));
        });
        Await.until("removal of the jobs' nodes in ZooKeeper", () -> cluster.jobsInZooKeeper()
                .isEmpty());
        Await.until("removal of all staging directories", () -> staged(cluster).isEmpty());
        Await.until("end of the containers' processes", () -> cluster.processes().stream()
                .noneMatch(p -> p.info().commandLine().orElse("").contains("worker")));
    }

    /** The staging directories of jobs. */
    static List<Path> staged(ProcessCluster cluster) throws IOException {
        if (!Files.exists(cluster.staging())) {
            return List.of();
        }
        try (Stream<Path> staged = Files.list(cluster.staging())) {
            return staged.toList();
        }
    }

    private static boolean areZero(JsonNode json, String... counters) {
        return Stream.of(counters).allMatch(counter -> json.path(counter).asLong(-1) == 0);
    }
}
