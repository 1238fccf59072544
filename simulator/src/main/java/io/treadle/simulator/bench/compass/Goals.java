// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.compass;

import io.treadle.simulator.input.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * What was to come out of the simulations. Decisions are no part of it: how long they take is measured, and a busy machine is
 * no fault of ours.
 */
final class Goals {
    /** Of hash's mean and of heft's, at {@link CompassBench#MIDDLE}. */
    private static final double OF_HASH = 0.42;

    private static final double OF_HEFT = 0.36;
    /** Of the mean of hash on twice as many workers. */
    private static final double ON_HALF = 0.55;
    /** Of the mean where workers tell each other as often as usual. */
    private static final double EVERY_100_MS = 1.02;

    private static final double EVERY_SECOND = 1.25;
    private static final double HALF = 0.5;

    private final List<String> missed = new ArrayList<>();

    private Goals() {}

    /** A line for each that was missed; empty where all are met. */
    static List<String> missed(CompassResult result) {
        Goals goals = new Goals();
        for (List<Cell> load : result.loads()) {
            goals.load(load);
        }
        goals.check(
                result.few().work().workers() + " workers, mean, in that of hash on "
                        + result.twice().work().workers(),
                ratio(result.few(), result.twice(), QueryFigures::meanMs),
                ON_HALF);
        for (Cell cell : result.stale().subList(1, result.stale().size())) {
            goals.stale(cell, result.stale().get(0));
        }
        Halving many = result.many();
        goals.check(
                "workers with the p95 of hash on " + many.theirs().work().workers() + ", as a part of these",
                (double) many.ours().work().workers() / many.theirs().work().workers(),
                HALF);
        return List.copyOf(goals.missed);
    }

    private void load(List<Cell> load) {
        Cell ours = load.get(0);
        double perSecond = ours.work().perSecond();
        for (Cell theirs : load) {
            String in = " in that of " + theirs.variant().name() + " at " + Row.plain(perSecond) + " a second";
            double mean = ratio(ours, theirs, QueryFigures::meanMs);
            if (theirs.variant().equals(Variant.JIT)) {
                check("mean" + in, mean, 1);
                check("p95" + in, ratio(ours, theirs, QueryFigures::p95Ms), 1);
            } else if (perSecond == CompassBench.MIDDLE && theirs.variant().equals(Variant.HASH)) {
                check("mean" + in, mean, OF_HASH);
            } else if (perSecond == CompassBench.MIDDLE && theirs.variant().equals(Variant.HEFT)) {
                check("mean" + in, mean, OF_HEFT);
            }
        }
    }

    private void stale(Cell cell, Cell usual) {
        double ms = cell.variant().settings(1).stalenessMs();
        String what = "mean where workers tell each other every " + Row.plain(ms) + " ms, in that of the usual";
        if (ms == 100) {
            check(what, ratio(cell, usual, QueryFigures::meanMs), EVERY_100_MS);
        } else if (ms == 1000) {
            check(what, ratio(cell, usual, QueryFigures::meanMs), EVERY_SECOND);
        }
    }

    private static double ratio(Cell ours, Cell theirs, ToDoubleFunction<QueryFigures> figure) {
        return Math.exp(ours.logRatio(theirs, figure).mean());
    }

    /** To two digits, as tables and goals have them. */
    private void check(String what, double ratio, double most) {
        if (Math.round(100 * ratio) > Math.round(100 * most)) {
            missed.add(String.format(Locale.ROOT, "%s: %.2f, must be at most %.2f", what, ratio, most));
        }
    }
}
