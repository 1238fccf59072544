// SPDX-License-Identifier: Apache-2.0
package io.treadle.serve;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.client.JobStatus;
import io.treadle.am.spec.JobSpecParser;
import io.treadle.cluster.EmbeddedCluster;
import io.treadle.cluster.NodeShape;
import io.treadle.cluster.QueueShape;
import io.treadle.processes.Await;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.Test;

/** A service that has borrowed what another queue is guaranteed, and a training job that comes for it. */
class PreemptedServiceIT {
    private static final String PREEMPTION = "yarn.resourcemanager.monitor.capacity.preemption.";

    @Test
    void trainingTakesWorkersBackAndNoQueryIsLost() throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.builder()
                        .node(new NodeShape("n1", 4096, 6, List.of()))
                        .node(new NodeShape("n2", 4096, 6, List.of()))
                        .queue(QueueShape.plain("serving"))
                        .queue(QueueShape.of("training", "srtf+synergy-balanced"))
                        .setting("yarn.resourcemanager.scheduler.monitor.enable", "true")
                        .setting(PREEMPTION + "monitoring_interval", "500")
                        .setting(PREEMPTION + "max_wait_before_kill", "10000")
                        .setting(PREEMPTION + "total_preemption_per_round", "1.0")
                        .setting(PREEMPTION + "natural_termination_factor", "1.0")
                        .setting(PREEMPTION + "max_ignored_over_capacity", "0.0")
                        .start();
                TinyService service =
                        TinyService.inQueue(cluster, "root.serving", "borrows", "{count: 6, memory: 1Gi}")) {
            service.awaitReady();
            service.awaitWorkers(6);
            try (Clients clients = new Clients(service, "diamond", 4)) {
                clients.awaitMore(20);
                ApplicationId job = service.client()
                        .submit(
                                JobSpecParser.fromJson(
                                        """
                                {"name": "training", "queue": "root.training", "profiling": {"enabled": false},
                                 "tasks": {"worker": {"count": 2, "memory": "1Gi", "command": "sleep 3"}}}
                                """));
                Await.until("fewer workers", () -> {
                    clients.check();
                    return service.readyWorkers().size() < 6;
                });
                clients.awaitMore(20);
                Await.until("the job's end", () -> {
                    clients.check();
                    return service.client().status(job).isOver();
                });
                JobStatus ended = service.client().status(job);
                assertTrue(ended.succeeded(), ended::diagnostics);
                clients.awaitMore(20);
            }
        }
    }
}
