// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;

/** What jobs that are over must not leave behind, by Hadoop's own counters. */
final class Leftovers {
    private Leftovers() {}

    static void assertNone(ProcessCluster cluster) throws Exception {
        Await.until("end of all containers, reservations and asks", () -> {
            cluster.checkAlive();
            JsonNode metrics = cluster.metrics();
            return Stream.of("containersAllocated", "containersReserved", "containersPending", "appsRunning")
                    .allMatch(counter -> metrics.path(counter).asInt(-1) == 0);
        });
        JsonNode metrics = cluster.metrics();
        assertEquals(0, metrics.path("reservedMB").asInt(-1), metrics::toString);
        assertEquals(0, metrics.path("allocatedMB").asInt(-1), metrics::toString);
        assertEquals(0, metrics.path("allocatedVirtualCores").asInt(-1), metrics::toString);
        Await.until("removal of the jobs' nodes in ZooKeeper", () -> cluster.jobsInZooKeeper()
                .isEmpty());
        try (Stream<java.nio.file.Path> left = Files.list(cluster.staging())) {
            assertEquals(List.of(), left.toList(), "in the staging directory");
        }
        Await.until("end of the containers' processes", () -> cluster.processes().stream()
                .noneMatch(p -> p.info().commandLine().orElse("").contains("worker")));
    }
}
