// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.ProfileRecord;
import java.util.List;
import java.util.function.LongToDoubleFunction;
import org.junit.jupiter.api.Test;

class ProfilerTest {
    private static final ProfileSettings SETTINGS =
            new ProfileSettings(true, 5, 30, 600, 2, 5, 0.03, 1, Long.MAX_VALUE, 0.15, 600);

    private static SyntheticJob job(LongToDoubleFunction speed, long seed, long start, long most) {
        return new SyntheticJob(SETTINGS, speed, 0.08, seed, 2, 16, start, most);
    }

    private static ProfileRecord known(List<ProfileRecord.Point> points, int workers) {
        return new ProfileRecord("earlier", "", "", 0, ProfileRecord.Phase.READY, workers, points, 0);
    }

    @Test
    void tellsSensitiveJobsFromInsensitiveOnesUnderNoise() {
        for (long seed = 1; seed <= 40; seed++) {
            SyntheticJob sensitive = job(v -> 60 * v, seed, 3, 3);
            assertTrue(sensitive.profile(600) < 600, "seed " + seed);
            assertTrue(sensitive.sensitivity() >= 1.5, "seed " + seed + ": " + sensitive.profiler.points());

            SyntheticJob insensitive = job(v -> 180, seed, 3, 3);
            assertTrue(insensitive.profile(600) < 600, "seed " + seed);
            assertTrue(insensitive.sensitivity() <= 1.2, "seed " + seed + ": " + insensitive.profiler.points());
        }
    }

    @Test
    void estimatesAreCloseToTheTruth() {
        for (long seed = 1; seed <= 20; seed++) {
            SyntheticJob saturating = job(v -> Math.min(200, 55 * v), seed, 6, 6);
            saturating.profile(600);
            for (ProfileRecord.Point point : saturating.profiler.points()) {
                double truth = Math.min(200, 55.0 * point.vcores());
                assertEquals(truth, point.samplesPerSecond(), 0.1 * truth, "seed " + seed + ": " + point);
            }
        }
    }

    @Test
    void insensitiveJobNeedsFewSteps() {
        SyntheticJob flat = job(v -> 500, 7, 24, 48);
        flat.profile(600);
        // 24, 12, 6, 3, 1: the halving of Synergy's profiler, with nothing tried above. One is all that it can use.
        assertEquals(List.of(12L, 6L, 3L, 1L), flat.sizes);
        assertEquals(1, flat.vcores());
        SyntheticJob odd = job(v -> 500, 7, 7, 48);
        odd.profile(600);
        assertEquals(List.of(3L, 1L), odd.sizes);
    }

    @Test
    void sensitiveJobWithManyCoresTakesQuarterSteps() {
        SyntheticJob steep = job(v -> 20 * v, 8, 24, 24);
        steep.profile(600);
        assertEquals(List.of(12L, 6L, 1L, 24L), steep.sizes);
    }

    @Test
    void nothingBelowWhatTheJobCanLiveWithIsTried() {
        ProfileSettings careful = new ProfileSettings(true, 5, 30, 600, 2, 5, 0.03, 5, 100, 0.15, 600);
        SyntheticJob flat = new SyntheticJob(careful, v -> 500, 0.08, 18, 2, 16, 24, 48);
        flat.profile(600);
        assertEquals(List.of(12L, 6L, 5L), flat.sizes);
        SyntheticJob atItsLeast = new SyntheticJob(careful, v -> 30 * v, 0.08, 19, 2, 16, 5, 8);
        atItsLeast.profile(600);
        assertEquals(List.of(8L), atItsLeast.sizes);
    }

    @Test
    void goesUpWhileItIsGrantedAndHelps() {
        SyntheticJob job = job(v -> Math.min(8, v) * 30, 9, 4, 100);
        job.profile(600);
        // 6 and 9 help, 14 does not: 8 cores are all it can use, which only a measurement there can tell.
        assertEquals(List.of(2L, 1L, 6L, 9L, 14L, 8L), job.sizes);
        assertTrue(job.speedAt(14) < job.speedAt(9) * 1.1);
    }

    @Test
    void whatItHasGrownToIsTakenBackByNobodyButTheSchedulerWhoKnowsItsProfile() {
        // 6 and 9 help, 14 is not to be had.
        SyntheticJob job = job(v -> 30 * v, 20, 4, 13);
        assertTrue(job.profile(600) < 600);
        assertEquals(List.of(2L, 1L, 6L, 9L), job.sizes);
        assertEquals(9, job.vcores());
        assertTrue(job.profiler.wanted().isEmpty());
        job.run(60);
        assertEquals(9, job.vcores());
    }

    @Test
    void whatWouldHoldItBackIsMendedBeforeItIsReady() {
        // 4 to 12 leave open where it bends: what is measured last is less than the start.
        SyntheticJob job = job(v -> Math.min(8, v) * 30, 21, 12, 12);
        assertTrue(job.profile(600) < 600);
        long last = job.sizes.get(job.sizes.size() - 1);
        assertEquals(last, job.vcores());
        assertTrue(job.speedAt(last) > 0.9 * 240, job.sizes.toString());
    }

    /** @param slowly how many steps at the size are as slow as with one vcore */
    private static LongToDoubleFunction disturbedAt(long size, int slowly) {
        int[] steps = {0};
        return vcores -> 30 * (vcores == size && steps[0]++ < slowly ? 1 : vcores);
    }

    @Test
    void aSizeThatSomethingSlowsIsMeasuredAgain() {
        for (long seed = 1; seed <= 20; seed++) {
            SyntheticJob above = job(disturbedAt(6, 18), seed, 4, 6);
            assertTrue(above.profile(600) < 600);
            assertEquals(180, above.speedAt(6), 18, "seed " + seed + ": " + above.profiler.points());
            assertEquals(6, above.vcores());

            SyntheticJob atItsStart = job(disturbedAt(4, 18), seed, 4, 4);
            assertTrue(atItsStart.profile(600) < 600);
            assertEquals(120, atItsStart.speedAt(4), 12, "seed " + seed + ": " + atItsStart.profiler.points());
            assertEquals(4, atItsStart.vcores());
        }
    }

    @Test
    void aSizeThatIsSlowerTwiceIsBelieved() {
        SyntheticJob job = job(v -> v > 4 ? 60 : 30 * v, 22, 4, 6);
        assertTrue(job.profile(600) < 600);
        assertEquals(60, job.speedAt(6), 6);
    }

    @Test
    void anIncreaseThatIsNotGrantedIsGivenUp() {
        SyntheticJob job = job(v -> 30 * v, 10, 4, 4);
        assertTrue(job.profile(600) < 600);
        assertEquals(
                List.of(1L, 2L, 4L),
                job.profiler.points().stream().map(ProfileRecord.Point::vcores).toList());
        assertEquals(4, job.vcores());
    }

    @Test
    void nothingAboveTheLargestContainerIsAskedFor() {
        ProfileSettings limited = new ProfileSettings(true, 5, 30, 600, 2, 5, 0.03, 1, 5, 0.15, 600);
        SyntheticJob job = new SyntheticJob(limited, v -> 30 * v, 0.05, 11, 1, 16, 4, 100);
        job.profile(600);
        assertEquals(List.of(2L, 1L, 5L), job.sizes);
    }

    @Test
    void oneVcoreIsOnlyMeasuredAndTriedAbove() {
        SyntheticJob job = job(v -> 30 * v, 12, 1, 2);
        job.profile(600);
        assertEquals(List.of(2L), job.sizes);
    }

    @Test
    void workersThatReportNothingAreNotProfiledForEver() {
        Profiler profiler = new Profiler(new ProfileSettings(true, 5, 30, 60, 2, 5, 0.03, 1, 100, 0.15, 600));
        double now = 0;
        while (profiler.phase() == ProfileRecord.Phase.PROFILING && now < 100) {
            now += 0.25;
            profiler.observe(new Observation(
                    now, true, 1, new Conditions(4, 1024, 0, false), 4, true, true, List.of(new SampleSeries())));
        }
        assertEquals(60, now, 1);
        assertTrue(profiler.points().isEmpty());
    }

    @Test
    void knownProfileSkipsTheSteps() {
        SyntheticJob job = job(v -> 30 * v, 13, 4, 4);
        job.profiler.skip(known(List.of(new ProfileRecord.Point(4, 1024, 120, 10)), 2));
        assertEquals(ProfileRecord.Phase.READY, job.profiler.phase());
        assertTrue(job.profiler.takeChanged());
        job.run(5);
        assertTrue(job.sizes.isEmpty());
    }

    @Test
    void sizesThatTheSchedulerGivesLaterRefineTheProfile() {
        SyntheticJob job = job(v -> Math.min(8, v) * 30, 14, 4, 4);
        job.profile(600);
        job.profiler.takeChanged();
        job.resize(8);
        job.run(60);
        assertTrue(job.profiler.takeChanged());
        assertEquals(240, job.speedAt(8), 24);
    }

    @Test
    void pointsThatHardlyChangeAreNewsOnlyAsTheyAreMeasuredTwiceAsOften() {
        SyntheticJob job = new SyntheticJob(SETTINGS, v -> 30 * v, 0.01, 15, 1, 16, 4, 4);
        job.profile(600);
        job.profiler.takeChanged();
        int news = 0;
        for (int i = 0; i < 400; i++) {
            job.run(5);
            news += job.profiler.takeChanged() ? 1 : 0;
        }
        // 2,000 s are at most 200 windows of 10 s: 2, 4, … 128.
        assertTrue(news <= 7, "news: " + news);
        long count = job.profiler.points().stream()
                .mapToLong(ProfileRecord.Point::count)
                .max()
                .orElseThrow();
        assertTrue(count > 100, "measured " + count + " times");
    }

    @Test
    void profilingThatTookTooLongEndsAtTheFirstSize() {
        ProfileSettings hasty = new ProfileSettings(true, 5, 30, 12, 2, 5, 0.03, 1, 100, 0.15, 600);
        SyntheticJob job = new SyntheticJob(hasty, v -> 30 * v, 0.05, 16, 1, 16, 8, 8);
        assertTrue(job.profile(100) < 20);
        job.run(2);
        assertEquals(8, job.vcores());
    }

    @Test
    void profilingThatTookTooLongAtALargerSizeEndsThere() {
        ProfileSettings hasty = new ProfileSettings(true, 5, 30, 31, 2, 5, 0.03, 4, 100, 0.15, 600);
        SyntheticJob job = new SyntheticJob(hasty, v -> 30 * v, 0.05, 16, 1, 16, 4, 100);
        assertTrue(job.profile(100) < 40);
        assertTrue(job.vcores() > 4, job.sizes.toString());
    }

    private static ProfileRecord begun(List<ProfileRecord.Point> points) {
        return new ProfileRecord("a", "", "", 0, ProfileRecord.Phase.PROFILING, 2, points, 0);
    }

    @Test
    void interruptedProfilingContinuesWithTheSizesThatAreNotMeasured() {
        SyntheticJob job = job(v -> 500, 17, 24, 48);
        job.profiler.resume(
                begun(List.of(new ProfileRecord.Point(24, 0, 500, 5), new ProfileRecord.Point(12, 0, 500, 5))));
        job.profile(600);
        assertEquals(List.of(6L, 3L, 1L), job.sizes);
        assertEquals(ProfileRecord.Phase.READY, job.profiler.phase());
        assertTrue(job.profiler.isComplete());
    }

    @Test
    void interruptedProfilingThatHadMeasuredAllIsReady() {
        SyntheticJob job = job(v -> 30 * v, 17, 4, 4);
        job.profiler.resume(begun(List.of(
                new ProfileRecord.Point(4, 0, 120, 5),
                new ProfileRecord.Point(2, 0, 60, 5),
                new ProfileRecord.Point(1, 0, 30, 5))));
        job.profile(600);
        assertEquals(ProfileRecord.Phase.READY, job.profiler.phase());
        assertEquals(4, job.vcores());
        assertEquals(3, job.profiler.points().size());
    }

    @Test
    void aResizeThatIsLostWithTheResourceManagerIsWaitedForAgain() {
        SyntheticJob job = job(v -> 500, 7, 24, 48);
        while (job.sizes.isEmpty()) {
            job.run(0.25);
        }
        // Longer than any resize is waited for, and than profiling may take in all.
        job.loseResourceManager(700);
        job.profile(600);
        assertEquals(List.of(12L, 12L, 6L, 3L, 1L), job.sizes);
        assertEquals(5, job.profiler.points().size());
        assertTrue(job.profiler.isComplete());
    }

    @Test
    void aDecreaseThatComesLateIsWaitedFor() {
        SyntheticJob job = job(v -> 500, 7, 24, 48);
        job.resizesTake(100);
        job.profile(600);
        assertEquals(List.of(12L, 6L, 3L, 1L), job.sizes);
        assertEquals(5, job.profiler.points().size());
        assertTrue(job.profiler.isComplete());
    }

    @Test
    void aProfileThatWasCutOffAfterItsFirstSizeIsNotComplete() {
        ProfileSettings hasty = new ProfileSettings(true, 5, 30, 12, 2, 5, 0.03, 1, 100, 0.15, 600);
        SyntheticJob job = new SyntheticJob(hasty, v -> 30 * v, 0.05, 16, 1, 16, 8, 8);
        job.profile(100);
        assertEquals(1, job.profiler.points().size());
        assertFalse(job.profiler.isComplete());
        // The scheduler gives another size later: two tell how the speed depends on it.
        job.resize(4);
        job.run(60);
        assertTrue(job.profiler.isComplete());
    }

    private static SyntheticJob startingAtItsLeast(long maxVcores) {
        ProfileSettings settings = new ProfileSettings(true, 5, 30, 600, 2, 5, 0.03, 4, maxVcores, 0.15, 600);
        return new SyntheticJob(settings, v -> 30 * v, 0.05, 12, 1, 16, 4, 4);
    }

    @Test
    void aProfileOfAJobThatHasOneSizeOnlyIsComplete() {
        SyntheticJob job = startingAtItsLeast(4);
        job.profile(600);
        assertEquals(1, job.profiler.points().size());
        assertTrue(job.profiler.isComplete());
        Profiler next = new Profiler(SETTINGS);
        next.resume(known(job.profiler.points(), 1));
        assertTrue(next.isComplete(), "also for the next ApplicationMaster");
    }

    /** Its neighbours hold the rest: another job of its kind, on an empty cluster, would be taken to need no more. */
    @Test
    void aProfileOfAJobThatIsGrantedNoMoreThanItsLeastIsNotComplete() {
        SyntheticJob job = startingAtItsLeast(100);
        assertFalse(job.profiler.isComplete(), "nothing is measured");
        assertTrue(job.profile(600) < 600);
        assertEquals(1, job.profiler.points().size());
        assertFalse(job.profiler.isComplete());
        Profiler next = new Profiler(SETTINGS);
        next.resume(known(job.profiler.points(), 1).withComplete(false));
        assertFalse(next.isComplete(), "nor for the next ApplicationMaster");
        job.resize(8);
        job.run(60);
        assertTrue(job.profiler.isComplete());
    }

    @Test
    void ofAJobThatIsNotSteppedThroughOneSizeIsAllThereIsToKnow() {
        ProfileSettings off = new ProfileSettings(false, 5, 30, 600, 2, 5, 0.03, 4, 100, 0.15, 600);
        SyntheticJob job = new SyntheticJob(off, v -> 30 * v, 0.05, 12, 1, 16, 4, 4);
        job.run(60);
        assertEquals(1, job.profiler.points().size());
        assertTrue(job.profiler.isComplete());
    }
}
