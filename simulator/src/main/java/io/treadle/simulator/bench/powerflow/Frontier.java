// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.powerflow;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;

/** Mean completion times that a policy reaches for the energy that it uses, over its knob: the best of them alone. */
final class Frontier {
    /**
     * One run.
     *
     * @param knob what was turned, in words
     * @param kwh energy of all nodes, kWh
     * @param seconds mean job completion time, s
     */
    record Point(String knob, double kwh, double seconds) {}

    private final List<Point> points;

    /** By rising energy and falling time. */
    private final List<Point> best = new ArrayList<>();

    Frontier(List<Point> points) {
        this.points = List.copyOf(points);
        for (Point point : points.stream()
                .sorted(Comparator.comparingDouble(Point::kwh).thenComparingDouble(Point::seconds))
                .toList()) {
            if (best.isEmpty() || point.seconds() < best.get(best.size() - 1).seconds()) {
                best.add(point);
            }
        }
    }

    List<Point> points() {
        return points;
    }

    List<Point> best() {
        return List.copyOf(best);
    }

    /** Mean completion time for so much energy at most, along straight lines of its logarithm; empty for too little. */
    OptionalDouble secondsAt(double kwh) {
        if (kwh < best.get(0).kwh()) {
            return OptionalDouble.empty();
        }
        for (int i = 1; i < best.size(); i++) {
            Point from = best.get(i - 1);
            Point to = best.get(i);
            if (kwh <= to.kwh()) {
                double part = (kwh - from.kwh()) / (to.kwh() - from.kwh());
                return OptionalDouble.of(
                        Math.exp((1 - part) * Math.log(from.seconds()) + part * Math.log(to.seconds())));
            }
        }
        return OptionalDouble.of(best.get(best.size() - 1).seconds());
    }

    /** The least energy with which jobs end as soon as in so many seconds, kWh; empty where they never do. */
    OptionalDouble kwhAt(double seconds) {
        return best.stream()
                .filter(point -> point.seconds() <= seconds)
                .mapToDouble(Point::kwh)
                .min();
    }

    /**
     * How many times as long the jobs of another policy take for the same energy: the geometric mean over the points of its
     * frontier at which this one uses no less energy at least.
     */
    OptionalDouble timesFaster(Frontier other) {
        double sum = 0;
        int count = 0;
        for (Point point : other.best) {
            OptionalDouble ours = secondsAt(point.kwh());
            if (ours.isPresent()) {
                sum += Math.log(point.seconds() / ours.getAsDouble());
                count++;
            }
        }
        return count == 0 ? OptionalDouble.empty() : OptionalDouble.of(Math.exp(sum / count));
    }

    /** The part of energy that is saved where jobs end no later than at best with the other policy. */
    OptionalDouble saved(Frontier other) {
        Point fastest = other.best.get(other.best.size() - 1);
        OptionalDouble ours = kwhAt(fastest.seconds());
        return ours.isEmpty() ? ours : OptionalDouble.of(1 - ours.getAsDouble() / fastest.kwh());
    }
}
