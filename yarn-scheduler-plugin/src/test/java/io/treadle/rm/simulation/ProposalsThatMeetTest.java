// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.resource.ResourceVector;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * With asynchronous scheduling one application has several proposals for the same GPUs on their way at a time. What Hadoop's own
 * commit would refuse leaves nobody out.
 */
@Tag("simulation")
class ProposalsThatMeetTest {
    private static final int LONG = 1_000;
    private static final int ROUNDS = 12;
    /** So many are refused after two that take the node's GPUs that an application would be left out for them. */
    private static final int PROPOSALS = 6;

    private SimulatedCluster cluster;
    private HeldProposals proposals;
    private SimulatedApplication application;

    /** Its ApplicationMaster runs on the first node, and nothing is proposed for what it asks for. */
    @BeforeEach
    void start() throws Exception {
        cluster = new SimulatedCluster(new Setting(true, false, true, "fifo+proportional", true, 50, 100, 10), false);
        proposals = cluster.proposals().orElseThrow();
        cluster.submit(new Job(0, Job.Kind.PLAIN, "plain", "bob", 10, ResourceVector.of(1, 1, 512), LONG));
        cluster.drain();
        application = cluster.application(0).orElseThrow();
        for (int i = 0; i < ROUNDS && !application.isWaiting(); i++) {
            propose(cluster.node(0), 1);
            commitAll();
            beat();
        }
        assertTrue(application.isWaiting());
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private void beat() throws Exception {
        for (SimulatedNode node : cluster.nodes()) {
            node.beat();
            cluster.drain();
        }
        application.beat(true);
        cluster.drain();
    }

    private void propose(SimulatedNode node, int times) throws Exception {
        for (int i = 0; i < times; i++) {
            proposals.propose(node.id);
        }
    }

    private void commitAll() throws Exception {
        while (proposals.count() > 0) {
            proposals.commit(0);
            cluster.drain();
        }
    }

    @Test
    void thoseThatFindTheRoomTakenLeaveNobodyOut() throws Exception {
        SimulatedNode node = cluster.node(1);
        propose(node, PROPOSALS);
        assertEquals(PROPOSALS, proposals.count());
        commitAll();
        beat();
        assertEquals(node.gpus, application.held().size());

        ContainerId ended = application.held().keySet().iterator().next();
        node.complete(ended, 0);
        beat();
        assertEquals(node.gpus - 1, application.held().size());
        propose(node, 1);
        commitAll();
        beat();
        assertEquals(node.gpus, application.held().size(), "the GPU that has become free is handed out at once");
    }

    @Test
    void thoseForANodeThatHasRegisteredAgainSinceLeaveNobodyOut() throws Exception {
        SimulatedNode node = cluster.node(1);
        propose(node, PROPOSALS);
        assertEquals(PROPOSALS, proposals.count());
        cluster.lose(node);
        cluster.drain();
        cluster.join(node);
        beat();
        commitAll();
        beat();
        assertEquals(0, application.held().size());

        propose(node, 1);
        commitAll();
        beat();
        assertEquals(1, application.held().size());
    }
}
