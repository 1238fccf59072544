// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.model;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.TreeSet;
import java.util.stream.LongStream;

/**
 * Foretells a job's speed over memory and what it reads from storage, out of its speed over vcores: a cache that never
 * evicts holds a fixed part of the dataset, so every epoch finds that part in memory and reads the rest (the MinIO model
 * of Synergy, OSDI 2022, §4; formulas: offline_profiler.py of its artifact). The workers share the dataset: each reads,
 * and caches, a part of its own.
 *
 * @param datasetBytes what all workers together read in one epoch
 * @param samples samples of one epoch of all workers
 * @param workers workers that share the dataset
 * @param workingMemoryMiB memory that a worker needs beside its cache, MiB
 * @param cacheable the part of the dataset that may be kept in memory, 0 to 1
 * @param memoryMBps how fast a worker reads its cache, MB/s (10⁶ bytes)
 * @param diskMBps the most that storage gives a worker, MB/s
 */
public record MinioModel(
        double datasetBytes,
        double samples,
        int workers,
        long workingMemoryMiB,
        double cacheable,
        double memoryMBps,
        double diskMBps) {
    /** Of memory or storage that is never waited for. */
    public static final double NO_LIMIT_MBPS = 1e9;

    private static final double MIB = 1 << 20;
    private static final double MB = 1e6;
    private static final int POINTS = 10;

    public MinioModel {
        checkPositive("datasetBytes", datasetBytes);
        checkPositive("samples", samples);
        checkPositive("memoryMBps", memoryMBps);
        checkPositive("diskMBps", diskMBps);
        checkArgument(workers > 0, "workers is %s, must be 1 or more", workers);
        checkArgument(workingMemoryMiB >= 0, "workingMemoryMiB is %s, must be 0 or more", workingMemoryMiB);
        checkArgument(cacheable >= 0 && cacheable <= 1, "cacheable is %s, must be from 0 to 1", cacheable);
    }

    /** Of a dataset that may be kept in memory as a whole. */
    public MinioModel(
            double datasetBytes,
            double samples,
            int workers,
            long workingMemoryMiB,
            double memoryMBps,
            double diskMBps) {
        this(datasetBytes, samples, workers, workingMemoryMiB, 1, memoryMBps, diskMBps);
    }

    private static void checkPositive(String what, double value) {
        checkArgument(value > 0 && value < Double.POSITIVE_INFINITY, "%s is %s, must be above 0", what, value);
    }

    /**
     * The speed over vcores and memory. Its memory points are the working memory and 0, 10, … 100 % of what may be
     * kept of a worker's part of the dataset. Between two of its points over vcores speed is taken to go in a straight
     * line, which is not so where one lies below what memory delivers and one above: there it has more of them.
     *
     * @param overVcores speed of the whole job, samples/s, where all its data is at hand
     */
    public SensitivityMatrix matrix(SensitivityMatrix overVcores) {
        long[] memory = memoryPoints();
        long[] vcores = withKnees(overVcores, memory);
        double[][] speeds = new double[vcores.length][memory.length];
        double[][] storage = new double[vcores.length][memory.length];
        for (int c = 0; c < vcores.length; c++) {
            double speed = overVcores.at(vcores[c], Long.MAX_VALUE);
            for (int m = 0; m < memory.length; m++) {
                speeds[c][m] = Math.min(speed, fetchedPerSecond(memory[m]));
                storage[c][m] = storageMBps(speed, memory[m]);
            }
        }
        return new SensitivityMatrix(vcores, memory, speeds, storage);
    }

    /** The points over vcores, and the whole vcores on both sides of each at which memory begins to be the limit. */
    private long[] withKnees(SensitivityMatrix overVcores, long[] memory) {
        long[] points = overVcores.vcores();
        TreeSet<Long> all = new TreeSet<>();
        for (long point : points) {
            all.add(point);
        }
        // No vcores, no speed.
        long before = 0;
        double from = 0;
        for (long point : points) {
            double rise = overVcores.at(point, Long.MAX_VALUE) - from;
            for (long mib : memory) {
                double part = rise > 0 ? (fetchedPerSecond(mib) - from) / rise : 0;
                if (part > 0 && part < 1) {
                    double knee = before + part * (point - before);
                    all.add(Math.max(1, (long) Math.floor(knee)));
                    all.add((long) Math.ceil(knee));
                }
            }
            before = point;
            from += rise;
        }
        return all.stream().mapToLong(Long::longValue).toArray();
    }

    /**
     * The same of workers that may read no faster from storage.
     *
     * @param grantMBps MB/s; 0 for no limit
     */
    MinioModel heldTo(double grantMBps) {
        return grantMBps > 0 && grantMBps < diskMBps ? withDisk(grantMBps) : this;
    }

    /** The same where storage gives a worker so much, MB/s. */
    MinioModel withDisk(double newDiskMBps) {
        return new MinioModel(datasetBytes, samples, workers, workingMemoryMiB, cacheable, memoryMBps, newDiskMBps);
    }

    /** The most samples/s of the whole job that memory and storage can deliver, however fast the rest is. */
    double fetchedPerSecond(long memoryMiB) {
        return samples / (cacheSeconds(memoryMiB) + missedBytes(memoryMiB) / (diskMBps * MB));
    }

    /**
     * What each worker reads from storage.
     *
     * @param speed what the job's vcores allow, samples/s
     */
    private double storageMBps(double speed, long memoryMiB) {
        if (speed <= 0) {
            return 0;
        }
        double left = samples / speed - cacheSeconds(memoryMiB);
        double missed = missedBytes(memoryMiB) / MB;
        // Also where there is no time left for reading: then all is waiting for the disk.
        return missed == 0 ? 0 : missed < left * diskMBps ? missed / left : diskMBps;
    }

    private double cacheSeconds(long memoryMiB) {
        return cachedBytes(memoryMiB) / (memoryMBps * MB);
    }

    private double missedBytes(long memoryMiB) {
        return partBytes() - cachedBytes(memoryMiB);
    }

    private double cachedBytes(long memoryMiB) {
        return Math.min(partBytes() * cacheable, Math.max(0, memoryMiB - workingMemoryMiB) * MIB);
    }

    /** What one worker reads in an epoch. */
    private double partBytes() {
        return datasetBytes / workers;
    }

    private long[] memoryPoints() {
        return LongStream.rangeClosed(0, POINTS)
                .map(tenth -> workingMemoryMiB + (long) Math.ceil(partBytes() * cacheable / MIB * tenth / POINTS))
                .distinct()
                .toArray();
    }
}
