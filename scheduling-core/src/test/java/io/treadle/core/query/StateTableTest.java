// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class StateTableTest {
    private static final class Changing implements WorkerState {
        private final BitSet models = new BitSet();
        private double waitMs;
        private double freeKb;

        @Override
        public double waitMs() {
            return waitMs;
        }

        @Override
        public boolean holds(int model) {
            return models.get(model);
        }

        @Override
        public double freeKb() {
            return freeKb;
        }
    }

    @Test
    void othersAreAsTheyLastTold() {
        Changing a = new Changing();
        Changing b = new Changing();
        StateTable table = new StateTable(List.of(a, b));
        b.waitMs = 5;
        b.freeKb = 70;
        b.models.set(3);
        table.publish(1, b.models);
        b.waitMs = 9;
        b.freeKb = 10;
        b.models.clear(3);
        b.models.set(4);
        WorkerState seen = table.seenBy(0).at(1);
        assertEquals(5, seen.waitMs());
        assertEquals(70, seen.freeKb());
        assertTrue(seen.holds(3));
        assertFalse(seen.holds(4));
        WorkerState own = table.seenBy(1).at(1);
        assertEquals(9, own.waitMs());
        assertTrue(own.holds(4));
    }

    @Test
    void whoNeverToldAnythingIsAsItIs() {
        Changing a = new Changing();
        Changing b = new Changing();
        StateTable table = new StateTable(List.of(a, b));
        b.waitMs = 7;
        assertEquals(7, table.seenBy(0).at(1).waitMs());
        assertEquals(2, table.seenBy(0).workers());
    }
}
