// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class AutoscalerTest {
    private final Autoscaler scaler = new Autoscaler(1, 10, 60_000);
    private double nowMs;
    private double workMs;
    private int wanted = 1;

    /** @param busy workers' worth of work in each second */
    private void seconds(int count, double busy, double backlogMs) {
        for (int i = 0; i < count; i++) {
            nowMs += 1000;
            workMs += busy * 1000;
            wanted = scaler.wanted(nowMs, workMs, backlogMs, wanted);
        }
    }

    @Test
    void asManyAsAreBusySixTenthsOfTheirTime() {
        seconds(20, 1.2, 0);
        assertEquals(2, wanted);
        seconds(20, 3, 0);
        assertEquals(5, wanted);
    }

    @Test
    void whatWaitsIsWorkedOffInTenSeconds() {
        seconds(1, 0, 30_000);
        assertEquals(5, wanted);
    }

    @Test
    void neverMoreNorFewerThanThereMayBe() {
        seconds(20, 100, 1e6);
        assertEquals(10, wanted);
        seconds(200, 0, 0);
        assertEquals(1, wanted);
    }

    @Test
    void goOnlyOnceNothingHasNeededThemForAWhile() {
        seconds(20, 3, 0);
        assertEquals(5, wanted);
        seconds(59, 0, 0);
        assertEquals(5, wanted);
        // The load is an average of ten seconds: the last need of five is some seconds old by then.
        seconds(13, 0, 0);
        assertTrue(wanted < 5);
        seconds(10, 0, 0);
        assertEquals(1, wanted);
    }

    @Test
    void aShortLullKeepsThem() {
        seconds(20, 3, 0);
        for (int i = 0; i < 5; i++) {
            seconds(30, 0, 0);
            assertEquals(5, wanted);
            seconds(12, 3, 0);
        }
        assertEquals(5, wanted);
    }
}
