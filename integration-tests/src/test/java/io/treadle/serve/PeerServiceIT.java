// SPDX-License-Identifier: Apache-2.0
package io.treadle.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.cluster.EmbeddedCluster;
import io.treadle.cluster.NodeShape;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A service whose workers answer themselves, and what becomes of it when one of them or the master goes. */
class PeerServiceIT {
    private static final String WORKER = "io.treadle.am.query.onnx.OnnxWorker";
    private static final String MASTER = "io.treadle.am.service.ServiceMaster";

    @Test
    void clientsOfWorkersMissNeitherAWorkerNorTheMaster() throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.builder()
                        .node(new NodeShape("n1", 5120, 8, List.of()))
                        .start();
                TinyService service = TinyService.ofPeers(cluster, "peers", "{count: 3, memory: 512Mi}")) {
            service.awaitReady();
            awaitIngresses(service, 3);
            List<String> before = service.readyWorkers();
            try (Clients clients = new Clients(new AnyIngress(service), "diamond", 6)) {
                clients.awaitMore(100);
                service.kill(WORKER, before.get(1));
                clients.awaitMore(100);
                TinyService.await("another worker", () -> {
                    clients.check();
                    List<String> now = service.readyWorkers();
                    return now.size() == 3 && !now.contains(before.get(1));
                });
                awaitIngresses(service, 3);
                List<String> workers = service.readyWorkers();
                service.kill(MASTER, "container");
                clients.awaitMore(200);
                TinyService.await("the next master", () -> {
                    clients.check();
                    return service.status().contains("\"attempt\" : 2");
                });
                service.awaitReady();
                TinyService.await(
                        "the same workers", () -> service.readyWorkers().equals(workers));
                awaitIngresses(service, 3);
                clients.awaitMore(100);
                int asked = clients.answered();
                TinyService.await("the master hears of all answers", () -> answered(service) >= asked);
            }
            // They have gone on where they were, whoever was master.
            for (URI each : service.ingresses(service.address())) {
                assertEquals(5.0 * 7 + 1 - 2, TinyService.result(service.ask(each, "diamond", 7, 2)));
            }
            JsonNode status = new ObjectMapper().readTree(service.status());
            assertEquals("peer", status.path("mode").asText());
            assertTrue(status.path("workers").path(0).has("address"), status::toPrettyString);
        }
    }

    private static void awaitIngresses(TinyService service, int count) throws Exception {
        TinyService.await(
                count + " ingresses", () -> service.ingresses(service.address()).size() == count);
    }

    private static long answered(TinyService service) throws Exception {
        long answered = 0;
        for (JsonNode workflow : new ObjectMapper().readTree(service.status()).path("workflows")) {
            answered += workflow.path("answered").asLong();
        }
        return answered;
    }
}
