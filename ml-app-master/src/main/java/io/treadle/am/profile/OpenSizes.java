// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

import io.treadle.core.wire.ProfileRecord.Point;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;

/**
 * Where measured sizes leave open how fast a size between them is. Speed over vcores is taken to be concave: between two
 * sizes it lies above their chord, and below the straight lines through the two sizes before and the two after.
 */
final class OpenSizes {
    /** A chord that may be wrong by less is as good as a measurement. */
    static final double OPEN = 0.05;
    /** What exceeds a chord by less, in standard errors, may well be noise. */
    private static final double NOISE = 1.5;

    private OpenSizes() {}

    /**
     * The size between two measured ones of which least is known; empty where the chord is good enough everywhere.
     *
     * @param measured by rising vcores
     */
    static OptionalLong widest(Collection<Point> measured) {
        List<Point> points = new ArrayList<>(measured);
        OptionalLong widest = OptionalLong.empty();
        double most = 0;
        for (int i = 0; i + 1 < points.size(); i++) {
            double noise = NOISE
                    * Math.max(points.get(i).knownError(), points.get(i + 1).knownError());
            for (long vcores = points.get(i).vcores() + 1;
                    vcores < points.get(i + 1).vcores();
                    vcores++) {
                double open = open(points, i, vcores);
                if (open > Math.max(most, Math.max(OPEN, noise))) {
                    most = open;
                    widest = OptionalLong.of(vcores);
                }
            }
        }
        return widest;
    }

    /** By how much the speed may exceed the chord, relative to it. */
    private static double open(List<Point> points, int below, long vcores) {
        Point left = points.get(below);
        Point right = points.get(below + 1);
        double chord = on(left, right, vcores);
        double most = right.samplesPerSecond();
        // No vcores, no speed.
        Point before = below > 0 ? points.get(below - 1) : new Point(0, 0, 0, 0);
        most = Math.min(most, on(before, left, vcores));
        if (below + 2 < points.size()) {
            most = Math.min(most, on(right, points.get(below + 2), vcores));
        }
        return chord > 0 ? most / chord - 1 : 0;
    }

    /** On the straight line through two sizes. */
    private static double on(Point one, Point other, long vcores) {
        double slope = (other.samplesPerSecond() - one.samplesPerSecond()) / (other.vcores() - one.vcores());
        return one.samplesPerSecond() + slope * (vcores - one.vcores());
    }
}
