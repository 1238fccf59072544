// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.model.ProfiledMatrix;
import io.treadle.core.wire.ProfileDataset;
import io.treadle.core.wire.ProfileRecord;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Measurements of a job that reads a dataset, with more or less of it in memory. */
class MeasuredWithDataTest {
    private static Conditions with(long memoryMiB, long storageMBps) {
        return new Conditions(4, memoryMiB, storageMBps, true);
    }

    private static RateEstimate speed(double samplesPerSecond) {
        return new RateEstimate(samplesPerSecond, 0.01, 10, 50, 7);
    }

    @Test
    void halfTheCacheIsNotMixedWithTheWholeOfIt() {
        ProfilePoints points = new ProfilePoints();
        points.add(with(8192, 0), speed(200));
        points.add(with(4096, 0), speed(100));
        assertEquals(List.of(200.0, 8192L), seen(points), "waiting for data says nothing of the vcores");
        points.add(with(16_384, 0), speed(260));
        assertEquals(List.of(260.0, 16_384L), seen(points), "more of them was to be had than was known");
        points.add(with(16_000, 0), speed(270));
        // As much memory but for 2 %, as sure: the mean.
        assertEquals(List.of(265.0, 16_000L), seen(points));
        points.add(with(16_000, 50), speed(130));
        assertEquals(List.of(265.0, 16_000L), seen(points), "it was held to 50 MB/s");
    }

    @Test
    void aPointThatWasHeldBackGivesWayToOneThatWasNot() {
        ProfilePoints points = new ProfilePoints();
        points.add(with(2048, 20), speed(50));
        points.add(with(2048, 40), speed(100));
        assertEquals(100, points.speedAt(4).orElseThrow());
        assertEquals(40, points.list().get(0).storageMBps());
        // As fast with less: it was the vcores.
        points.add(with(1024, 40), speed(100.5));
        assertEquals(2048, points.list().get(0).memoryMiB());
    }

    @Test
    void whoReadsNothingIsMeasuredAsEver() {
        ProfilePoints points = new ProfilePoints();
        points.add(new Conditions(4, 2048, 0, false), speed(100));
        points.add(new Conditions(4, 1024, 0, false), speed(104));
        assertEquals(102, points.speedAt(4).orElseThrow(), 1e-9);
    }

    @Test
    void lessMemoryIsNoDrift() {
        ProfilePoints points = new ProfilePoints();
        points.add(with(8192, 0), speed(200));
        ProfileWatch watch = new ProfileWatch(points, 0.15);
        for (int i = 0; i < 30; i++) {
            watch.add(with(4096, 0), speed(100));
        }
        assertFalse(watch.hasDrifted());
        assertEquals(200, points.speedAt(4).orElseThrow());
        for (int i = 0; i < 30; i++) {
            watch.add(with(4096, 0), speed(300));
        }
        assertTrue(watch.hasDrifted(), "with less it cannot be faster");
    }

    @Test
    void withTheSameMemoryHalfTheSpeedIsADrift() {
        ProfilePoints points = new ProfilePoints();
        points.add(with(8192, 0), speed(200));
        ProfileWatch watch = new ProfileWatch(points, 0.15);
        for (int i = 0; i < 30; i++) {
            watch.add(with(8192, 0), speed(100));
        }
        assertTrue(watch.hasDrifted());
    }

    @Test
    void nothingIsMeasuredWhileACacheFillsFast() {
        SizeMeter meter = new SizeMeter(new ProfileSettings(true, 2, 10, 600, 0, 3, 0.05, 1, 64, 0.15, 600));
        SampleSeries series = new SampleSeries();
        long measuredAt = 0;
        for (int tenth = 0; tenth < 200; tenth++) {
            double now = tenth / 10.0;
            series.add(now, tenth);
            // 500 MiB a second, until 5120 are full.
            long memory = Math.min(5120, 100 + 50 * tenth);
            Optional<RateEstimate> estimate =
                    meter.observe(new Observation(now, true, 1, with(memory, 0), 4, true, true, List.of(series)), 2);
            if (estimate.isPresent()) {
                measuredAt = memory;
                break;
            }
        }
        // 10 % more than at the begin of a window of 2 s is 1000 MiB: only from 10 000 on would it be slow enough.
        assertEquals(5120, measuredAt);
    }

    @Test
    void aDatasetThatGrowsTakesTheMemoryFromWhatWasMeasuredBefore() {
        Profiler profiler = new Profiler(new ProfileSettings(false, 2, 10, 600, 0, 3, 0.05, 1, 64, 0.15, 600));
        ProfileDataset small = new ProfileDataset(1L << 32, 4096, 5000, 100, 256);
        profiler.skip(new ProfileRecord(
                        "a",
                        "m",
                        "",
                        4,
                        ProfileRecord.Phase.READY,
                        1,
                        List.of(new ProfileRecord.Point(4, 4352, 200, 10, 0.01, 3)),
                        0)
                .withDataset(Optional.of(small)));
        profiler.takeChanged();
        profiler.reads(Optional.of(new ProfileDataset((1L << 32) + (1L << 26), 4160, 5000, 100, 256)));
        assertFalse(profiler.takeChanged(), "2 % more is the same");
        assertEquals(4352, profiler.points().get(0).memoryMiB());
        ProfileDataset large = new ProfileDataset(1L << 33, 8192, 5000, 100, 256);
        profiler.reads(Optional.of(large));
        assertTrue(profiler.takeChanged());
        assertEquals(0, profiler.points().get(0).memoryMiB());
        // With what was measured on the small one, 200/s from 4352 MiB, the large one would be told to be impossible:
        // half of
        // it is read from storage, at 95/s. As nobody knows what was in memory, it is not.
        ProfileRecord now = new ProfileRecord("a", "m", "", 4, ProfileRecord.Phase.READY, 1, profiler.points(), 0)
                .withDataset(Optional.of(large));
        assertTrue(ProfiledMatrix.of(now).orElseThrow().coversMemory());
    }

    private static List<Object> seen(ProfilePoints points) {
        ProfileRecord.Point point = points.list().get(0);
        return List.of(Math.round(point.samplesPerSecond() * 10) / 10.0, point.memoryMiB());
    }
}
