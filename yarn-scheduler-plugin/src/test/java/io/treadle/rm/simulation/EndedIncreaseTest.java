// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.resource.ResourceVector;
import org.apache.hadoop.yarn.api.records.Container;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A container ends while it grows. What it was to grow by stays on its node until its ApplicationMaster asks again, and is taken
 * for the next job, which finds its room on another node.
 */
@Tag("simulation")
class EndedIncreaseTest {
    private static final int LONG = 1_000;
    private static final int ROUNDS = 12;

    @ParameterizedTest(name = "asynchronous scheduling {0}")
    @ValueSource(booleans = {false, true})
    void isTakenForTheNextJob(boolean asynchronous) throws Exception {
        Setting setting = new Setting(asynchronous, false, false, "fifo+proportional", true, 30, 100, 10);
        try (SimulatedCluster cluster = new SimulatedCluster(setting, false)) {
            CalmTime calm = new CalmTime(() -> {});
            // Two nodes are left, of 8 vcores.
            for (int node = 2; node < SimulatedCluster.NODES; node++) {
                cluster.lose(cluster.node(node));
            }
            cluster.drain();
            SimulatedApplication grows = submit(cluster, 0, ResourceVector.of(1, 2, 512));
            for (int i = 0; i < ROUNDS; i++) {
                new Event.Everybody().happen(cluster);
                cluster.drain();
                cluster.time.advance(500);
            }
            // It gives back one vcore, which the planner gives to it again, and its master asks no more.
            grows.resize(0, false);
            grows.beat(true);
            cluster.drain();
            calm.roundWithoutMasters(cluster);
            Container task = grows.held().values().iterator().next();
            cluster.node(task.getNodeId()).orElseThrow().complete(task.getId(), 0);
            calm.roundWithoutMasters(cluster);
            assertEquals(
                    6,
                    cluster.scheduler()
                            .getNode(task.getNodeId())
                            .getUnallocatedResource()
                            .getVirtualCores(),
                    "the increase is there, and the ApplicationMaster");

            SimulatedApplication next = submit(cluster, 1, ResourceVector.of(0, 6, 512));
            for (int i = 0; i < ROUNDS; i++) {
                calm.roundWithoutMasters(cluster);
                next.beat(true);
                cluster.drain();
            }
            assertEquals(1, next.held().size());
        }
    }

    private static SimulatedApplication submit(SimulatedCluster cluster, int number, ResourceVector size)
            throws Exception {
        cluster.submit(new Job(number, Job.Kind.GANG, "ml", "alice", 1, size, LONG));
        cluster.drain();
        return cluster.application(number).orElseThrow();
    }
}
