// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.model;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.Arrays;

/**
 * A job's throughput over the vcores and memory of each task: W[c][m] of Synergy (OSDI 2022, §3). Between two points
 * the throughput is interpolated on a straight line; beyond the last point it is flat, before the first it is
 * proportional to CPU and flat in memory.
 */
public final class SensitivityMatrix {
    private final long[] vcores;
    private final long[] memoryMiB;
    private final double[][] throughput;
    private final double best;
    /** The smallest point that reaches the best, which every round asks for. */
    private final Demand bestDemand;

    /**
     * @param vcores CPU points of one task, rising, above 0; shape [c]
     * @param memoryMiB memory points of one task, MiB, rising; shape [m]
     * @param throughput samples/s or any fixed multiple of it; shape [c][m], finite and not negative
     * @throws IllegalArgumentException if a shape, an order or a value is wrong
     */
    public SensitivityMatrix(long[] vcores, long[] memoryMiB, double[][] throughput) {
        checkRising("vcores", vcores, 1);
        checkRising("memoryMiB", memoryMiB, 0);
        checkArgument(
                throughput.length == vcores.length,
                "throughput has %s rows, must have one for each of %s CPU points",
                throughput.length,
                vcores.length);
        for (double[] row : throughput) {
            checkArgument(
                    row.length == memoryMiB.length,
                    "throughput has a row of %s values, must have one for each of %s memory points",
                    row.length,
                    memoryMiB.length);
            for (double value : row) {
                checkArgument(
                        Double.isFinite(value) && value >= 0, "throughput has the value %s, must be 0 or more", value);
            }
        }
        this.vcores = vcores.clone();
        this.memoryMiB = memoryMiB.clone();
        this.throughput = Arrays.stream(throughput).map(double[]::clone).toArray(double[][]::new);
        this.best =
                Arrays.stream(throughput).flatMapToDouble(Arrays::stream).max().orElseThrow();
        this.bestDemand = find(best);
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

    /** Whether memory was measured too. */
    public boolean coversMemory() {
        return memoryMiB.length > 1;
    }

    public double best() {
        return best;
    }

    public double at(long taskVcores, long taskMemoryMiB) {
        int above = 0;
        while (above < vcores.length && vcores[above] < taskVcores) {
            above++;
        }
        if (above == vcores.length) {
            return row(above - 1, taskMemoryMiB);
        }
        double upper = row(above, taskMemoryMiB);
        if (vcores[above] == taskVcores) {
            return upper;
        }
        long lowerVcores = above == 0 ? 0 : vcores[above - 1];
        double lower = above == 0 ? 0 : row(above - 1, taskMemoryMiB);
        return lower + (upper - lower) * (taskVcores - lowerVcores) / (vcores[above] - lowerVcores);
    }

    private double row(int c, long taskMemoryMiB) {
        int above = 0;
        while (above < memoryMiB.length && memoryMiB[above] < taskMemoryMiB) {
            above++;
        }
        if (above == memoryMiB.length) {
            return throughput[c][above - 1];
        }
        if (above == 0 || memoryMiB[above] == taskMemoryMiB) {
            return throughput[c][above];
        }
        double fraction = (double) (taskMemoryMiB - memoryMiB[above - 1]) / (memoryMiB[above] - memoryMiB[above - 1]);
        return throughput[c][above - 1] + (throughput[c][above] - throughput[c][above - 1]) * fraction;
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
                    return new Demand(vcores[c], memoryMiB[m]);
                }
            }
        }
        throw new IllegalStateException("the best of a matrix is one of its points");
    }

    /**
     * What a task can use.
     *
     * @param memoryMiB MiB; 0 where memory was not measured
     */
    public record Demand(long vcores, long memoryMiB) {}

    @Override
    public boolean equals(Object other) {
        return other instanceof SensitivityMatrix that
                && Arrays.equals(vcores, that.vcores)
                && Arrays.equals(memoryMiB, that.memoryMiB)
                && Arrays.deepEquals(throughput, that.throughput);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * Arrays.hashCode(vcores) + Arrays.hashCode(memoryMiB)) + Arrays.deepHashCode(throughput);
    }

    @Override
    public String toString() {
        return "SensitivityMatrix[vcores=" + Arrays.toString(vcores) + ", memoryMiB=" + Arrays.toString(memoryMiB)
                + ", throughput=" + Arrays.deepToString(throughput) + "]";
    }
}
