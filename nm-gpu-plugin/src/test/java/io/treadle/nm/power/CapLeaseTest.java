// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.power;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.NodeCaps;
import io.treadle.nm.FakeClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CapLeaseTest {
    private static final long LEASE_MS = 60_000;

    /** Warnings of the class under test. */
    private static final class Warnings extends AppenderSkeleton {
        private final List<String> lines = new ArrayList<>();

        @Override
        protected void append(LoggingEvent event) {
            lines.add(event.getRenderedMessage());
        }

        @Override
        public void close() {}

        @Override
        public boolean requiresLayout() {
            return false;
        }
    }

    private final FakeClock clock = new FakeClock();
    private final CapLease lease = new CapLease(clock);
    private final Warnings warnings = new Warnings();
    private final Logger logger = Logger.getLogger(CapLease.class);

    CapLeaseTest() {
        warnings.setThreshold(Level.WARN);
        logger.addAppender(warnings);
    }

    @AfterEach
    void stop() {
        logger.removeAppender(warnings);
    }

    @Test
    void capsThatEndedByThemselvesRaiseNoAlarm() {
        lease.offer(new NodeCaps(1, LEASE_MS, Map.of("A", 250.0)));
        // The ResourceManager wants no caps any more: it says so once and renews nothing.
        lease.offer(new NodeCaps(2, LEASE_MS, Map.of()));
        clock.advance(LEASE_MS);
        assertEquals(Map.of(), lease.wanted());
        assertEquals(List.of(), warnings.lines);
    }

    /** A stranger who may write to ZooKeeper has written it: it neither caps nor keeps the ResourceManager from being heard. */
    @Test
    void epochOfATimeThatHasNotComeIsIgnored() {
        assertFalse(lease.offer(new NodeCaps(Long.MAX_VALUE, LEASE_MS, Map.of("A", 1.0))));
        assertFalse(lease.offer(new NodeCaps(clock.millis() + NodeCaps.MOST_AHEAD_MS + 1, LEASE_MS, Map.of("A", 1.0))));
        assertEquals(Map.of(), lease.wanted());
        assertEquals(2, warnings.lines.size(), warnings.lines::toString);
        assertTrue(lease.offer(new NodeCaps(clock.millis() + NodeCaps.MOST_AHEAD_MS, LEASE_MS, Map.of("A", 250.0))));
        assertEquals(Map.of("A", 250.0), lease.wanted());
    }

    @Test
    void capsThatNobodyRenewsRaiseOneAlarm() {
        lease.offer(new NodeCaps(1, LEASE_MS, Map.of("A", 250.0)));
        clock.advance(LEASE_MS);
        assertEquals(Map.of(), lease.wanted());
        assertEquals(Map.of(), lease.wanted());
        assertEquals(1, warnings.lines.size(), warnings.lines::toString);
    }
}
