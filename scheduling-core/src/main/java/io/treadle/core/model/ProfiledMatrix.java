// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.model;

import io.treadle.core.wire.ProfileDataset;
import io.treadle.core.wire.ProfileRecord;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The matrix that policies plan with, out of what was measured of a job: its speed over vcores, and where it is known what
 * the job reads, what memory and storage do for it ({@link MinioModel}).
 */
public final class ProfiledMatrix {
    /** Part of what memory and storage deliver from which a measured speed is taken to be held back by them. */
    static final double HELD_BACK = 0.8;
    /**
     * A job that is faster than this many times what they can deliver has another way to its data, where it is measured
     * so well that it is no chance.
     */
    static final double IMPOSSIBLE = 1.1;

    private static final double CHANCE_ERRORS = 2;
    /** A job that was held back is taken to be able to go this many times as fast, until it is measured with more. */
    static final double MORE = 2;

    private ProfiledMatrix() {}

    /** Where it is measured. Empty where nothing above zero was measured. */
    public static Optional<SensitivityMatrix> of(ProfileRecord record) {
        return of(record, 0);
    }

    /**
     * On nodes whose storage is faster or slower than that of the node where it was measured. What was measured is read
     * with the bandwidth that there was then; storage is taken to be as much faster for the job as it is for the node.
     *
     * @param nodeMBps storage bandwidth of the node that has most of it, as it advertises it, MB/s; 0 where nobody knows
     */
    public static Optional<SensitivityMatrix> of(ProfileRecord record, long nodeMBps) {
        Optional<MinioModel> model =
                record.dataset().flatMap(d -> model(d, record.workers())).filter(m -> explains(m, record));
        Optional<SensitivityMatrix> overVcores = MeasuredCurve.fit(speeds(record, model));
        if (model.isEmpty()) {
            return overVcores;
        }
        long measuredOn = record.dataset().orElseThrow().nodeMBps();
        double faster = nodeMBps > 0 && measuredOn > 0 ? (double) nodeMBps / measuredOn : 1;
        return overVcores.map(model.get().withDisk(model.get().diskMBps() * faster)::matrix);
    }

    /** The same for tasks whose memory stays as it is: over vcores and storage bandwidth alone. */
    public static Optional<SensitivityMatrix> at(long memoryMiB, ProfileRecord record) {
        return of(record).map(matrix -> {
            long[] vcores = matrix.vcores();
            return new SensitivityMatrix(
                    vcores,
                    new long[] {memoryMiB},
                    column(vcores, c -> matrix.at(c, memoryMiB)),
                    column(vcores, c -> matrix.storageMBps(c, memoryMiB)));
        });
    }

    private static double[][] column(long[] vcores, LongToDoubleFunction value) {
        return Arrays.stream(vcores)
                .mapToObj(c -> new double[] {value.applyAsDouble(c)})
                .toArray(double[][]::new);
    }

    private static Optional<MinioModel> model(ProfileDataset data, int workers) {
        // Whose workers have read nothing from storage: what the node's own measurement says.
        double diskMBps = data.diskMBps() > 0 ? data.diskMBps() : data.nodeMBps();
        if (data.samples() == 0 || diskMBps == 0) {
            return Optional.empty();
        }
        // Where no worker has read from its cache yet, memory is no limit.
        double memoryMBps = data.memoryMBps() > 0 ? data.memoryMBps() : MinioModel.NO_LIMIT_MBPS;
        return Optional.of(
                new MinioModel(data.bytes(), data.samples(), workers, data.workingMemoryMiB(), memoryMBps, diskMBps));
    }

    /** What is measured is so, whatever the workers say of themselves. */
    private static boolean explains(MinioModel model, ProfileRecord record) {
        return record.points().stream()
                .noneMatch(p ->
                        delivered(model, p) * (IMPOSSIBLE + CHANCE_ERRORS * p.knownError()) < p.samplesPerSecond());
    }

    private static Map<Long, Double> speeds(ProfileRecord record, Optional<MinioModel> model) {
        Map<Long, Double> speeds = new HashMap<>();
        ProfileRecord.@Nullable Point free = null;
        double fastest = 0;
        double before = 0;
        for (ProfileRecord.Point point : record.points()) {
            fastest = Math.max(fastest, point.samplesPerSecond());
            if (model.isPresent() && point.samplesPerSecond() >= HELD_BACK * delivered(model.get(), point)) {
                before = Math.max(before, letLoose(point.vcores(), fastest, free));
            } else {
                before = point.samplesPerSecond();
                free = point;
            }
            speeds.put(point.vcores(), before);
        }
        return speeds;
    }

    /**
     * No more than in proportion to its vcores, from the last size at which it was not held back.
     *
     * @param fastest what was measured with no more vcores
     */
    private static double letLoose(long vcores, double fastest, ProfileRecord.@Nullable Point free) {
        double most = fastest * MORE;
        double proportional = free == null ? most : free.samplesPerSecond() * vcores / (double) free.vcores();
        return Math.max(fastest, Math.min(most, proportional));
    }

    /** Samples/s; infinite where it is not known how much memory the workers had. */
    private static double delivered(MinioModel model, ProfileRecord.Point point) {
        return point.memoryMiB() > 0
                ? model.heldTo(point.storageMBps()).fetchedPerSecond(point.memoryMiB())
                : Double.POSITIVE_INFINITY;
    }
}
