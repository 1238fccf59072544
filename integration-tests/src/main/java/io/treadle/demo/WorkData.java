// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * What the workers of a model read. Memory and bandwidth of the demo stand for a small part of themselves, as its vcores
 * do: of a dataset of 2048 MiB, 32 are on the disk, and a container of 1024 MiB uses 16.
 *
 * @param datasetMiB what one worker reads in an epoch
 * @param sampleKiB length of a sample
 * @param workingMiB memory that a worker needs beside its cache
 * @param memoryMiB memory that a worker asks for
 * @param diskMBps what the disk of a node gives a worker, MB/s
 */
public record WorkData(int datasetMiB, int sampleKiB, int workingMiB, int memoryMiB, int diskMBps) {
    /** MiB for which one MiB is there. */
    static final int SCALE = 64;

    private static final int MIB = 1 << 20;

    /** The arguments of {@code trainer.py}. */
    String arguments(Path file) {
        return String.join(
                " ",
                file.toString(),
                Long.toString(sampleKiB * 1024L / SCALE),
                Integer.toString(workingMiB),
                Integer.toString(diskMBps),
                Integer.toString(SCALE));
    }

    /** The dataset of so many workers, in the directory of {@code script}; it is made where it is not there yet. */
    Path beside(Path script, int workers) {
        Path file = script.resolveSibling("dataset-" + datasetMiB + "x" + workers);
        if (!Files.exists(file)) {
            write(file, workers);
        }
        return file;
    }

    private void write(Path file, int workers) {
        SplittableRandom random = new SplittableRandom(datasetMiB);
        byte[] block = new byte[MIB];
        try (OutputStream out = Files.newOutputStream(file)) {
            for (int i = 0; i < workers * datasetMiB / SCALE; i++) {
                random.nextBytes(block);
                out.write(block);
            }
        } catch (IOException e) {
            throw new DemoException("the dataset " + file + " cannot be written", e);
        }
    }
}
