// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.powerflow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class FrontierTest {
    private static Frontier.Point point(double kwh, double seconds) {
        return new Frontier.Point("", kwh, seconds);
    }

    /** 100 kWh: 400 s, 200 kWh: 100 s; what takes more energy and more time does not count. */
    private static final Frontier OURS =
            new Frontier(List.of(point(200, 100), point(150, 500), point(100, 400), point(300, 100)));

    @Test
    void onlyTheBestCounts() {
        assertEquals(List.of(point(100, 400), point(200, 100)), OURS.best());
    }

    @Test
    void betweenPointsTimesGoAlongStraightLinesOfTheirLogarithm() {
        assertEquals(400, OURS.secondsAt(100).orElseThrow(), 1e-9);
        assertEquals(200, OURS.secondsAt(150).orElseThrow(), 1e-9);
        assertEquals(100, OURS.secondsAt(200).orElseThrow(), 1e-9);
        assertEquals(100, OURS.secondsAt(1000).orElseThrow(), 1e-9);
        assertEquals(OptionalDouble.empty(), OURS.secondsAt(99));
    }

    @Test
    void timesFasterIsTheMeanOverTheOthersPoints() {
        Frontier theirs = new Frontier(List.of(point(90, 4000), point(150, 400), point(250, 800), point(260, 300)));
        // At 90 kWh ours does nothing at all; at 150 it is twice as fast, at 260 three times.
        assertEquals(Math.sqrt(6), OURS.timesFaster(theirs).orElseThrow(), 1e-9);
        assertEquals(OptionalDouble.empty(), OURS.timesFaster(new Frontier(List.of(point(50, 100)))));
    }

    @Test
    void savedIsWhereJobsEndNoLater() {
        assertEquals(0.5, OURS.saved(new Frontier(List.of(point(200, 400)))).orElseThrow(), 1e-9);
        assertEquals(OptionalDouble.empty(), OURS.saved(new Frontier(List.of(point(200, 99)))));
    }
}
