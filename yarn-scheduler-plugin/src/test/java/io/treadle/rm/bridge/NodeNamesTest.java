// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A name server that hangs is not asked again for a node whose name has just failed. */
class NodeNamesTest {
    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicInteger asked = new AtomicInteger();
    private final NodeNames names = new NodeNames(this::hangs);

    @BeforeAll
    static void tokensHoldAddresses() {
        SecurityUtil.setTokenServiceUseIp(true);
    }

    @AfterEach
    void letGo() {
        end.countDown();
    }

    private boolean hangs(NodeId node) {
        asked.incrementAndGet();
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return true;
    }

    private Optional<String> obstacle(String... nodes) {
        return names.obstacle(List.of(nodes).stream()
                .map(node -> new TaskPlacement("worker", node, ResourceVector.of(0, 1, 512), List.of()))
                .toList());
    }

    @Test
    void gangOnAFailedNodeWaitsForNothing() {
        assertEquals(Optional.of("the name of node n1:1 does not resolve"), obstacle("n1:1"));
        for (int gang = 0; gang < 20; gang++) {
            assertEquals(Optional.of("the name of node n1:1 does not resolve"), obstacle("n2:1", "n1:1"));
        }
        assertEquals(1, asked.get(), "n2 is not looked up for a gang that cannot start");
    }

    @Test
    void whoAsksAHangingNameServerWaitsForAMomentOnly() {
        assertEquals(2_000, names.patienceMs());
        assertEquals(Optional.of("the name of node n1:1 does not resolve"), obstacle("n1:1"));
        assertEquals(50, names.patienceMs());
        // Another node's name is asked for all the same: it may be known.
        assertEquals(Optional.of("the name of node n2:1 does not resolve"), obstacle("n2:1"));
        while (asked.get() < 2) {
            Thread.onSpinWait();
        }
    }

    @Test
    void nameServerThatAnswersIsWaitedFor() {
        end.countDown();
        assertEquals(Optional.empty(), obstacle("n1:1", "n2:1"));
        assertEquals(2_000, names.patienceMs());
    }

    @Test
    void nameThatWasNotWaitedForIsAskedForAgain() {
        Thread.currentThread().interrupt();
        try {
            assertEquals(Optional.of("the name of node n1:1 does not resolve"), obstacle("n1:1"));
        } finally {
            assertTrue(Thread.interrupted());
        }
        assertEquals(2_000, names.patienceMs());
        end.countDown();
        assertEquals(Optional.empty(), obstacle("n1:1"));
    }
}
