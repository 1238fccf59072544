// SPDX-License-Identifier: Apache-2.0
package io.treadle.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.cluster.DeviceShape;
import io.treadle.cluster.EmbeddedCluster;
import io.treadle.cluster.NodeShape;
import io.treadle.processes.Await;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Services whose workers have whole GPUs: simulated ones, models run on the CPU. */
class WholeGpuServiceIT {
    private static final long GPU_MIB = 15_360;

    private static EmbeddedCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = EmbeddedCluster.builder()
                .node(new NodeShape("n1", 5120, 8, List.of(new DeviceShape(2, "T4", GPU_MIB, 70))))
                .start();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void modelsMayTakeAllOfAWorkersGpu() throws Exception {
        try (TinyService service = TinyService.start(cluster, "whole", "{count: 1, memory: 512Mi, gpusPerWorker: 1}")) {
            service.awaitReady();
            JsonNode worker = new ObjectMapper()
                    .readTree(service.status())
                    .path("workers")
                    .path(0);
            assertEquals(GPU_MIB * 1048.576, worker.path("memoryKb").asDouble(), 1, worker::toString);
            assertEquals(5.0 * 7 + 1 - 2, TinyService.result(service.ask(7, 2)));
        }
    }

    @Test
    void aServiceThatWantsMoreThanAGpuHasEnds() throws Exception {
        try (TinyService service =
                TinyService.start(cluster, "more", "{count: 1, memory: 512Mi, gpusPerWorker: 1, modelMemory: 20Gi}")) {
            Await.until("the end", () -> service.client().status(service.id()).isOver());
            assertEquals(
                    """
                    modelMemory of the workers is 20480 MiB, must be at most the 15360 MiB of a worker's GPU.
                    Maybe leave it out: then models may take all of it.""",
                    service.client().report(service.id()).getDiagnostics().strip());
        }
    }
}
