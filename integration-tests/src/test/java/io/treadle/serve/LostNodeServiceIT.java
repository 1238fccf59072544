// SPDX-License-Identifier: Apache-2.0
package io.treadle.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.cluster.ApplicationViews;
import io.treadle.cluster.EmbeddedCluster;
import io.treadle.cluster.NodeShape;
import io.treadle.processes.Await;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A node goes with the workers that it runs. */
class LostNodeServiceIT {
    private static final List<NodeShape> NODES =
            List.of(new NodeShape("n1", 2048, 6, List.of()), new NodeShape("n2", 2048, 6, List.of()));

    /**
     * Beside the ApplicationMaster there is room for two of the five workers. The others go one after the other, as YARN ends
     * them.
     */
    @Test
    void whatANodeHadRunsOnTheOther() throws Exception {
        EmbeddedCluster.Builder builder = EmbeddedCluster.builder();
        NODES.forEach(builder::node);
        try (EmbeddedCluster cluster = builder.start();
                TinyService service = TinyService.start(cluster, "node", "{count: 5, memory: 512Mi}")) {
            service.awaitReady();
            service.awaitWorkers(5);
            int other = 1 - place(cluster, service);
            try (Clients clients = new Clients(service, "diamond", 4)) {
                clients.awaitMore(20);
                cluster.stopNode(other);
                Await.until("the two that are left", () -> {
                    clients.check();
                    return service.readyWorkers().size() == 2;
                });
                clients.awaitMore(20);
            }
            assertEquals(5.0 * 7 + 1 - 2, TinyService.result(service.ask(7, 2)));
        }
    }

    /** Which of the nodes runs the ApplicationMaster. */
    private static int place(EmbeddedCluster cluster, TinyService service) {
        String node = new ApplicationViews(cluster).masterNode(service.id()).orElseThrow();
        return NODES.stream().map(NodeShape::name).toList().indexOf(node);
    }
}
