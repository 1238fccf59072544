// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.result;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A figure by which policies are compared over a sweep.
 *
 * @param moreIsBetter whether the greatest is the best; else it is the least
 */
public record SweepFigure(String name, Kind kind, boolean moreIsBetter, Function<Summary, @Nullable Double> of) {
    /** What its values are. */
    public enum Kind {
        /** Seconds. */
        TIME,
        /** From 0 to 1. */
        SHARE,
        COUNT
    }

    /** All of them, in the order in which people want to see them. */
    public static final List<SweepFigure> ALL = List.of(
            time("mean JCT", Summary::avgJctSeconds),
            time("p95 JCT", Summary::p95JctSeconds),
            time("p99 JCT", Summary::p99JctSeconds),
            time("mean wait", Summary::avgQueueSeconds),
            time("makespan", Summary::makespanSeconds),
            value("GPU use", Kind.SHARE, true, Summary::gpuUtilization),
            value("fragmentation", Kind.SHARE, false, Summary::fragmentation),
            value("preemptions", Kind.COUNT, false, Summary::preemptions),
            value("migrations", Kind.COUNT, false, Summary::migrations));

    private static SweepFigure time(String name, Function<Summary, @Nullable Double> of) {
        return new SweepFigure(name, Kind.TIME, false, of);
    }

    private static SweepFigure value(String name, Kind kind, boolean moreIsBetter, ToDoubleFunction<Summary> of) {
        return new SweepFigure(name, kind, moreIsBetter, of::applyAsDouble);
    }

    /** Over the seeds of a cell. */
    public Optional<SeedMean> over(SweepCell cell) {
        return SeedMean.of(cell.seeds().stream().map(SweepRow::summary).map(of).toList());
    }

    /** In the unit that people would use. */
    public String text(double value) {
        return switch (kind) {
            case TIME -> SummaryTable.time(value);
            case SHARE -> String.format(Locale.ROOT, "%.1f %%", 100 * value);
            case COUNT -> String.format(Locale.ROOT, "%,d", Math.round(value));
        };
    }
}
