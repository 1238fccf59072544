// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MinioModelTest {
    /** 1000 samples of 1 MiB each; the cache gives 1000 MiB/s, the disk 100 MiB/s. */
    private static final MinioModel THOUSAND = new MinioModel(1000 * 1048576.0, 1000, 1, 200, 1048.576, 104.8576);

    private static SensitivityMatrix speeds(double... samplesPerSecond) {
        long[] vcores = new long[samplesPerSecond.length];
        for (int i = 0; i < vcores.length; i++) {
            vcores[i] = 1L << i;
        }
        return SensitivityMatrix.overVcores(vcores, samplesPerSecond);
    }

    @Test
    void memoryPointsAreTenthsOfTheDatasetAboveTheWorkingMemory() {
        assertArrayEquals(
                new long[] {200, 300, 400, 500, 600, 700, 800, 900, 1000, 1100, 1200},
                THOUSAND.matrix(speeds(10)).memoryMiB());
    }

    @Test
    void halfOfTheDatasetInMemory() {
        SensitivityMatrix matrix = THOUSAND.matrix(speeds(125, 250));
        // 500 MiB from memory take 0.5 s, 500 MiB from the disk 5 s: 5.5 s an epoch. 125/s need 8 s, 250/s only 4 s.
        assertEquals(125, matrix.at(1, 700), 1e-9);
        assertEquals(1000 / 5.5, matrix.at(2, 700), 1e-9);
        // Of the 8 s, 0.5 s are spent on the cache: 500 MiB in 7.5 s are 69.905 MB/s. The faster waits for the disk.
        assertEquals(500 * 1.048576 / 7.5, matrix.storageMBps(1, 700), 1e-9);
        assertEquals(104.8576, matrix.storageMBps(2, 700), 1e-9);
    }

    @Test
    void nothingAndAllInMemory() {
        SensitivityMatrix matrix = THOUSAND.matrix(speeds(125, 2000));
        // 1000 MiB from the disk: 10 s. From memory: 1 s, so that even 2000/s do no more than 1000/s.
        assertEquals(100, matrix.at(1, 200), 1e-9);
        assertEquals(125, matrix.at(1, 1200), 1e-9);
        assertEquals(1000, matrix.at(2, 1200), 1e-9);
        assertEquals(104.8576, matrix.storageMBps(1, 200), 1e-9);
        assertEquals(0, matrix.storageMBps(1, 1200));
        assertEquals(0, matrix.storageMBps(2, 1200));
    }

    /** Four workers: each reads a quarter (250 MiB), so each needs a quarter of the cache and of the bandwidth. */
    @Test
    void workersShareTheDataset() {
        MinioModel model = new MinioModel(1000 * 1048576.0, 1000, 4, 200, 1048.576, 104.8576);
        SensitivityMatrix matrix = model.matrix(speeds(125, 1000));
        assertArrayEquals(new long[] {200, 225, 250, 275, 300, 325, 350, 375, 400, 425, 450}, matrix.memoryMiB());
        // 125 MiB from memory: 0.125 s; 125 MiB from the disk: 1.25 s; 1.375 s in all, where 1000/s need 1 s.
        assertEquals(1000 / 1.375, matrix.at(2, 325), 1e-9);
        assertEquals(125, matrix.at(1, 200), 1e-9);
        // 250 MiB in 8 s.
        assertEquals(250 * 1.048576 / 8, matrix.storageMBps(1, 200), 1e-9);
    }

    @Test
    void datasetOfAFewBytesHasTwoPoints() {
        MinioModel model = new MinioModel(10, 10, 1, 64, 1000, 100);
        assertArrayEquals(new long[] {64, 65}, model.matrix(speeds(5)).memoryMiB());
    }

    @Test
    void speedOfNothingReadsNothing() {
        SensitivityMatrix matrix = THOUSAND.matrix(speeds(0, 10));
        assertEquals(0, matrix.at(1, 700));
        assertEquals(0, matrix.storageMBps(1, 200));
    }

    @Test
    void refusesWhatCannotBe() {
        assertThrows(IllegalArgumentException.class, () -> new MinioModel(0, 1, 1, 0, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> new MinioModel(1, Double.NaN, 1, 0, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> new MinioModel(1, 1, 0, 0, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> new MinioModel(1, 1, 1, -1, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> new MinioModel(1, 1, 1, 0, 1, Double.POSITIVE_INFINITY));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void moreNeverHarms(long seed) {
        Random random = new Random(seed);
        MinioModel model = random(random);
        double[] curve = new double[5];
        for (int i = 0; i < curve.length; i++) {
            curve[i] = (i == 0 ? 1 : curve[i - 1]) * (1 + random.nextDouble());
        }
        SensitivityMatrix matrix = model.matrix(speeds(curve));
        long[] memory = matrix.memoryMiB();
        for (int c = 0; c < curve.length; c++) {
            for (int m = 0; m < memory.length; m++) {
                double here = matrix.at(1L << c, memory[m]);
                double need = matrix.storageMBps(1L << c, memory[m]);
                String where = "seed " + seed + ", " + (1L << c) + " vcores, " + memory[m] + " MiB";
                assertTrue(here <= curve[c], where);
                assertTrue(need <= model.diskMBps() * (1 + 1e-9), where);
                if (c > 0) {
                    assertTrue(here >= matrix.at(1L << (c - 1), memory[m]), where);
                    assertTrue(need >= matrix.storageMBps(1L << (c - 1), memory[m]) - 1e-9, where);
                }
                if (m > 0) {
                    assertTrue(here >= matrix.at(1L << c, memory[m - 1]), where);
                }
                if (here == curve[c] && m > 0) {
                    // Where the disk does not hold the job back, a larger cache asks less of it.
                    assertTrue(need <= matrix.storageMBps(1L << c, memory[m - 1]) + 1e-9, where);
                }
            }
            assertEquals(0, matrix.storageMBps(1L << c, memory[memory.length - 1]), "seed " + seed);
        }
    }

    /** Epochs read sample by sample, in another order each time, by a reader that runs ahead of the training. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void epochsReadSampleBySampleAreAsFastAsForetold(long seed) {
        Random random = new Random(seed);
        MinioModel model = random(random);
        double bothAlike = model.fetchedPerSecond(model.workingMemoryMiB());
        double speed = bothAlike * (0.5 + random.nextDouble() * 4);
        SensitivityMatrix matrix = model.matrix(speeds(speed));
        for (long memory : matrix.memoryMiB()) {
            String where = "seed " + seed + ", " + memory + " MiB of " + model;
            double foretold = matrix.at(1, memory);
            assertEquals(foretold, simulated(model, speed, memory, model.diskMBps(), random), foretold * 0.02, where);
            double need = matrix.storageMBps(1, memory);
            if (need > 0) {
                assertEquals(foretold, simulated(model, speed, memory, need, random), foretold * 0.02, where);
                double held = simulated(model, speed, memory, need / 2, random);
                assertTrue(held < foretold * 0.98, where);
                // To lose in proportion is the most that it can lose: the cache stays as fast as it was.
                assertTrue(held > foretold / 2 * 0.98, where);
            }
        }
    }

    private static MinioModel random(Random random) {
        return new MinioModel(
                (1 + random.nextInt(40)) * 1e8,
                2000,
                1 + random.nextInt(4),
                random.nextInt(500),
                2000 + random.nextInt(5000),
                20 + random.nextInt(500));
    }

    /** Speed of the whole job, samples/s; its workers are alike, so one is followed. */
    private static double simulated(MinioModel model, double speed, long memoryMiB, double diskMBps, Random random) {
        int mine = (int) (model.samples() / model.workers());
        double bytes = model.datasetBytes() / model.samples();
        double cached = Math.max(0, memoryMiB - model.workingMemoryMiB()) * 1048576.0 / bytes;
        double fetched = 0;
        double trained = 0;
        int epochs = 40;
        List<Integer> order = new ArrayList<>(IntStream.range(0, mine).boxed().toList());
        for (int epoch = 0; epoch < epochs; epoch++) {
            Collections.shuffle(order, random);
            for (int sample : order) {
                // The last sample of the cache may be there in part.
                double inMemory = Math.max(0, Math.min(1, cached - sample));
                fetched += inMemory * bytes / (model.memoryMBps() * 1e6) + (1 - inMemory) * bytes / (diskMBps * 1e6);
                trained = Math.max(trained, fetched) + model.workers() / speed;
            }
        }
        return epochs * mine / trained * model.workers();
    }
}
