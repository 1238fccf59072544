// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.model.energy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class HostDrawTest {
    private final HostDraw draw = new HostDraw();

    private void add(double hostWatts, double gpuWatts) {
        draw.add(hostWatts + gpuWatts, gpuWatts);
    }

    private void assertLine(double idleWatts, double slope) {
        assertEquals(idleWatts, draw.line().idleWatts(), 1e-9);
        assertEquals(slope, draw.line().slope(), 1e-12);
    }

    @Test
    void aLineIsFound() {
        add(300 + 24, 240);
        add(300 + 100, 1000);
        add(300 + 60, 600);
        assertLine(300, 0.1);
    }

    @Test
    void nothingIsKnownBeforeTheFirstReading() {
        assertLine(0, 0);
    }

    @Test
    void gpusThatDrawTheSameTellNothingOfTheSlope() {
        add(330, 1000);
        add(350, 1010);
        assertLine(340, 0);
    }

    @Test
    void whatCannotBeIsLeftOut() {
        add(300, 0);
        add(-1, 400);
        draw.add(Double.NaN, 100);
        draw.add(Double.POSITIVE_INFINITY, 100);
        draw.add(500, -1);
        assertLine(300, 0);
    }

    @Test
    void slopesAreNoMoreThanAHalfAndNoLessThanNone() {
        add(100, 0);
        add(900, 1000);
        assertLine(500 - 250, 0.5);
    }

    @Test
    void aNodeThatDrawsLessTheMoreItsGpusDoHasNoSlope() {
        add(400, 0);
        add(200, 1000);
        assertLine(300, 0);
    }

    @Test
    void oldReadingsAreForgotten() {
        add(1000, 100);
        for (int i = 0; i < 600; i++) {
            add(300, 100);
        }
        assertLine(300, 0);
    }
}
