// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

import java.util.ArrayList;
import java.util.List;

/** Samples that one worker has done, over time; the recent past only. */
public final class SampleSeries {
    private static final int MAX_POINTS = 4096;

    private record Point(double seconds, double samples) {}

    private final List<Point> points = new ArrayList<>();

    /**
     * Adds a reading. One that is not later than the last, or has fewer samples, is left out: the worker's count starts
     * again with {@link #clear}.
     *
     * @param seconds when the samples had been done
     */
    public void add(double seconds, double samples) {
        if (!points.isEmpty()) {
            Point last = last();
            if (seconds <= last.seconds() || samples < last.samples()) {
                return;
            }
        }
        if (points.size() == MAX_POINTS) {
            points.subList(0, MAX_POINTS / 2).clear();
        }
        points.add(new Point(seconds, samples));
    }

    /** The worker was started again. */
    public void clear() {
        points.clear();
    }

    public boolean isEmpty() {
        return points.isEmpty();
    }

    public int size() {
        return points.size();
    }

    /** Time of the last reading; negative infinity before the first. */
    double lastSeconds() {
        return points.isEmpty() ? Double.NEGATIVE_INFINITY : last().seconds();
    }

    /** Readings at or after the time. */
    int countFrom(double seconds) {
        return points.size() - indexFrom(seconds);
    }

    /** Time of the first reading at or after the time; positive infinity where there is none. */
    double firstFrom(double seconds) {
        int index = indexFrom(seconds);
        return index == points.size()
                ? Double.POSITIVE_INFINITY
                : points.get(index).seconds();
    }

    /** Times of the readings from one time to another, both included. */
    double[] secondsBetween(double from, double to) {
        int first = indexFrom(from);
        int end = indexFrom(Math.nextUp(to));
        return points.subList(first, Math.max(first, end)).stream()
                .mapToDouble(Point::seconds)
                .toArray();
    }

    /** Samples at a time between the first and the last reading, on the straight line between its neighbours. */
    double samplesAt(double seconds) {
        int after = indexFrom(seconds);
        if (after == points.size()) {
            return last().samples();
        }
        Point right = points.get(after);
        if (after == 0 || right.seconds() == seconds) {
            return right.samples();
        }
        Point left = points.get(after - 1);
        double share = (seconds - left.seconds()) / (right.seconds() - left.seconds());
        return left.samples() + share * (right.samples() - left.samples());
    }

    private int indexFrom(double seconds) {
        int low = 0;
        int high = points.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (points.get(middle).seconds() < seconds) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private Point last() {
        return points.get(points.size() - 1);
    }
}
