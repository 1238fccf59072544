// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShareOutTest {
    private static final int[] ANY = {100, 100, 100};

    @Test
    void inProportion() {
        assertArrayEquals(new int[] {30, 20, 10}, ShareOut.of(60, new int[] {1, 1, 1}, new double[] {45, 30, 15}, ANY));
        // 10 × 1/3 is 3.33 each: the first of equals has the one that is left.
        assertArrayEquals(new int[] {4, 3, 3}, ShareOut.of(10, new int[] {1, 1, 1}, new double[] {7, 7, 7}, ANY));
        // By 53 : 24 : 23 of 7 are 3.71, 1.68 and 1.61: with each rounded to the nearest, 4, 2 and 2 are one too many.
        // The method's divisors 1, 3, 5, 7 give 53, 17.7, 10.6, 7.6 and 24, 8, 4.8 and 23, 7.7, 4.6: the seven largest
        // are 53, 24, 23, 17.7, 10.6, 8, 7.7.
        assertArrayEquals(new int[] {3, 2, 2}, ShareOut.of(7, new int[3], new double[] {53, 24, 23}, ANY));
    }

    @Test
    void noMoreThanEachMayHave() {
        assertArrayEquals(
                new int[] {10, 45, 45},
                ShareOut.of(100, new int[] {1, 1, 1}, new double[] {80, 10, 10}, new int[] {10, 60, 60}));
        assertArrayEquals(
                new int[] {2, 3, 4},
                ShareOut.of(100, new int[] {1, 1, 1}, new double[] {1, 1, 1}, new int[] {2, 3, 4}));
        assertArrayEquals(new int[0], ShareOut.of(5, new int[0], new double[0], new int[0]));
    }

    /** All is shared out, and nobody is a whole percent or more further off than another makes up for. */
    @Test
    void nobodyCouldComplain() {
        for (long seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            double[] weights = random.doubles(4, .1, 10).toArray();
            int total = 4 + random.nextInt(97);
            int[] shares = ShareOut.of(total, new int[4], weights, new int[] {100, 100, 100, 100});
            assertEquals(total, Arrays.stream(shares).sum(), "seed " + seed);
            for (int i = 0; i < 4; i++) {
                for (int j = 0; j < 4; j++) {
                    assertTrue(
                            i == j || (shares[i] - .5) / weights[i] <= (shares[j] + .5) / weights[j] + 1e-9,
                            "seed " + seed + ": " + IntStream.of(shares).boxed().toList());
                }
            }
        }
    }
}
