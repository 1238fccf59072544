// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.junit.jupiter.api.Test;

class RefusalsTest {
    private static final ApplicationId APPLICATION = ApplicationId.newInstance(1, 1);
    private static final NodeId NODE = NodeId.newInstance("n1", 1);

    private final AtomicLong nowMs = new AtomicLong(1_000_000);
    private final AtomicInteger leftOut = new AtomicInteger();
    private final Refusals refusals = new Refusals(nowMs::get, leftOut::incrementAndGet);

    @Test
    void fewRefusalsLeaveNobodyOut() {
        refuse(Refusals.FREE - 1);
        assertFalse(refusals.isLeftOut(APPLICATION, NODE));
        assertEquals(0, leftOut.get());
    }

    @Test
    void timesGrowUpToALimit() {
        refuse(Refusals.FREE - 1);
        for (long expected : new long[] {1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000}) {
            refuse(1);
            nowMs.addAndGet(expected - 1);
            assertTrue(refusals.isLeftOut(APPLICATION, NODE), () -> "after " + (expected - 1) + " ms");
            nowMs.incrementAndGet();
            assertFalse(refusals.isLeftOut(APPLICATION, NODE), () -> "after " + expected + " ms");
        }
        assertEquals(8, leftOut.get());
    }

    @Test
    void proposalsThatWereOnTheirWayCountOnce() {
        refuse(100);
        assertEquals(1, leftOut.get());
        nowMs.addAndGet(Refusals.FIRST_MS);
        assertFalse(refusals.isLeftOut(APPLICATION, NODE));
    }

    @Test
    void otherApplicationsAndNodesAreOffered() {
        refuse(Refusals.FREE);
        assertTrue(refusals.isLeftOut(APPLICATION, NODE));
        assertFalse(refusals.isLeftOut(ApplicationId.newInstance(1, 2), NODE));
        assertFalse(refusals.isLeftOut(APPLICATION, NodeId.newInstance("n2", 1)));
    }

    @Test
    void longAgoIsForgotten() {
        refuse(Refusals.FREE + 5);
        nowMs.addAndGet(10 * Refusals.MOST_MS);
        refuse(1);
        assertFalse(refusals.isLeftOut(APPLICATION, NODE));
    }

    @Test
    void goneApplicationsAndNodesAreForgotten() {
        refuse(Refusals.FREE);
        refusals.forget(APPLICATION);
        assertFalse(refusals.isLeftOut(APPLICATION, NODE));
        refuse(Refusals.FREE);
        refusals.forget(NODE);
        assertFalse(refusals.isLeftOut(APPLICATION, NODE));
    }

    private void refuse(int times) {
        for (int i = 0; i < times; i++) {
            refusals.refused(APPLICATION, NODE, "the node's GPUs are taken");
        }
    }
}
