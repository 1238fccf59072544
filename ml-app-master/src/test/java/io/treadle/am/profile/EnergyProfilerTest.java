// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.EnergyPoint;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Jobs whose speed and draw under each cap are known, on a clock of their own. */
class EnergyProfilerTest {
    private static final double LIMIT = 400;
    private static final double TICK = 0.25;
    private static final long OWN_BATCH = 64;

    /** Two workers, or one, with a GPU each; speed goes with the square root of the cap, draw is three quarters of it. */
    private static final class Job {
        final EnergyProfiler profiler;
        final List<Double> wanted = new ArrayList<>();
        final List<Long> batches = new ArrayList<>();
        private final Random random = new Random(1);
        private final List<SampleSeries> samples = List.of(new SampleSeries(), new SampleSeries());
        private final List<EnergySeries> energy = List.of(new EnergySeries(), new EnergySeries());
        private final double[] done = new double[2];
        private final double[] joules = new double[2];
        double now = 1000;
        double cap = LIMIT;
        double secondsToCap = 3;
        boolean metered = true;
        boolean running = true;
        boolean samplesAreTold = true;
        double noise;
        double least = 100;
        int gpus = 2;
        int workers = 2;
        /** Samples of a worker's pass. */
        long batch = OWN_BATCH;

        long passes;
        /** The largest other batch that fits. */
        long mostBatch = OWN_BATCH;

        double secondsToBatch = 2;
        private long askedBatch;
        private double askedBatchSeconds;
        private double asked = LIMIT;
        private double askedSeconds;

        Job(boolean enabled) {
            this(enabled, 600);
        }

        Job(boolean enabled, double maxSeconds) {
            profiler = new EnergyProfiler(new EnergySettings(enabled, 5, maxSeconds, 8));
        }

        /** One worker on a GPU that takes other batches. */
        static Job alone(double maxSeconds) {
            Job job = new Job(true, maxSeconds);
            job.workers = 1;
            job.gpus = 1;
            job.passes = 1;
            return job;
        }

        static double speed(double capWatts) {
            return 200 * Math.sqrt(capWatts / LIMIT);
        }

        /** A pass takes as long as 16 samples, and its own. */
        static double gain(long batch) {
            return (1 + 16.0 / OWN_BATCH) / (1 + 16.0 / batch);
        }

        private BatchAnswer takeBatch() {
            long want = profiler.wantedBatchSize().orElse(askedBatch);
            if (want != askedBatch) {
                askedBatch = want;
                askedBatchSeconds = now;
                batches.add(want);
            }
            if (askedBatch > mostBatch) {
                return BatchAnswer.REFUSED;
            }
            if (now - askedBatchSeconds < secondsToBatch) {
                return now - askedBatchSeconds > 30 ? BatchAnswer.IGNORED : BatchAnswer.AWAITED;
            }
            batch = askedBatch == 0 ? OWN_BATCH : askedBatch;
            return BatchAnswer.OBEYED;
        }

        /** Until it is measured; returns the seconds that it took. */
        double measure(double patienceSeconds) {
            double begun = now;
            while (profiler.isMeasuring() && now - begun < patienceSeconds) {
                tick(true);
            }
            return now - begun;
        }

        void run(double seconds) {
            for (double end = now + seconds; now < end; ) {
                tick(true);
            }
        }

        void tick(boolean speedIsKnown) {
            now += TICK;
            for (int i = 0; i < workers && running; i++) {
                done[i] += speed(cap) * gain(batch) / workers * TICK * Math.max(0, 1 + noise * random.nextGaussian());
                joules[i] += 0.75 * cap * TICK;
                if (samplesAreTold) {
                    samples.get(i).add(now, Math.floor(done[i]));
                }
                if (Math.round(now / TICK) % 8 == i) {
                    energy.get(i).add(now, joules[i]);
                }
            }
            OptionalDouble want = profiler.wantedCapWatts();
            double next = want.isPresent() ? (want.getAsDouble() > 0 ? want.getAsDouble() : LIMIT) : asked;
            if (next != asked) {
                asked = next;
                askedSeconds = now;
                wanted.add(next);
            }
            cap = now - askedSeconds >= secondsToCap ? asked : cap;
            profiler.observe(
                    new EnergyObservation(
                            now,
                            running,
                            1,
                            4,
                            next == LIMIT,
                            metered ? gpus : 0,
                            1,
                            workers,
                            workers * batch,
                            passes == 0 ? 0 : (OWN_BATCH + batch - 1) / batch,
                            takeBatch(),
                            cap,
                            cap,
                            least,
                            LIMIT,
                            samples.subList(0, workers),
                            energy.subList(0, workers)),
                    speedIsKnown);
        }
    }

    private static void assertPoint(EnergyPoint point, double capWatts) {
        assertEquals(capWatts, point.capWatts());
        assertEquals(Job.speed(capWatts), point.samplesPerSecond(), 0.02 * Job.speed(capWatts));
        assertEquals(2 * 0.75 * capWatts, point.watts(), 0.01 * capWatts);
        assertEquals(2, point.gpus());
        assertEquals(128, point.batch());
    }

    @Test
    void threeCapsFromNoneDownAndBack() {
        Job job = new Job(true);
        double seconds = job.measure(300);
        assertEquals(List.of(240.0, 160.0, LIMIT), job.wanted);
        List<EnergyPoint> points = job.profiler.points();
        assertEquals(3, points.size());
        assertPoint(points.get(0), LIMIT);
        assertPoint(points.get(1), 240);
        assertPoint(points.get(2), 160);
        // Each 2 s to settle and 5 s, two caps that come into force after 3 s, then back.
        assertTrue(seconds > 25 && seconds < 45, "took " + seconds + " s");
        assertEquals(LIMIT, job.asked);
        assertEquals(OptionalDouble.empty(), job.profiler.wantedCapWatts());
        assertTrue(job.profiler.takeChanged());
    }

    /** One GPU of up to eight: of 64 samples 64, 32, 16 and 8 for each of 1, 2, 4 and 8. */
    @Test
    void otherBatchesAtEachCapAndBackToTheOwn() {
        Job job = Job.alone(600);
        double seconds = job.measure(600);
        assertEquals(List.of(240.0, 160.0, LIMIT), job.wanted);
        assertEquals(List.of(32L, 16L, 8L, 16L, 32L, 0L, 32L, 16L, 8L, 0L), job.batches);
        assertEquals(12, job.profiler.points().size());
        for (EnergyPoint p : job.profiler.points()) {
            double speed = Job.speed(p.capWatts()) * Job.gain(p.batch());
            assertEquals(speed, p.samplesPerSecond(), 0.02 * speed);
            assertEquals(OWN_BATCH, p.batch() * p.passes());
        }
        assertEquals(OWN_BATCH, job.batch);
        // Each 2 s to settle and 5 s, batches in force after 2 s, caps after 3 s.
        assertTrue(seconds > 100 && seconds < 140, "took " + seconds + " s");
        assertEquals("", job.profiler.describe());
        Job next = Job.alone(600);
        next.profiler.know(job.profiler.points());
        assertEquals(TICK, next.measure(300), "all is known");
        Job old = Job.alone(600);
        old.profiler.know(
                job.profiler.points().stream().filter(p -> p.passes() == 1).toList());
        old.measure(600);
        assertEquals(12, old.profiler.points().size());
        assertEquals(1, old.profiler.points().get(0).count(), "what an earlier job has measured is not measured again");
    }

    @Test
    void severalWorkersKeepTheirBatch() {
        Job job = new Job(true);
        job.passes = 1;
        job.measure(600);
        assertEquals(List.of(), job.batches);
        assertEquals(3, job.profiler.points().size());
        assertEquals("", job.profiler.describe());
    }

    @Test
    void batchesThatDoNotFitOrAreIgnoredAreLeftOut() {
        Job small = Job.alone(600);
        small.mostBatch = 20;
        small.measure(600);
        assertEquals(9, small.profiler.points().size(), "all but 32");
        assertEquals(
                "energy of other batch sizes is not known: 32 samples per GPU and pass do not fit",
                small.profiler.describe());
        Job deaf = Job.alone(600);
        deaf.secondsToBatch = 1e9;
        double seconds = deaf.measure(600);
        assertTrue(seconds < 120, "took " + seconds + " s");
        assertEquals(3, deaf.profiler.points().size());
        assertTrue(deaf.profiler.describe().contains("32 samples per GPU and pass were asked for"));
    }

    @Test
    void whatIsKnownWhenTheTimeIsOverStays() {
        Job job = Job.alone(40);
        double seconds = job.measure(600);
        assertTrue(seconds < 50, "took " + seconds + " s");
        int known = job.profiler.points().size();
        assertTrue(known >= 3 && known <= 5, "known " + known);
        assertEquals(
                "energy is known at " + known + " of 12 settings of cap and batch: it was to take 40 seconds at most",
                job.profiler.describe());
        assertEquals(OWN_BATCH, job.batch);
        assertEquals(LIMIT, job.asked);
    }

    /** Else the cap would stay where nothing is left to be measured at the new number. */
    @Test
    void withOtherGpusCapAndBatchAreTakenBackFirst() {
        Job job = Job.alone(600);
        for (double end = job.now + 300; job.cap == LIMIT; ) {
            assertTrue(job.now < end, "no cap was tried");
            job.tick(true);
        }
        job.gpus = 2;
        job.measure(600);
        assertEquals(OptionalDouble.empty(), job.profiler.wantedCapWatts());
        assertEquals(LIMIT, job.asked);
        assertEquals(OWN_BATCH, job.batch);
    }

    /** Loading and warming up they have not told their batch: what is known could not be told from what is not. */
    @Test
    void nothingIsPlannedBeforeWorkersTrain() {
        Job first = new Job(true);
        first.measure(300);
        Job job = new Job(true);
        job.profiler.know(first.profiler.points());
        job.batch = 0;
        job.samplesAreTold = false;
        job.run(20);
        assertTrue(job.profiler.isMeasuring() && job.wanted.isEmpty());
        job.batch = OWN_BATCH;
        job.samplesAreTold = true;
        assertTrue(job.measure(300) <= 1, "all is known");
        Job silent = new Job(true);
        silent.samplesAreTold = false;
        assertEquals(EnergyProfiler.SILENT_SECONDS, silent.measure(600), 1);
    }

    @Test
    void nothingBeginsBeforeTheSpeedIsKnown() {
        Job job = new Job(true);
        for (int i = 0; i < 400; i++) {
            job.tick(false);
        }
        assertTrue(job.wanted.isEmpty()
                && job.profiler.isMeasuring()
                && job.profiler.points().isEmpty());
    }

    @Test
    void capsBelowTheLeastOfTheDeviceAreNotAskedFor() {
        Job job = new Job(true);
        job.least = 236;
        job.measure(300);
        assertEquals(List.of(240.0, LIMIT), job.wanted, "236 W are too near to 240 W");
    }

    @Test
    void capThatIsNeverInForceEndsTheMeasurementWithANote() {
        Job job = new Job(true);
        job.secondsToCap = 1e9;
        double seconds = job.measure(300);
        assertTrue(seconds > 45 && seconds < 60, "took " + seconds + " s");
        assertEquals(1, job.profiler.points().size());
        assertPoint(job.profiler.points().get(0), LIMIT);
        assertEquals(
                "energy is known at 400 watts per GPU alone: a cap of 240 watts was not in force after 45 seconds",
                job.profiler.describe());
    }

    @Test
    void whereNobodySaysWhatIsSpentItIsOverSoon() {
        Job job = new Job(true);
        job.metered = false;
        assertEquals(EnergyProfiler.METERED_SECONDS, job.measure(300), 1);
        assertTrue(job.profiler.points().isEmpty() && job.wanted.isEmpty());
        assertEquals("", job.profiler.describe());
    }

    @Test
    void knownProfileOfThreeCapsIsEnough() {
        Job first = new Job(true);
        first.measure(300);
        Job second = new Job(true);
        second.profiler.know(first.profiler.points());
        assertEquals(TICK, second.measure(300));
        assertTrue(second.wanted.isEmpty());
        Job other = new Job(true);
        other.profiler.know(first.profiler.points().stream()
                .map(p -> new EnergyPoint(4, 1, 128, p.capWatts(), p.samplesPerSecond(), p.watts(), 5, 0.02, 1))
                .toList());
        assertEquals(TICK, other.measure(300), "other numbers of GPUs are measured as the scheduler gives them");
        assertTrue(other.wanted.isEmpty());
    }

    @Test
    void capThatAnEarlierApplicationMasterLeftIsTakenBack() {
        Job job = new Job(true);
        job.asked = 160;
        job.cap = 160;
        job.profiler.resume(List.of(), false);
        job.measure(300);
        assertEquals(
                List.of(LIMIT, 240.0, 160.0, LIMIT), job.wanted, "then what the earlier one had begun is measured");
        Job done = new Job(true);
        done.profiler.resume(List.of(), true);
        assertFalse(done.profiler.isMeasuring());
    }

    @Test
    void noiseIsMeasuredForLongerAndOnTheAverage() {
        Job job = new Job(true);
        job.noise = 0.5;
        double seconds = job.measure(600);
        assertTrue(seconds > 35, "took " + seconds + " s");
        for (EnergyPoint p : job.profiler.points()) {
            assertEquals(Job.speed(p.capWatts()), p.samplesPerSecond(), 0.15 * Job.speed(p.capWatts()));
        }
    }

    @Test
    void whatTheSchedulerGivesIsMeasuredQuietly() {
        Job job = new Job(false);
        job.run(40);
        assertEquals(1, job.profiler.points().size());
        assertTrue(job.profiler.points().get(0).count() >= 2);
        job.asked = 300;
        job.run(30);
        assertEquals(2, job.profiler.points().size());
        assertPoint(job.profiler.points().get(1), 300);
        int said = 0;
        for (int i = 0; i < 400; i++) {
            job.tick(true);
            said += job.profiler.takeChanged() ? 1 : 0;
        }
        assertTrue(said <= 10, "said " + said + " times in 100 s");
        assertTrue(job.wanted.isEmpty());
    }

    @Test
    void progressThatCannotBeIsNoPoint() {
        Job jumps = new Job(false);
        jumps.run(8);
        jumps.done[0] += 1e9;
        jumps.run(5);
        for (EnergyPoint p : jumps.profiler.points()) {
            assertTrue(p.samplesPerSecond() < 1e4, p.toString());
        }
        Job back = new Job(false);
        back.run(3);
        back.done[0] = 0;
        back.run(200);
        for (EnergyPoint p : back.profiler.points()) {
            assertTrue(p.samplesPerSecond() <= 1.05 * Job.speed(LIMIT), p.toString());
        }
    }

    @Test
    void aGangThatStopsIsMeasuredAnew() {
        Job job = new Job(true);
        job.run(5);
        job.running = false;
        job.run(100);
        assertTrue(job.profiler.points().isEmpty());
        job.running = true;
        job.measure(300);
        assertPoint(job.profiler.points().get(0), LIMIT);
    }
}
