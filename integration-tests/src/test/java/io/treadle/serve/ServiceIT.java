// SPDX-License-Identifier: Apache-2.0
package io.treadle.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.cluster.EmbeddedCluster;
import io.treadle.cluster.NodeShape;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A service on a cluster: submitted, measured, asked. */
class ServiceIT {
    @Test
    void queriesAreAnsweredByModelsInContainers() throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.builder()
                        .node(new NodeShape("n1", 4096, 8, List.of()))
                        .node(new NodeShape("n2", 4096, 8, List.of()))
                        .start();
                TinyService service = TinyService.start(cluster, "{count: 3, vcores: 1, memory: 512Mi}")) {
            service.awaitReady();
            for (int i = 0; i < 50; i++) {
                assertEquals(5.0 * i + 1 - 2, TinyService.result(service.ask(i, 2)));
            }
            TinyService.await("all workers", () -> service.status().split("\"state\" : \"ready\"", -1).length == 5);
            assertTrue(service.status().contains("\"kind\" : \"service\""), service::status);
        }
    }
}
