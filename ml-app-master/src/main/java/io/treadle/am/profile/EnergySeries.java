// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** Energy that one worker's GPUs have spent, over time; the recent past only. */
public final class EnergySeries {
    private static final int MAX_POINTS = 1024;

    private record Point(double seconds, double joules) {}

    private final List<Point> points = new ArrayList<>();

    /**
     * Adds a reading. One that is not later than the last is left out; less energy than before means that the counter was
     * begun anew.
     *
     * @param seconds when it was read
     * @param joules spent until then
     */
    public void add(double seconds, double joules) {
        if (!points.isEmpty()) {
            Point last = points.get(points.size() - 1);
            if (joules < last.joules()) {
                points.clear();
            } else if (seconds <= last.seconds() || joules == last.joules()) {
                return;
            }
        }
        if (points.size() == MAX_POINTS) {
            points.subList(0, MAX_POINTS / 2).clear();
        }
        points.add(new Point(seconds, joules));
    }

    /** Average power from the first reading at or after the time to the last, W; empty where they are less apart. */
    public OptionalDouble wattsFrom(double fromSeconds, double atLeastSeconds) {
        for (Point first : points) {
            if (first.seconds() >= fromSeconds) {
                Point last = points.get(points.size() - 1);
                double seconds = last.seconds() - first.seconds();
                return seconds > 0 && seconds >= atLeastSeconds
                        ? OptionalDouble.of((last.joules() - first.joules()) / seconds)
                        : OptionalDouble.empty();
            }
        }
        return OptionalDouble.empty();
    }
}
