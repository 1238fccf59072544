// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.random;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The numbers are those that Go 1.19 prints. */
class GoRandomTest {
    @Test
    void drawsBelowABound() {
        GoRandom random = new GoRandom(1);
        assertArrayEquals(
                new int[] {81, 87, 47, 59, 81, 18, 25, 40, 56, 0},
                IntStream.range(0, 10).map(i -> random.below(100)).toArray());
    }

    @Test
    void drawsAgainWhatIsAboveTheLastWholeMultiple() {
        // A bound just above 2^30 refuses almost every other number.
        GoRandom random = new GoRandom(42);
        assertArrayEquals(
                new int[] {801_072_305, 141_734_987, 448_434_750, 94_099_423, 822_901_345},
                IntStream.range(0, 5).map(i -> random.below((1 << 30) + 1)).toArray());
    }

    @Test
    void seedsOfAnySign() {
        assertEquals(3_440_579_354_231_278_675L, new GoRandom(42).next63());
        assertEquals(8_717_895_732_742_165_505L, new GoRandom(0).next63());
        assertEquals(747_107_023_976_529_931L, new GoRandom(-7).next63());
        assertEquals(2_916_455_904_842_158_270L, new GoRandom((1L << 40) + 5).next63());
    }

    @Test
    void aMillionNumbers() {
        GoRandom random = new GoRandom(42);
        long all = 0;
        for (int i = 0; i < 1_000_000; i++) {
            all ^= random.next63();
        }
        assertEquals(5_946_358_127_549_314_518L, all);
    }

    @Test
    void ordersThings() {
        assertArrayEquals(new int[] {7, 5, 8, 9, 2, 1, 6, 0, 10, 4, 3, 11}, new GoRandom(42).permutation(12));
        assertArrayEquals(new int[] {7, 9, 3, 5, 8, 11, 2, 10, 1, 6, 0, 4}, new GoRandom(42).shuffle(12));
    }
}
