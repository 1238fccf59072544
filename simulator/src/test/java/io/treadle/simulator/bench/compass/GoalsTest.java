// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.compass;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.simulator.bench.Machine;
import java.util.List;
import org.junit.jupiter.api.Test;

class GoalsTest {
    private static Cell cell(Variant variant, int workers, double perSecond, double meanMs, double p95Ms) {
        QueryFigures figures = new QueryFigures(meanMs, p95Ms, 1, 1);
        return new Cell(variant, new QueryWork(workers, perSecond, 10), List.of(figures, figures));
    }

    /** All goals are just met at {@code factor} 1: ours takes so many times as long. */
    private static CompassResult result(double factor, int workers) {
        double ours = 1000 * factor;
        return new CompassResult(
                Machine.here(),
                1,
                2,
                10,
                List.of(
                        List.of(
                                cell(Variant.OURS, 5, 2, ours, ours),
                                cell(Variant.PUBLISHED, 5, 2, 10, 10),
                                cell(Variant.JIT, 5, 2, 1000, 1000),
                                cell(Variant.HEFT, 5, 2, 1000 / 0.36, 10),
                                cell(Variant.HASH, 5, 2, 1000 / 0.42, 10)),
                        // Of other loads the lead over jit alone is a goal.
                        List.of(
                                cell(Variant.OURS, 5, 4, ours, ours),
                                cell(Variant.JIT, 5, 4, 1000, 1000),
                                cell(Variant.HEFT, 5, 4, 10, 10),
                                cell(Variant.HASH, 5, 4, 10, 10))),
                cell(Variant.OURS, 4, 2, ours, 10),
                cell(Variant.HASH, 8, 2, 1000 / 0.55, 10),
                List.of(
                        cell(Variant.stale(10), 5, 2, 1000, 10),
                        cell(Variant.stale(0), 5, 2, 9000, 10),
                        cell(Variant.stale(100), 5, 2, 1020 * factor, 10),
                        cell(Variant.stale(500), 5, 2, 9000, 10),
                        cell(Variant.stale(1000), 5, 2, 1250 * factor, 10)),
                List.of(),
                new Halving(cell(Variant.HASH, 140, 40, 10, 10), cell(Variant.OURS, workers, 40, 10, 10)),
                List.of());
    }

    @Test
    void whatIsJustMetIsMet() {
        assertEquals(List.of(), Goals.missed(result(1, 70)));
        assertEquals(List.of(), Goals.missed(result(0.5, 2)));
        // As tables show them: 1.0204 is 1.02.
        assertEquals(List.of(), Goals.missed(result(1.0004, 70)));
    }

    @Test
    void eachThatIsMissedIsNamedWithItsFigure() {
        assertEquals(
                List.of(
                        "mean in that of jit at 2 a second: 1.05, must be at most 1.00",
                        "p95 in that of jit at 2 a second: 1.05, must be at most 1.00",
                        "mean in that of heft at 2 a second: 0.38, must be at most 0.36",
                        "mean in that of hash at 2 a second: 0.44, must be at most 0.42",
                        "mean in that of jit at 4 a second: 1.05, must be at most 1.00",
                        "p95 in that of jit at 4 a second: 1.05, must be at most 1.00",
                        "4 workers, mean, in that of hash on 8: 0.58, must be at most 0.55",
                        "mean where workers tell each other every 100 ms, in that of the usual: 1.07, must be at most 1.02",
                        "mean where workers tell each other every 1000 ms, in that of the usual: 1.31, must be at most 1.25",
                        "workers with the p95 of hash on 140, as a part of these: 0.51, must be at most 0.50"),
                Goals.missed(result(1.05, 72)));
    }
}
