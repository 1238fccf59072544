// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.ProfileRecord.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class OpenSizesTest {
    private static Point point(long vcores, double speed) {
        return new Point(vcores, 1024, speed, 5, 0.001, 1);
    }

    private static OptionalLong widest(Point... points) {
        return OpenSizes.widest(List.of(points));
    }

    @Test
    void aKneeBetweenTwoSizesIsOpen() {
        // Loaders do 10 a vcore, the GPU 70. At 7 the chord from 5 to 8 says 50 + 2/3 * 20 = 63.3; the line through 3
        // and 5
        // allows 70, 10.5 % more. At 6 it is 60 to 56.7, 5.9 %.
        assertEquals(OptionalLong.of(7), widest(point(1, 10), point(3, 30), point(5, 50), point(8, 70), point(12, 70)));
        // Once 7 is known nothing is.
        assertEquals(
                OptionalLong.empty(),
                widest(point(1, 10), point(3, 30), point(5, 50), point(7, 70), point(8, 70), point(12, 70)));
    }

    @Test
    void straightAndFlatStretchesAreNot() {
        assertEquals(OptionalLong.empty(), widest(point(2, 20), point(8, 80), point(16, 160)));
        assertEquals(OptionalLong.empty(), widest(point(1, 50), point(24, 50)));
        assertEquals(OptionalLong.empty(), widest(point(4, 50)));
        assertEquals(OptionalLong.empty(), widest());
    }

    @Test
    void belowTheSmallestSizeAStraightLineFromNothingIsTheMost() {
        // From 1 to 5: at 2 the chord says 45, the line from nothing 80, the GPU 60.
        assertEquals(OptionalLong.of(2), widest(point(1, 40), point(5, 60)));
    }

    @Test
    void whatMayBeNoiseIsNotOpen() {
        Point left = new Point(5, 1024, 50, 5, 0.08, 1);
        assertEquals(OptionalLong.empty(), widest(point(1, 10), point(3, 30), left, point(8, 70), point(12, 70)));
    }

    /** Oracle: any concave curve through its measured points stays within the bound of its chords when nothing is open. */
    @Test
    void whenNothingIsOpenEveryConcaveCurveIsNearItsChords() {
        for (long seed = 1; seed <= 200; seed++) {
            Random random = new Random(seed);
            int most = 4 + random.nextInt(40);
            double[] speeds = concave(random, most);
            TreeMap<Long, Point> points = new TreeMap<>();
            for (long vcores : new long[] {1, 1 + random.nextInt(most), most}) {
                points.put(vcores, point(vcores, speeds[(int) vcores]));
            }
            for (OptionalLong open = OpenSizes.widest(points.values());
                    open.isPresent();
                    open = OpenSizes.widest(points.values())) {
                long vcores = open.getAsLong();
                assertTrue(points.put(vcores, point(vcores, speeds[(int) vcores])) == null, "seed " + seed);
            }
            List<Long> measured = new ArrayList<>(points.keySet());
            for (int i = 0; i + 1 < measured.size(); i++) {
                long left = measured.get(i);
                long right = measured.get(i + 1);
                for (long v : LongStream.rangeClosed(left, right).toArray()) {
                    double chord = speeds[(int) left]
                            + (speeds[(int) right] - speeds[(int) left]) * (v - left) / (right - left);
                    assertEquals(1, speeds[(int) v] / chord, OpenSizes.OPEN + 1e-9, "seed " + seed + " at " + v);
                }
            }
        }
    }

    /** By vcores, from none. */
    private static double[] concave(Random random, int most) {
        double[] speeds = new double[most + 1];
        double gain = 10;
        for (int v = 1; v <= most; v++) {
            speeds[v] = speeds[v - 1] + gain;
            gain *= random.nextInt(4) == 0 ? random.nextDouble() : 1;
        }
        return speeds;
    }
}
