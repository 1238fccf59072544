// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.ProfileDataset;
import io.treadle.core.wire.ProfileRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProfiledMatrixTest {
    /** 1000 samples of 1 MiB each; memory gives 1000 MiB/s, the disk 100 MiB/s. */
    private static final ProfileDataset DATA = new ProfileDataset(1000L << 20, 1000, 1048.576, 104.8576, 200);

    private static ProfileRecord record(Optional<ProfileDataset> data, List<ProfileRecord.Point> points) {
        return new ProfileRecord("a", "", "", 1, ProfileRecord.Phase.READY, 1, points, 0).withDataset(data);
    }

    private static ProfileRecord.Point point(long vcores, long memoryMiB, double speed) {
        return new ProfileRecord.Point(vcores, memoryMiB, speed, 10);
    }

    @Test
    void withoutADatasetItIsTheCurveOverVcores() {
        List<ProfileRecord.Point> points = List.of(point(1, 1200, 50), point(2, 1200, 100), point(4, 1200, 101));
        SensitivityMatrix curve =
                ProfiledMatrix.of(record(Optional.empty(), points)).orElseThrow();
        assertFalse(curve.coversMemory());
        assertEquals(2, curve.demand(0).vcores());
        for (ProfileDataset unknown : List.of(new ProfileDataset(1, 0, 1, 1, 0), new ProfileDataset(1, 1, 1, 0, 0))) {
            assertEquals(Optional.of(curve), ProfiledMatrix.of(record(Optional.of(unknown), points)));
        }
    }

    @Test
    void nothingMeasuredGivesNoMatrix() {
        assertEquals(Optional.empty(), ProfiledMatrix.of(record(Optional.of(DATA), List.of())));
    }

    @Test
    void whatTheJobReadsGivesTheMemoryPoints() {
        // Measured with all in memory, which delivers 1000/s: nothing holds the job back.
        SensitivityMatrix matrix = ProfiledMatrix.of(record(
                        Optional.of(DATA), List.of(point(1, 1200, 62.5), point(2, 1200, 125), point(4, 1200, 126))))
                .orElseThrow();
        assertArrayEquals(new long[] {200, 300, 400, 500, 600, 700, 800, 900, 1000, 1100, 1200}, matrix.memoryMiB());
        // With nothing in memory the disk gives 100/s; with 300 MiB it takes 0.3 s + 7 s for an epoch.
        assertEquals(100, matrix.at(2, 200), 1e-9);
        assertEquals(62.5, matrix.at(1, 200), 1e-9);
        // 125 and 126 are the same within noise: 126. 1000/126 s = 7.94 s are enough for 7.3 s.
        assertEquals(126, matrix.at(2, 500), 1e-9);
        // 700 MiB in what is left of 1000/126 s without the 0.3 s: 96.1 MB/s.
        assertEquals(new SensitivityMatrix.Demand(2, 500, 97), matrix.demand(0));
        assertTrue(matrix.storageMBps(2, 500) > 0);
        assertEquals(0, matrix.storageMBps(2, 1200));
    }

    /**
     * 100 samples/s from the disk of a node that advertises 200 MB/s: on one of 400 it gives 200, on one of 100 it
     * gives 50.
     */
    @Test
    void onNodesOfFasterOrSlowerStorage() {
        Optional<ProfileDataset> data = Optional.of(DATA.measuredOn(200));
        assertEquals(data, Optional.of(data.get().measuredOn(999)), "who says it keeps it");
        ProfileRecord free = record(data, List.of(point(1, 1200, 62.5), point(2, 1200, 125)));
        assertEquals(ProfiledMatrix.of(free), ProfiledMatrix.of(free, 0));
        assertEquals(ProfiledMatrix.of(free), ProfiledMatrix.of(free, 200));
        assertEquals(100, ProfiledMatrix.of(free).orElseThrow().at(2, 200), 1e-9);
        assertEquals(125, ProfiledMatrix.of(free, 400).orElseThrow().at(2, 200), 1e-9);
        assertEquals(50, ProfiledMatrix.of(free, 100).orElseThrow().at(2, 200), 1e-9);
        // Nothing in memory: 98/s are what the disk gave, not what 2 or 4 vcores can do. In proportion to one vcore 2
        // do 100,
        // and 4 twice the fastest that was measured, 196.
        ProfileRecord held = record(data, List.of(point(1, 200, 50), point(2, 200, 98), point(4, 200, 98)));
        assertEquals(100, ProfiledMatrix.of(held).orElseThrow().at(4, 200), 1e-9);
        assertEquals(196, ProfiledMatrix.of(held, 400).orElseThrow().at(4, 200), 1e-9);
        assertEquals(100, ProfiledMatrix.of(held, 400).orElseThrow().at(2, 200), 1e-9);
    }

    /** Workers that have read nothing but their caches: the node's own measurement of 100 MB/s stands for the disk. */
    @Test
    void withoutAReadFromStorageTheNodesOwnMeasurementCounts() {
        ProfileDataset data = new ProfileDataset(1000L << 20, 1000, 1048.576, 0, 200, 100);
        SensitivityMatrix matrix = ProfiledMatrix.of(record(Optional.of(data), List.of(point(1, 1200, 500))))
                .orElseThrow();
        // 1,048.576 MB in 10.48576 s.
        assertEquals(1000 / 10.48576, matrix.at(1, 200), 1e-9);
    }

    @Test
    void withTheMemoryThatItHasAJobDemandsNoMoreVcoresThanItsDataAllow() {
        List<ProfileRecord.Point> points = List.of(point(1, 700, 60), point(2, 700, 120), point(4, 700, 180));
        // 500 MiB from memory and 500 from the disk take 5.5 s: 181.8/s at most, whatever the vcores.
        SensitivityMatrix matrix =
                ProfiledMatrix.at(700, record(Optional.of(DATA), points)).orElseThrow();
        assertFalse(matrix.coversMemory());
        assertEquals(1000 / 5.5, matrix.best(), 1e-9);
        assertEquals(4, matrix.demand(0).vcores());
        assertEquals(120, matrix.at(2, 700), 1e-9);
        // All of the disk at 4 vcores; at 2, 500 MiB in 1000/120 s without the 0.5 s.
        assertEquals(104.8576, matrix.storageMBps(4, 700), 1e-9);
        assertEquals(500 * 1.048576 / (1000.0 / 120 - 0.5), matrix.storageMBps(2, 700), 1e-9);
        SensitivityMatrix free =
                ProfiledMatrix.of(record(Optional.of(DATA), points)).orElseThrow();
        // Taken to do 240/s at 4 vcores and, as it still rises, 480/s at 8: 1000/480 s less 0.9 s for 100 MiB, 88.6
        // MB/s.
        assertEquals(new SensitivityMatrix.Demand(8, 1100, 89), free.demand(0));
    }

    @Test
    void aJobThatWasHeldBackIsTakenToBeAbleToGoFaster() {
        // At 200 MiB nothing is in memory: 100/s at most. From 2 vcores on that is what was measured.
        SensitivityMatrix matrix = ProfiledMatrix.of(
                        record(Optional.of(DATA), List.of(point(1, 200, 60), point(2, 200, 98), point(4, 200, 99))))
                .orElseThrow();
        // In proportion to 60/s at 1 vcore: 120/s at 2; twice what was measured: 198/s at 4.
        assertEquals(120, matrix.at(2, 1200), 1e-9);
        assertEquals(198, matrix.at(4, 1200), 1e-9);
        assertEquals(100, matrix.at(4, 200), 1e-9);
        // At one vcore already.
        SensitivityMatrix all = ProfiledMatrix.of(record(Optional.of(DATA), List.of(point(1, 200, 97))))
                .orElseThrow();
        assertEquals(194, all.at(1, 1200), 1e-9);
    }

    /**
     * As a reading worker was measured on a cluster: 54.7/s at 4 vcores, which were not tried. Halfway from 3 to 5 vcores is
     * 51.0; but what goes up to 61 there is storage's limit, and the vcores alone would do 67.8 at 5.
     */
    @Test
    void theLimitOfStorageIsNotTakenForASlopeOfTheCurve() {
        ProfileDataset data = new ProfileDataset(1L << 30, 128, 226_657, 320, 256);
        SensitivityMatrix matrix = ProfiledMatrix.of(record(
                        Optional.of(data),
                        List.of(
                                point(1, 640, 14.93),
                                point(3, 640, 40.65),
                                point(5, 640, 61.23),
                                point(8, 640, 61.16))))
                .orElseThrow();
        assertEquals((40.65 + 40.65 * 5 / 3) / 2, matrix.at(4, 640), 1e-9);
        assertEquals(54.7, matrix.at(4, 640), 0.02 * 54.7);
        assertEquals(61, matrix.at(5, 640), 0.01 * 61);
    }

    @Test
    void workersThatSayWhatCannotBeAreMeasuredAsTheyAre() {
        // 300/s with nothing in memory, where the disk is said to give 100/s.
        SensitivityMatrix matrix = ProfiledMatrix.of(
                        record(Optional.of(DATA), List.of(point(1, 200, 150), point(2, 200, 300))))
                .orElseThrow();
        assertFalse(matrix.coversMemory());
        assertEquals(300, matrix.at(2, 200), 1e-9);
    }

    @Test
    void aMeasurementThatMayBeChanceContradictsNobody() {
        // 125/s of the 100/s that storage gives, to 8 %.
        List<ProfileRecord.Point> points =
                List.of(point(1, 200, 60), new ProfileRecord.Point(3, 200, 0, 125, 4, 0.08, 1));
        assertTrue(ProfiledMatrix.of(record(Optional.of(DATA), points))
                .orElseThrow()
                .coversMemory());
        List<ProfileRecord.Point> surely =
                List.of(point(1, 200, 60), new ProfileRecord.Point(3, 200, 0, 125, 30, 0.01, 1));
        assertFalse(ProfiledMatrix.of(record(Optional.of(DATA), surely))
                .orElseThrow()
                .coversMemory());
    }

    @Test
    void memoryThatNobodyHasReadYetIsNoLimit() {
        ProfileDataset unread = new ProfileDataset(1000L << 20, 1000, 0, 104.8576, 200);
        SensitivityMatrix matrix = ProfiledMatrix.of(record(Optional.of(unread), List.of(point(1, 0, 5000))))
                .orElseThrow();
        assertEquals(5000, matrix.at(1, 1200), 1e-9);
        assertEquals(100, matrix.at(1, 200), 1e-9);
    }

    /** A job that begins with little memory gets what its matrix asks for, is measured, and so on. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void measuredAgainAndAgainItEndsAtItsTrueDemand(long seed) {
        Random random = new Random(seed);
        double perVcore = 20 + random.nextInt(100);
        double gpu = perVcore * (1 + random.nextInt(8));
        MinioModel truth = new MinioModel(1000L << 20, 1000, 1, 200, 1048.576, 104.8576);
        List<ProfileRecord.Point> points = new ArrayList<>();
        for (long vcores = 1; vcores <= 8; vcores *= 2) {
            points.add(measured(truth, perVcore, gpu, vcores, 200 + random.nextInt(100)));
        }
        SensitivityMatrix matrix = matrix(points);
        for (int round = 0; round < 12; round++) {
            SensitivityMatrix.Demand demand = matrix.demand(0);
            points.removeIf(p -> p.vcores() == demand.vcores());
            points.add(measured(truth, perVcore, gpu, demand.vcores(), demand.memoryMiB()));
            matrix = matrix(points);
        }
        SensitivityMatrix.Demand demand = matrix.demand(0);
        double best = Math.min(gpu, truth.fetchedPerSecond(1200));
        double reached = measured(truth, perVcore, gpu, demand.vcores(), demand.memoryMiB())
                .samplesPerSecond();
        assertTrue(reached >= 0.9 * best, "seed " + seed + ": " + reached + " of " + best + " at " + demand);
    }

    private static SensitivityMatrix matrix(List<ProfileRecord.Point> points) {
        return ProfiledMatrix.of(record(Optional.of(DATA), points)).orElseThrow();
    }

    private static ProfileRecord.Point measured(
            MinioModel truth, double perVcore, double gpu, long vcores, long memoryMiB) {
        double speed = Math.min(Math.min(perVcore * vcores, gpu), truth.fetchedPerSecond(memoryMiB));
        return point(vcores, memoryMiB, speed);
    }
}
