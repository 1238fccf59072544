// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class VcoreMeterTest {
    @Test
    void countsEverySizeForAsLongAsAWorkerRanWithIt() {
        VcoreMeter meter = new VcoreMeter();
        meter.looked(5, 9);
        assertEquals(0, meter.vcoreSeconds(), "no worker runs yet");
        meter.started(10, 2);
        meter.looked(13, 4);
        assertEquals(6, meter.vcoreSeconds(), 1e-9);
        meter.ended(14);
        assertEquals(10, meter.vcoreSeconds(), 1e-9);
        meter.looked(100, 4);
        meter.started(200, 1);
        meter.ended(203);
        assertEquals(13, meter.vcoreSeconds(), 1e-9);
    }
}
