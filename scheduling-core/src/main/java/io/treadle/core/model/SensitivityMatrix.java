// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.model;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.Arrays;
import java.util.Objects;

/**
 * A job's throughput over the vcores and memory of each task: W[c][m] of Synergy (OSDI 2022, §3). Between two points
 * the throughput is interpolated on a straight line; beyond the last point it is flat, before the first it is
 * proportional to CPU and flat in memory.
 */
public final class SensitivityMatrix {
    private final long[] vcores;
    private final long[] memoryMiB;
    private final double[][] throughput;
    /** What the throughput of each point reads from storage. */
    private final double[][] storageMBps;

    /** Rounds ask for it for each job. */
    private final int hash;

    private final boolean readsStorage;
    private final double best;
    /** The smallest point that reaches the best, which every round asks for. */
    private final Demand bestDemand;

    /**
     * One of a job to which storage is no limit.
     *
     * @param vcores CPU points of one task, rising, above 0; shape [c]
     * @param memoryMiB memory points of one task, MiB, rising; shape [m]
     * @param throughput samples/s or any fixed multiple of it; shape [c][m], finite and not negative
     * @throws IllegalArgumentException if a shape, an order or a value is wrong
     */
    public SensitivityMatrix(long[] vcores, long[] memoryMiB, double[][] throughput) {
        this(vcores, memoryMiB, throughput, new double[vcores.length][memoryMiB.length]);
    }

    /**
     * @param vcores CPU points of one task, rising, above 0; shape [c]
     * @param memoryMiB memory points of one task, MiB, rising; shape [m]
     * @param throughput samples/s or any fixed multiple of it; shape [c][m], finite and not negative
     * @param storageMBps what a task reads from storage at that throughput, MB/s; shape [c][m], finite and not negative
     * @throws IllegalArgumentException if a shape, an order or a value is wrong
     */
    public SensitivityMatrix(long[] vcores, long[] memoryMiB, double[][] throughput, double[][] storageMBps) {
        checkRising("vcores", vcores, 1);
        checkRising("memoryMiB", memoryMiB, 0);
        checkShape("throughput", throughput, vcores.length, memoryMiB.length);
        checkShape("storageMBps", storageMBps, vcores.length, memoryMiB.length);
        this.vcores = vcores.clone();
        this.memoryMiB = memoryMiB.clone();
        this.throughput = copy(throughput);
        this.storageMBps = copy(storageMBps);
        this.hash = Objects.hash(
                Arrays.hashCode(this.vcores),
                Arrays.hashCode(this.memoryMiB),
                Arrays.deepHashCode(this.throughput),
                Arrays.deepHashCode(this.storageMBps));
        this.readsStorage =
                Arrays.stream(storageMBps).flatMapToDouble(Arrays::stream).anyMatch(need -> need > 0);
        this.best =
                Arrays.stream(throughput).flatMapToDouble(Arrays::stream).max().orElseThrow();
        this.bestDemand = find(best);
    }

    private static double[][] copy(double[][] rows) {
        return Arrays.stream(rows).map(double[]::clone).toArray(double[][]::new);
    }

    private static void checkShape(String what, double[][] rows, int cpuPoints, int memoryPoints) {
        checkArgument(
                rows.length == cpuPoints,
                "%s has %s rows, must have one for each of %s CPU points",
                what,
                rows.length,
                cpuPoints);
        for (double[] row : rows) {
            checkArgument(
                    row.length == memoryPoints,
                    "%s has a row of %s values, must have one for each of %s memory points",
                    what,
                    row.length,
                    memoryPoints);
            for (double value : row) {
                checkArgument(
                        Double.isFinite(value) && value >= 0, "%s has the value %s, must be 0 or more", what, value);
            }
        }
    }

    private static void checkRising(String what, long[] points, long least) {
        checkArgument(points.length > 0, "%s has no points", what);
        for (int i = 0; i < points.length; i++) {
            checkArgument(
                    points[i] >= (i == 0 ? least : points[i - 1] + 1),
                    "%s must rise and begin at %s or more, but reads %s",
                    what,
                    least,
                    Arrays.toString(points));
        }
    }

    /** A job measured over CPU alone. */
    public static SensitivityMatrix overVcores(long[] vcores, double[] throughput) {
        return new SensitivityMatrix(
                vcores,
                new long[] {0},
                Arrays.stream(throughput).mapToObj(t -> new double[] {t}).toArray(double[][]::new));
    }

    /** Whether storage can be a limit. */
    public boolean readsStorage() {
        return readsStorage;
    }

    /** Whether memory was measured too. */
    public boolean coversMemory() {
        return memoryMiB.length > 1;
    }

    public double best() {
        return best;
    }

    /** The points of CPU, rising. */
    public long[] vcores() {
        return vcores.clone();
    }

    /** The points of memory, MiB, rising. */
    public long[] memoryMiB() {
        return memoryMiB.clone();
    }

    /** The last point of memory, MiB: more changes nothing. */
    public long mostMemoryMiB() {
        return memoryMiB[memoryMiB.length - 1];
    }

    /** Where storage is no limit. */
    public double at(long taskVcores, long taskMemoryMiB) {
        return interpolated(throughput, taskVcores, taskMemoryMiB);
    }

    /**
     * A task that reads less than its throughput needs is slower in proportion: it waits for its data.
     *
     * @param taskStorageMBps what it may read, MB/s
     */
    public double at(long taskVcores, long taskMemoryMiB, long taskStorageMBps) {
        double needed = storageMBps(taskVcores, taskMemoryMiB);
        double most = at(taskVcores, taskMemoryMiB);
        return needed <= taskStorageMBps ? most : most * taskStorageMBps / needed;
    }

    /** What a task of this size reads from storage at its throughput, MB/s. */
    public double storageMBps(long taskVcores, long taskMemoryMiB) {
        return interpolated(storageMBps, taskVcores, taskMemoryMiB);
    }

    private double interpolated(double[][] values, long taskVcores, long taskMemoryMiB) {
        int above = 0;
        while (above < vcores.length && vcores[above] < taskVcores) {
            above++;
        }
        if (above == vcores.length) {
            return row(values[above - 1], taskMemoryMiB);
        }
        double upper = row(values[above], taskMemoryMiB);
        if (vcores[above] == taskVcores) {
            return upper;
        }
        long lowerVcores = above == 0 ? 0 : vcores[above - 1];
        double lower = above == 0 ? 0 : row(values[above - 1], taskMemoryMiB);
        return lower + (upper - lower) * (taskVcores - lowerVcores) / (vcores[above] - lowerVcores);
    }

    private double row(double[] values, long taskMemoryMiB) {
        int above = 0;
        while (above < memoryMiB.length && memoryMiB[above] < taskMemoryMiB) {
            above++;
        }
        if (above == memoryMiB.length) {
            return values[above - 1];
        }
        if (above == 0 || memoryMiB[above] == taskMemoryMiB) {
            return values[above];
        }
        double fraction = (double) (taskMemoryMiB - memoryMiB[above - 1]) / (memoryMiB[above] - memoryMiB[above - 1]);
        return values[above - 1] + (values[above] - values[above - 1]) * fraction;
    }

    /** The fewest vcores, not above {@code most}, that are as fast as {@code most}; 0 if {@code most} is. */
    public long leastVcores(long most, long taskMemoryMiB) {
        long least = most;
        while (least > 0 && at(least - 1, taskMemoryMiB) >= at(most, taskMemoryMiB)) {
            least--;
        }
        return least;
    }

    /** The smallest measured point, CPU first, then memory, whose throughput is within {@code tolerance} of the best. */
    public Demand demand(double tolerance) {
        return tolerance == 0 ? bestDemand : find(best * (1 - tolerance));
    }

    private Demand find(double wanted) {
        for (int c = 0; c < vcores.length; c++) {
            for (int m = 0; m < memoryMiB.length; m++) {
                if (throughput[c][m] >= wanted) {
                    return new Demand(vcores[c], memoryMiB[m], (long) Math.ceil(storageMBps[c][m]));
                }
            }
        }
        throw new IllegalStateException("the best of a matrix is one of its points");
    }

    /**
     * What a task can use.
     *
     * @param memoryMiB MiB; 0 where memory was not measured
     * @param storageMBps MB/s; 0 where it reads nothing that anybody knows of
     */
    public record Demand(long vcores, long memoryMiB, long storageMBps) {}

    @Override
    public boolean equals(Object other) {
        return other instanceof SensitivityMatrix that
                && Arrays.equals(vcores, that.vcores)
                && Arrays.equals(memoryMiB, that.memoryMiB)
                && Arrays.deepEquals(throughput, that.throughput)
                && Arrays.deepEquals(storageMBps, that.storageMBps);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return "SensitivityMatrix[vcores=" + Arrays.toString(vcores) + ", memoryMiB=" + Arrays.toString(memoryMiB)
                + ", throughput=" + Arrays.deepToString(throughput) + ", storageMBps="
                + Arrays.deepToString(storageMBps) + "]";
    }
}
