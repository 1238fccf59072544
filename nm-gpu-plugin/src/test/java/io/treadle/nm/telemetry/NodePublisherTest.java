// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.wire.NodeRecord;
import io.treadle.nm.FakeClock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodePublisherTest {
    private final FakeClock clock = new FakeClock();
    private final List<NodeRecord> taken = new ArrayList<>();
    private boolean takes = true;
    private final NodePublisher publisher = new NodePublisher(
            node -> {
                if (takes) {
                    taken.add(node);
                }
                return takes;
            },
            clock,
            10_000);

    @Test
    void noiseIsPublishedOnlyEveryNowAndThen() {
        for (int second = 0; second <= 20; second++) {
            publisher.offer(TestRecords.node(100 + second % 2, NodeRecord.Health.OK));
            clock.advance(1_000);
        }
        assertEquals(3, taken.size());
    }

    @Test
    void whatMattersIsPublishedAtOnce() {
        publisher.offer(TestRecords.node(100, NodeRecord.Health.OK));
        publisher.offer(TestRecords.node(100, NodeRecord.Health.LOST));
        publisher.offer(TestRecords.node(100, NodeRecord.Health.LOST, "c1"));
        publisher.offer(TestRecords.node(200, NodeRecord.Health.LOST, "c1"));
        assertEquals(4, taken.size());
    }

    @Test
    void whatCameOfACapIsPublishedAtOnce() {
        publisher.offer(TestRecords.capped(400, 250, ""));
        publisher.offer(TestRecords.capped(250, 250, ""));
        publisher.offer(TestRecords.capped(250, 200, ""));
        publisher.offer(TestRecords.capped(250, 200, "refused"));
        publisher.offer(TestRecords.capped(250, 200, "refused"));
        assertEquals(4, taken.size());
    }

    @Test
    void refusedRecordIsOfferedAgain() {
        takes = false;
        publisher.offer(TestRecords.node(100, NodeRecord.Health.OK));
        takes = true;
        publisher.offer(TestRecords.node(100, NodeRecord.Health.OK));
        assertEquals(1, taken.size());
    }
}
