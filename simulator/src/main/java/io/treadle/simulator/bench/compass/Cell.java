// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.compass;

import io.treadle.simulator.result.SeedMean;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A variant at some work.
 *
 * @param figures one for each seed
 */
record Cell(Variant variant, QueryWork work, List<QueryFigures> figures) {
    Cell {
        figures = List.copyOf(figures);
    }

    double mean(ToDoubleFunction<QueryFigures> figure) {
        return figures.stream().mapToDouble(figure).average().orElseThrow();
    }

    /** A figure in that of another, seed by seed: the logarithm of the geometric mean. */
    SeedMean logRatio(Cell other, ToDoubleFunction<QueryFigures> figure) {
        List<Double> logs = new ArrayList<>();
        for (int i = 0; i < figures.size(); i++) {
            logs.add(Math.log(figure.applyAsDouble(figures.get(i))
                    / figure.applyAsDouble(other.figures().get(i))));
        }
        return SeedMean.of(logs).orElseThrow();
    }
}
