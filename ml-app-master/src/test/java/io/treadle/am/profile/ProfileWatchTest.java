// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.ProfileRecord;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProfileWatchTest {
    private static final ProfileSettings SETTINGS =
            new ProfileSettings(true, 2, 30, 600, 2, 5, 0.02, 1, 100, 0.15, 600);
    private static final int SEEDS = 200;

    /** A profile of 25 samples/s a vcore up to 4, itself measured with the error. */
    private static ProfilePoints profile(Random random, double error) {
        ProfilePoints points = new ProfilePoints();
        for (long vcores : new long[] {1, 2, 4}) {
            points.add(with(vcores), measured(25.0 * vcores, error, random));
        }
        return points;
    }

    private static RateEstimate measured(double truth, double error, Random random) {
        return new RateEstimate(truth * (1 + error * random.nextGaussian()), error, 10, 50, 7);
    }

    /** Windows until the drift is found, at most {@code most}. */
    private static int windows(long seed, double error, double factor, int most, long... sizes) {
        Random random = new Random(seed);
        ProfileWatch watch = new ProfileWatch(profile(random, error), 0.15);
        for (int i = 1; i <= most; i++) {
            long vcores = sizes[random.nextInt(sizes.length)];
            watch.add(with(vcores), measured(25.0 * Math.min(4, vcores) * factor, error, random));
            if (watch.hasDrifted()) {
                return i;
            }
        }
        return most + 1;
    }

    /** 1,000 windows are three hours of a steady job. */
    @ParameterizedTest
    @CsvSource({"0.005", "0.02", "0.05", "0.1"})
    void steadyJobsRaiseNoAlarm(double error) {
        int alarms = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            alarms += windows(seed, error, 1, 1000, 1, 2, 3, 4, 5) <= 1000 ? 1 : 0;
        }
        assertTrue(alarms <= SEEDS / 100, "error " + error + ": " + alarms + " alarms in seeds 1 to " + SEEDS);
    }

    @ParameterizedTest
    @CsvSource({
        "0.02, 1.3, 6, 1",
        "0.02, 0.7, 6, 1",
        "0.02, 2, 6, 1",
        "0.02, 0.5, 6, 1",
        // A profile that is itself two standard errors too high has little to object to.
        "0.05, 1.3, 40, 3",
        "0.05, 0.7, 40, 1"
    })
    void aDriftIsFoundSoon(double error, double factor, int most, int latePercent) {
        int late = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            late += windows(seed, error, factor, most, 1, 2, 4) > most ? 1 : 0;
        }
        assertTrue(
                100 * late <= latePercent * SEEDS,
                "error " + error + ", factor " + factor + ": " + late + " of seeds 1 to " + SEEDS + " took more than "
                        + most + " windows");
    }

    @Test
    void atLeastFourWindowsMakeADrift() {
        ProfilePoints points = new ProfilePoints();
        points.add(with(4), new RateEstimate(100, 0.005, 10, 50, 7));
        ProfileWatch watch = new ProfileWatch(points, 0.15);
        for (int i = 1; i <= 3; i++) {
            watch.add(with(4), new RateEstimate(10, 0.005, 10, 50, 7));
            assertFalse(watch.hasDrifted(), "at most 3 standard errors a window, 10 are needed");
        }
        assertEquals(1, points.list().get(0).count(), "what may be a drift does not move the profile");
        watch.add(with(4), new RateEstimate(10, 0.005, 10, 50, 7));
        assertTrue(watch.hasDrifted());
    }

    @Test
    void aPauseIsNoDriftAndComesIntoTheProfileByItsWeight() {
        ProfilePoints points = new ProfilePoints();
        points.add(with(4), new RateEstimate(100, 0.02, 10, 50, 7));
        ProfileWatch watch = new ProfileWatch(points, 0.15);
        watch.add(with(4), new RateEstimate(50, 0.5, 10, 50, 7));
        for (int i = 0; i < 50; i++) {
            watch.add(with(4), new RateEstimate(100, 0.02, 10, 50, 7));
            assertFalse(watch.hasDrifted());
        }
        assertEquals(52, points.list().get(0).count());
        assertEquals(100, points.list().get(0).samplesPerSecond(), 0.1);
    }

    @Test
    void sizesBetweenMeasuredOnesContradictOnlyOutsideTheirSpeeds() {
        ProfilePoints points = new ProfilePoints();
        points.add(with(2), new RateEstimate(50, 0.01, 10, 50, 7));
        points.add(with(8), new RateEstimate(100, 0.02, 10, 50, 7));
        ProfilePoints.Expected between = points.expectedAt(with(4)).orElseThrow();
        assertEquals(0, between.differenceOf(60));
        assertEquals(0.2, between.differenceOf(120), 1e-12);
        assertEquals(-0.2, between.differenceOf(40), 1e-12);
        assertEquals(0.02, between.error());
        assertEquals(0, points.expectedAt(with(1)).orElseThrow().differenceOf(1));
        assertEquals(-0.1, points.expectedAt(with(16)).orElseThrow().differenceOf(90), 1e-12);
    }

    private static SyntheticJob ready(long seed) {
        SyntheticJob job = new SyntheticJob(SETTINGS, v -> 30 * v, 0.08, seed, 2, 16, 4, 4);
        job.profile(600);
        return job;
    }

    @Test
    void aJobThatChangesIsProfiledAgain() {
        for (long seed = 1; seed <= 20; seed++) {
            SyntheticJob job = ready(seed);
            job.run(650);
            assertEquals(ProfileRecord.Phase.READY, job.profiler.phase(), "seed " + seed);
            double errorThen = job.profiler.points().get(2).error();
            assertTrue(errorThen < 0.01, "seed " + seed + ": surer with time, " + job.profiler.points());
            job.becomes(v -> 40 + 5 * v);
            job.run(200);
            job.profile(600);
            assertEquals(4, job.vcores(), "seed " + seed);
            for (ProfileRecord.Point point : job.profiler.points()) {
                double truth = 40 + 5.0 * point.vcores();
                assertEquals(truth, point.samplesPerSecond(), 0.1 * truth, "seed " + seed + ": " + point);
            }
            assertTrue(job.profiler.points().size() >= 2, "seed " + seed + ": " + job.profiler.points());
        }
    }

    @Test
    void notSoonerThanTheIntervalAllows() {
        SyntheticJob job = ready(3);
        job.becomes(v -> 10 * v);
        job.run(500);
        assertEquals(ProfileRecord.Phase.READY, job.profiler.phase());
        job.run(110);
        assertEquals(ProfileRecord.Phase.PROFILING, job.profiler.phase());
    }

    @Test
    void aKnownProfileThatIsWrongIsReplaced() {
        SyntheticJob job = new SyntheticJob(SETTINGS, v -> 30 * v, 0.05, 5, 2, 16, 4, 4);
        job.profiler.skip(new ProfileRecord(
                "earlier",
                "",
                "",
                0,
                ProfileRecord.Phase.READY,
                2,
                List.of(new ProfileRecord.Point(4, 0, 300, 60, 0.01, 9)),
                0,
                7,
                java.util.Optional.empty()));
        assertEquals(8, job.profiler.jobs());
        job.run(90);
        job.profile(600);
        assertEquals(1, job.profiler.jobs());
        assertEquals(120, job.speedAt(4), 12);
    }

    @Test
    void aKnownProfileOfMoreWorkersIsScaled() {
        SyntheticJob job = new SyntheticJob(SETTINGS, v -> 30 * v, 0.05, 6, 2, 16, 4, 4);
        job.profiler.skip(new ProfileRecord(
                "earlier",
                "",
                "",
                0,
                ProfileRecord.Phase.READY,
                4,
                List.of(new ProfileRecord.Point(1, 0, 60, 9), new ProfileRecord.Point(4, 0, 240, 60, 0.01, 9)),
                0));
        job.run(300);
        assertEquals(ProfileRecord.Phase.READY, job.profiler.phase());
        assertTrue(job.sizes.isEmpty());
        assertEquals(30, job.speedAt(1), 2);
        assertEquals(0, job.profiler.points().get(0).count(), "not measured with two workers");
        assertEquals(120, job.speedAt(4), 6);
    }

    @Test
    void workersThatSlowEachOtherAreNoDrift() {
        ProfilePoints points = new ProfilePoints();
        points.add(with(1), new RateEstimate(400, 0.01, 10, 50, 7));
        points.add(with(2), new RateEstimate(440, 0.01, 10, 50, 7));
        points.rescale(2);
        ProfileWatch watch = new ProfileWatch(points, 0.15);
        assertTrue(watch.add(with(2), new RateEstimate(660, 0.01, 10, 50, 7)), "it is news, not held back");
        assertFalse(watch.hasDrifted());
        assertEquals(660, points.speedAt(2).orElseThrow(), 1e-9);
        assertEquals(
                600, points.speedAt(1).orElseThrow(), 1e-9, "where the guess was off by a quarter there, it is here");
        assertEquals(1, points.list().stream().filter(p -> p.count() > 0).count());
    }

    /** A worker that follows its container's size late is measured there at the speed of the size before. */
    @Test
    void aLargerSizeThatIsSlowerIsForgottenOnceAndThenBelieved() {
        ProfilePoints points = new ProfilePoints();
        points.add(with(2), new RateEstimate(50, 0.01, 10, 50, 7));
        points.add(with(3), new RateEstimate(75, 0.01, 10, 50, 7));
        ProfileWatch watch = new ProfileWatch(points, 0.15);
        for (int i = 0; i < 3; i++) {
            watch.add(with(5), new RateEstimate(50, 0.01, 10, 50, 7));
        }
        assertTrue(points.speedAt(5).isEmpty(), "held back or forgotten");
        for (int i = 0; i < 50; i++) {
            assertFalse(watch.hasDrifted());
            watch.add(with(3), new RateEstimate(75, 0.01, 10, 50, 7));
        }
        assertTrue(points.speedAt(5).isEmpty(), points.list()::toString);
        points.add(with(5), new RateEstimate(60, 0.01, 10, 50, 7));
        assertFalse(points.forgetDisturbed(with(5)), "it is as slow again");
        assertEquals(60, points.speedAt(5).orElseThrow());
    }

    @Test
    void whatMayBeNoiseOrAnotherCacheIsNotForgotten() {
        ProfilePoints points = new ProfilePoints();
        points.add(with(2), new RateEstimate(100, 0.01, 10, 50, 7));
        points.add(with(4), new RateEstimate(91, 0.01, 10, 50, 7));
        points.add(with(8), new RateEstimate(80, 0.1, 10, 50, 7));
        assertFalse(points.forgetDisturbed(with(8)));
        Conditions muchCached = new Conditions(2, 4096, 0, true);
        Conditions littleCached = new Conditions(4, 1024, 0, true);
        ProfilePoints reading = new ProfilePoints();
        reading.add(muchCached, new RateEstimate(100, 0.01, 10, 50, 7));
        reading.add(littleCached, new RateEstimate(50, 0.01, 10, 50, 7));
        assertFalse(reading.forgetDisturbed(littleCached));
        reading.add(new Conditions(8, 4096, 0, true), new RateEstimate(50, 0.01, 10, 50, 7));
        assertTrue(reading.forgetDisturbed(littleCached));
    }

    @Test
    void whatWasForgottenIsMeasuredNext() {
        ProfilePoints points = new ProfilePoints();
        points.add(with(1), new RateEstimate(100, 0.02, 10, 50, 7));
        points.add(with(2), new RateEstimate(200, 0.02, 10, 50, 7));
        points.add(with(5), new RateEstimate(260, 0.02, 10, 50, 7));
        assertEquals(OptionalLong.of(3), points.open());
        points.add(with(3), new RateEstimate(300, 0.02, 10, 50, 7));
        assertTrue(points.forgetDisturbed(with(3)));
        assertEquals(OptionalLong.of(5), points.open());
        points.add(with(5), new RateEstimate(500, 0.02, 10, 50, 7));
        assertTrue(points.open().isEmpty());
    }

    @Test
    void aForgottenPointHoldsNoWindowsBack() {
        ProfilePoints points = new ProfilePoints();
        points.add(with(3), new RateEstimate(75, 0.01, 10, 50, 7));
        points.add(with(5), new RateEstimate(50, 0.01, 10, 50, 7));
        ProfileWatch watch = new ProfileWatch(points, 0.15);
        watch.add(with(5), new RateEstimate(125, 0.01, 10, 50, 7));
        for (int i = 0; i < 2; i++) {
            watch.add(with(5), new RateEstimate(125, 0.01, 10, 50, 7));
        }
        assertEquals(125, points.speedAt(5).orElseThrow(), 1e-9);
        assertFalse(watch.hasDrifted());
    }

    @Test
    void onlyMeasurementsContradictEachOther() {
        ProfilePoints points = new ProfilePoints();
        points.add(with(8), new RateEstimate(400, 0.01, 10, 50, 7));
        points.rescale(2);
        points.add(with(12), new RateEstimate(600, 0.01, 10, 50, 7));
        assertFalse(points.forgetDisturbed(with(12)), "800 is a guess");
        ProfilePoints reading = new ProfilePoints();
        reading.add(new Conditions(4, 4096, 0, true), new RateEstimate(180, 0.01, 10, 50, 7));
        reading.add(new Conditions(8, 512, 0, true), new RateEstimate(100, 0.01, 10, 50, 7));
        reading.forgetMemory();
        assertFalse(reading.forgetDisturbed(new Conditions(8, 512, 0, true)), "nobody knows their caches any more");
    }

    private static Conditions with(long vcores) {
        return new Conditions(vcores, 0, 0, false);
    }
}
