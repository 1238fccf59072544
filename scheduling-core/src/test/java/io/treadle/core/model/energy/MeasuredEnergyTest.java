// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.model.energy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.EnergyPoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MeasuredEnergyTest {
    private static final double LIMIT = 400;
    private static final double LEAST = 100;
    private static final double IDLE = 55;
    private static final double[] PROFILED = {160, 240, 400};
    private static final int BATCH = 256;
    /** A job whose GPU follows the models: 0.4 s for 256 samples, a tenth of it slowed by the cap, 350 W without one. */
    private static final CapTime TIME = new CapTime(0.36 / BATCH, 0.04 / BATCH * Math.pow(4, 3.5), 3.5);

    private static final IterationTime EXCHANGE = new IterationTime(0, 0, 0.02, 0.004, 0.05, 8);

    private static double seconds(int gpus, double batch, double cap) {
        return TIME.seconds(cap) * batch / gpus + EXCHANGE.exchangeSeconds(gpus);
    }

    private static double watts(int gpus, double batch, double cap) {
        return gpus
                * EnergyProfile.draw(
                        CapDraw.softMinimum(cap, 350),
                        TIME.seconds(cap) * batch / gpus,
                        EXCHANGE.exchangeSeconds(gpus),
                        IDLE);
    }

    private static EnergyPoint point(int gpus, long batch, double cap) {
        int nodes = (gpus + 7) / 8;
        return new EnergyPoint(
                gpus, nodes, batch, cap, batch / seconds(gpus, batch, cap), watts(gpus, batch, cap), 5, 0.01, 1);
    }

    private static List<EnergyPoint> at(int gpus, long batch) {
        List<EnergyPoint> points = new ArrayList<>();
        for (double cap : PROFILED) {
            points.add(point(gpus, batch, cap));
        }
        return points;
    }

    private static EnergyProfile profile(List<EnergyPoint> points, int least, int most) {
        return MeasuredEnergy.of(points, least, most, LEAST, LIMIT, IDLE).orElseThrow();
    }

    private static void assertKnown(EnergyProfile profile, int gpus, double batch, double factor) {
        assertKnown(profile, gpus, batch, factor, 0.01);
    }

    private static void assertKnown(EnergyProfile profile, int gpus, double batch, double factor, double tolerance) {
        int size = profile.sizeOf(gpus);
        for (int k = 0; k < profile.caps(); k++) {
            double cap = profile.capWatts(k);
            double seconds = seconds(gpus, batch, cap) * factor;
            assertEquals(seconds, profile.seconds(size, k), tolerance * seconds, gpus + " GPUs, " + cap + " W");
            double watts = watts(gpus, batch, cap);
            assertEquals(watts, profile.watts(size, k), tolerance * watts, gpus + " GPUs, " + cap + " W");
        }
    }

    @Test
    void aKnownModelOfOneGpuIsFoundAgainFromThreeCaps() {
        EnergyProfile found = profile(at(1, BATCH), 1, 64);
        assertEquals(2, found.sizes(), "one doubling beyond what was measured");
        double[] caps = new double[found.caps()];
        for (int k = 0; k < caps.length; k++) {
            caps[k] = found.capWatts(k);
        }
        assertArrayEquals(new double[] {200, 250, 300, 350, 400}, caps);
        assertKnown(found, 1, BATCH, 1);
        assertEquals(Confidence.HIGH, found.confidence());
    }

    @Test
    void severalNumbersOfGpusTellTheExchangeAlsoFromFewCaps() {
        List<EnergyPoint> points = new ArrayList<>(at(1, BATCH));
        points.addAll(at(2, BATCH));
        // The scheduler gave it 4 and 8 at one cap each.
        points.add(point(4, BATCH, 240));
        points.add(point(8, BATCH, 400));
        EnergyProfile found = profile(points, 1, 64);
        assertEquals(5, found.sizes());
        assertKnown(found, 1, BATCH, 1);
        assertKnown(found, 2, BATCH, 1);
        // Of one cap each the others are foretold: which part of the time is exchange, these sizes tell but roughly.
        assertKnown(found, 4, BATCH, 1, 0.05);
        assertKnown(found, 8, BATCH, 1, 0.05);
        assertEquals(Confidence.HIGH, found.confidence());
    }

    @Test
    void gpusThatKeepTheirBatchAreComparedOverTheSameSamples() {
        List<EnergyPoint> points = new ArrayList<>(at(1, BATCH));
        points.addAll(at(2, 2 * BATCH));
        points.addAll(at(4, 4 * BATCH));
        EnergyProfile found = profile(points, 1, 64);
        for (int gpus = 1; gpus <= 4; gpus *= 2) {
            // An iteration of four GPUs takes one GPU four of its own.
            assertKnown(found, gpus, (double) gpus * BATCH, 4.0 / gpus);
        }
    }

    @Test
    void noiseLowersTheConfidence() {
        int[] confident = new int[Confidence.values().length];
        for (long seed = 1; seed <= 50; seed++) {
            Random random = new Random(seed);
            List<EnergyPoint> noisy = new ArrayList<>();
            for (int gpus = 1; gpus <= 4; gpus *= 2) {
                for (EnergyPoint p : at(gpus, BATCH)) {
                    double factor = Math.exp(0.25 * random.nextGaussian());
                    noisy.add(new EnergyPoint(
                            p.gpus(), 1, BATCH, p.capWatts(), p.samplesPerSecond() * factor, p.watts(), 5, 0.25, 1));
                }
            }
            confident[profile(noisy, 1, 8).confidence().ordinal()]++;
        }
        // A few look even by chance.
        assertTrue(confident[Confidence.HIGH.ordinal()] <= 2, "high " + confident[Confidence.HIGH.ordinal()]);
        assertTrue(confident[Confidence.LOW.ordinal()] >= 45, "low " + confident[Confidence.LOW.ordinal()]);
    }

    /** ResNet-50, batch 256, on a V100, by Zeus (NSDI'23): see {@link CapCurvesTest}. */
    @Test
    void aRealCardIsForetoldFromThreeOfItsCaps() {
        double[] caps = {100, 125, 150, 175, 200, 225, 250};
        double[] seconds = {6781.2, 5065.0, 4148.7, 3852.2, 3701.0, 3584.3, 3515.0};
        double[] watts = {98.4, 122.0, 144.6, 166.4, 184.9, 205.4, 220.3};
        List<EnergyPoint> points = new ArrayList<>();
        for (int i : new int[] {0, 2, 6}) {
            points.add(new EnergyPoint(1, 1, 256, caps[i], 256 / seconds[i], watts[i], 5, 0.01, 1));
        }
        EnergyProfile found = MeasuredEnergy.of(points, 1, 1, 100, 250, 25).orElseThrow();
        assertEquals(7, found.caps());
        double error = 0;
        for (int i = 0; i < caps.length; i++) {
            double joules = seconds[i] * watts[i];
            error += Math.abs(found.joules(0, i) / joules - 1) / caps.length;
        }
        assertTrue(error < 0.03, "mean error of energy " + error);
    }

    @Test
    void onePointIsAGuessThatDoesNotCallCapsFree() {
        EnergyProfile guess = profile(List.of(point(2, BATCH, LIMIT)), 1, 64);
        assertEquals(Confidence.LOW, guess.confidence());
        int two = guess.sizeOf(2);
        int limit = guess.caps() - 1;
        assertEquals(seconds(2, BATCH, LIMIT), guess.seconds(two, limit), 0.01 * seconds(2, BATCH, LIMIT));
        assertEquals(watts(2, BATCH, LIMIT), guess.watts(two, limit), 0.01 * watts(2, BATCH, LIMIT));
        assertTrue(guess.seconds(two, 0) > 1.1 * guess.seconds(two, limit), "half the power");
        double gain = guess.seconds(two, limit) / guess.seconds(guess.sizeOf(4), limit);
        assertTrue(gain > 1.25 && gain < 1.9, "four are foretold to be faster " + gain + " times");
    }

    @Test
    void higherCapsNeitherSlowNorSave() {
        for (long seed = 1; seed <= 100; seed++) {
            Random random = new Random(seed);
            List<EnergyPoint> points = new ArrayList<>();
            for (int i = 1 + random.nextInt(12); i > 0; i--) {
                int gpus = 1 << random.nextInt(5);
                double cap = 100 + random.nextInt(301);
                points.add(new EnergyPoint(
                        gpus,
                        1 + random.nextInt(gpus),
                        random.nextInt(3) * 64L,
                        cap,
                        1 + 999 * random.nextDouble(),
                        gpus * cap * (0.05 + random.nextDouble()),
                        5,
                        0,
                        1));
            }
            EnergyProfile any = profile(points, 1, 64);
            for (int size = 0; size < any.sizes(); size++) {
                for (int k = 1; k < any.caps(); k++) {
                    assertTrue(any.seconds(size, k) <= any.seconds(size, k - 1), "seed " + seed);
                    assertTrue(any.watts(size, k) >= any.watts(size, k - 1), "seed " + seed);
                }
            }
        }
    }

    @Test
    void whatCannotBeIsLeftOut() {
        List<EnergyPoint> wrong = List.of(
                new EnergyPoint(0, 0, 256, 400, 10, 300, 5, 0, 1),
                new EnergyPoint(1, 1, 256, 400, 0, 300, 5, 0, 1),
                new EnergyPoint(1, 1, 256, 400, Double.NaN, 300, 5, 0, 1),
                new EnergyPoint(1, 1, 256, 400, 10, Double.POSITIVE_INFINITY, 5, 0, 1),
                new EnergyPoint(1, 1, 256, 400, 10, 500, 5, 0, 1),
                new EnergyPoint(1, 1, 256, 0, 10, 300, 5, 0, 1),
                new EnergyPoint(1, 2, 256, 400, 10, 300, 5, 0, 1));
        assertEquals(Optional.empty(), MeasuredEnergy.of(wrong, 1, 8, LEAST, LIMIT, IDLE));
        List<EnergyPoint> some = new ArrayList<>(wrong);
        some.addAll(at(1, BATCH));
        assertKnown(profile(some, 1, 1), 1, BATCH, 1);
    }

    @Test
    void sizesAreWhatTheJobMayHave() {
        EnergyProfile odd = profile(at(4, BATCH), 3, 6);
        assertArrayEquals(new int[] {3, 4}, new int[] {odd.gpus(0), odd.gpus(1)});
        assertEquals(2, odd.sizes());
        assertEquals(
                Optional.empty(),
                MeasuredEnergy.of(at(1, BATCH), 4, 8, LEAST, LIMIT, IDLE),
                "nothing tells of four GPUs");
        assertEquals(Optional.empty(), MeasuredEnergy.of(at(1, BATCH), 1, 8, LEAST, 0, IDLE));
        EnergyProfile small =
                MeasuredEnergy.of(at(1, BATCH), 1, 1, 350, LIMIT, IDLE).orElseThrow();
        assertEquals(350, small.capWatts(0));
        assertNotEquals(0, small.seconds(0, 0));
    }
}
