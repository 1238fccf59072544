// SPDX-License-Identifier: Apache-2.0
package io.treadle.live;

import io.treadle.core.model.ProfiledMatrix;
import io.treadle.core.model.SensitivityMatrix;
import io.treadle.demo.DemoException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A kind of worker as policies know it from its profile, beside what it was measured to do.
 *
 * @param sizesProfiled that were measured for the profile
 * @param points by rising vcores
 * @param profileSeconds what profiling took
 * @param measuredSeconds what measuring every size took
 */
record Curve(String kind, int sizesProfiled, List<Point> points, double profileSeconds, double measuredSeconds) {
    /** Both in samples/s. */
    record Point(long vcores, double profiled, SizeSpeed measured) {
        /** Relative to what was measured. */
        double difference() {
            return profiled / measured.samplesPerSecond() - 1;
        }
    }

    Curve {
        points = List.copyOf(points);
    }

    /** @param measured of the same kind, with as much memory */
    static Curve of(Profiled profiled, List<SizeSpeed> measured) {
        SensitivityMatrix matrix = ProfiledMatrix.at(profiled.memoryMiB(), profiled.profile())
                .orElseThrow(() -> new DemoException("the profile of " + profiled.name() + " is empty"));
        List<Point> points = new ArrayList<>();
        for (SizeSpeed size : measured) {
            points.add(new Point(size.vcores(), matrix.at(size.vcores(), profiled.memoryMiB()), size));
        }
        points.sort(Comparator.comparingLong(Point::vcores));
        return new Curve(
                profiled.name(),
                profiled.profile().points().size(),
                points,
                profiled.seconds(),
                measured.stream().mapToDouble(SizeSpeed::seconds).sum());
    }

    double largestDifference() {
        return points.stream()
                .mapToDouble(point -> Math.abs(point.difference()))
                .max()
                .orElseThrow();
    }

    double meanDifference() {
        return points.stream()
                .mapToDouble(point -> Math.abs(point.difference()))
                .average()
                .orElseThrow();
    }

    /** Of what was measured. */
    double largestError() {
        return points.stream()
                .mapToDouble(point -> point.measured().relativeError())
                .max()
                .orElseThrow();
    }

    /** Of the time that measuring every size takes. */
    double costs() {
        return profileSeconds / measuredSeconds;
    }
}
