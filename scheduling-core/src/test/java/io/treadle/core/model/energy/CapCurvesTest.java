// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.model.energy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CapCurvesTest {
    private static final double[] CAPS = {100, 125, 150, 175, 200, 225, 250};
    /** ResNet-50, batch 256, on a V100, by Zeus (NSDI'23): seconds of an epoch and average watts at those caps. */
    private static final double[] SECONDS = {6781.2, 5065.0, 4148.7, 3852.2, 3701.0, 3584.3, 3515.0};

    private static final double[] WATTS = {98.4, 122.0, 144.6, 166.4, 184.9, 205.4, 220.3};

    private static List<GpuSample> measured() {
        List<GpuSample> samples = new ArrayList<>();
        for (int i = 0; i < CAPS.length; i++) {
            samples.add(new GpuSample(256, CAPS[i], SECONDS[i], WATTS[i]));
        }
        return samples;
    }

    /** Fitted elsewhere by numpy's least squares, with the exponent 3. */
    @Test
    void timesOfARealCard() {
        List<GpuSample> samples = measured();
        CapTime found = CapTime.fit(samples.subList(0, 3), 3);
        assertEquals(3, found.exponent());
        double[] known = {6719.7, 5025.4, 4276.6, 3895.7, 3681.9, 3552.7, 3470.1};
        CapTime all = new CapTime(3247.9, 3471.7, 3);
        for (int i = 0; i < CAPS.length; i++) {
            assertEquals(known[i], all.seconds(CAPS[i]), 0.1);
        }
        assertEquals(0.06403, all.sensitivity(250), 1e-5);
        CapTime own = CapTime.fit(samples, 6);
        assertTrue(own.exponent() < 6, "seven caps say more than the GPU model does");
        for (GpuSample s : samples) {
            assertEquals(s.seconds(), own.seconds(s.capWatts()), 0.04 * s.seconds());
        }
    }

    /** The exponent is not sought among three caps: their fit is the one that numpy finds with all seven, but for noise. */
    @Test
    void fewCapsTakeTheExponentOfTheirModel() {
        List<GpuSample> samples = measured();
        CapTime found = CapTime.fit(List.of(samples.get(0), samples.get(2), samples.get(6)), 3);
        assertEquals(3247.9, found.fixedSeconds(), 0.03 * 3247.9);
        assertEquals(3471.7, found.cappedSeconds(), 0.05 * 3471.7);
    }

    @Test
    void knownCurvesAreFoundAgain() {
        for (long seed = 1; seed <= 200; seed++) {
            Random random = new Random(seed);
            CapTime truth =
                    new CapTime(0.05 + random.nextDouble(), 0.05 + random.nextDouble(), 0.5 * (2 + random.nextInt(10)));
            List<GpuSample> samples = new ArrayList<>();
            for (double cap : CAPS) {
                samples.add(new GpuSample(32, cap, truth.seconds(cap), 90));
            }
            CapTime found = CapTime.fit(samples, 3);
            assertEquals(truth.exponent(), found.exponent(), "seed " + seed);
            for (double cap = 90; cap < 300; cap += 7) {
                assertEquals(truth.seconds(cap), found.seconds(cap), 1e-6, "seed " + seed);
            }
        }
    }

    @Test
    void noCapMakesAJobFaster() {
        List<GpuSample> odd = List.of(new GpuSample(8, 100, 1, 80), new GpuSample(8, 200, 1.1, 90));
        CapTime found = CapTime.fit(odd, 3);
        assertEquals(0, found.cappedSeconds());
        assertEquals(1.047, found.seconds(100), 0.005);
        CapTime one = CapTime.fit(odd.subList(0, 1), 3);
        assertEquals(1, one.seconds(50));
        assertEquals(0, one.sensitivity(50));
    }

    /** Fitted elsewhere by a golden section search over the logarithm. */
    @Test
    void drawsOfARealCard() {
        CapDraw all = CapDraw.fit(measured());
        assertEquals(323.29, all.uncappedWatts(), 0.5);
        CapDraw one = CapDraw.fit(measured().subList(3, 4));
        double[] known = {99.0, 122.7, 145.3, 166.6, 186.3, 204.2, 220.3};
        for (int i = 0; i < CAPS.length; i++) {
            assertEquals(WATTS[i], all.watts(CAPS[i]), 0.01 * WATTS[i], "a parabola between the caps");
            assertEquals(known[i], one.watts(CAPS[i]), 0.01 * known[i], "one sample tells the draw at every cap");
        }
        assertTrue(all.watts(70) < 70 && all.watts(70) > 65, "beyond them a soft minimum: " + all.watts(70));
        assertTrue(all.watts(400) > all.watts(250) && all.watts(400) < 323.3, "" + all.watts(400));
    }

    @Test
    void drawsGoOnWithoutAJumpBeyondTheMeasuredCaps() {
        CapDraw draw = CapDraw.fit(
                List.of(new GpuSample(8, 100, 1, 98), new GpuSample(8, 150, 1, 120), new GpuSample(8, 250, 1, 125)));
        assertEquals(draw.watts(100), draw.watts(99.99), 0.02);
        assertEquals(draw.watts(250), draw.watts(250.01), 0.02);
    }

    /** Nothing tells what a GPU would draw that always draws its cap: it is taken to follow every cap. */
    @Test
    void whatDrawsItsCapFollowsIt() {
        CapDraw draw = CapDraw.fit(List.of(new GpuSample(8, 100, 1, 100.2)));
        assertEquals(100, draw.watts(100), 0.1);
        assertEquals(300, draw.watts(300), 0.1);
    }

    @Test
    void whatIsNoMeasurementIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> CapTime.fit(List.of(), 3));
        assertThrows(IllegalArgumentException.class, () -> CapDraw.fit(List.of()));
        assertThrows(IllegalArgumentException.class, () -> GpuCurves.fit(List.of(), 3));
        for (double bad : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThrows(IllegalArgumentException.class, () -> new GpuSample(8, bad, 1, 1));
            assertThrows(IllegalArgumentException.class, () -> new GpuSample(8, 1, bad, 1));
            assertThrows(IllegalArgumentException.class, () -> new GpuSample(8, 1, 1, bad));
        }
        assertThrows(IllegalArgumentException.class, () -> new GpuSample(0, 1, 1, 1));
    }
}
