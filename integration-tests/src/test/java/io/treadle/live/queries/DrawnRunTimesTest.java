// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.queries;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.query.QueryTask;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DrawnRunTimesTest {
    private static final QueryTask TASK = new QueryTask(0, "one", List.of(), 40, 0, 0, List.of());

    private static DrawnRunTimes drawn(List<Double> quantiles) {
        return new DrawnRunTimes(
                new ServiceProfile(Map.of("w/one", new ServiceProfile.Runs(10, 400, 0, quantiles)), Map.of(), 1), 7);
    }

    @Test
    void spreadAsTheyWereSeenAndOfTheProfilesMean() {
        // Evenly from 0 to 2 of the sample's own unit, whose mean is 1: from 0 to 80 ms.
        DrawnRunTimes drawn = drawn(List.of(0.0, 1.0, 2.0));
        double sum = 0;
        double squares = 0;
        int count = 20_000;
        for (int i = 0; i < count; i++) {
            double ms = drawn.ms("q" + i, "w", TASK);
            assertTrue(ms >= 0 && ms <= 80);
            sum += ms;
            squares += ms * ms;
        }
        double mean = sum / count;
        assertEquals(40, mean, 1);
        // Of an even spread: its width over the root of 12.
        assertEquals(80 / Math.sqrt(12), Math.sqrt(squares / count - mean * mean), 0.5);
    }

    @Test
    void theSameTaskOfTheSameQueryTakesTheSame() {
        DrawnRunTimes drawn = drawn(List.of(1.0, 5.0, 90.0));
        assertEquals(drawn.ms("q", "w", TASK), drawn.ms("q", "w", TASK));
        assertTrue(drawn.ms("q", "w", TASK) != drawn.ms("r", "w", TASK));
    }

    @Test
    void whatWasNotSeenRunsAsLongAsIsExpected() {
        assertEquals(40, drawn(List.of()).ms("q", "w", TASK));
        assertEquals(40, drawn(List.of(0.0, 0.0)).ms("q", "w", TASK));
        assertEquals(40, drawn(List.of(1.0, 2.0)).ms("q", "other", TASK));
    }
}
