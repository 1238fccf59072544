// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.core.model.MinioModel;
import io.treadle.core.model.SensitivityMatrix;
import java.util.Arrays;
import java.util.Optional;

/**
 * How the speed of a job depends on what its tasks hold beside GPUs, as our own format tells it. 1 is the speed at which the
 * job takes its run time: with vcores enough, and never waiting for data.
 *
 * @param overVcores speed over the vcores of a task; empty where they do not matter
 * @param dataset what it reads; empty for nothing that matters
 */
public record Sensitivity(Optional<SensitivityMatrix> overVcores, Optional<Dataset> dataset) {
    private static final double BYTES_PER_MIB = 1 << 20;

    /** One vcore is enough for a job of which nobody told what it does with them. */
    private static final SensitivityMatrix ANY_VCORES = SensitivityMatrix.overVcores(new long[] {1}, new double[] {1});

    /**
     * The speed over vcores, memory and storage bandwidth of a task, by the MinIO model.
     *
     * @param seconds the run time, s
     * @param tasks over which the dataset is spread
     * @param mostMBps the most storage bandwidth that a task can have, MB/s; 0 where storage is no limit
     */
    SensitivityMatrix matrix(double seconds, int tasks, long mostMBps) {
        SensitivityMatrix whereAllIsAtHand = overVcores.orElse(ANY_VCORES);
        if (dataset.isEmpty() || mostMBps == 0) {
            return whereAllIsAtHand;
        }
        Dataset read = dataset.get();
        // Seconds of work are the samples of which an epoch has so many.
        return new MinioModel(
                        read.mib() * BYTES_PER_MIB,
                        seconds / read.epochs(),
                        tasks,
                        read.workingMiB(),
                        read.cacheable(),
                        MinioModel.NO_LIMIT_MBPS,
                        mostMBps)
                .matrix(whereAllIsAtHand);
    }

    /** {@code 1:0.4|3:1}, as {@link SensitivityColumns} reads it; empty where vcores do not matter. */
    String vcoreSpeeds() {
        return overVcores
                .map(speeds -> String.join(
                        "|",
                        Arrays.stream(speeds.vcores())
                                .mapToObj(vcores -> vcores + ":" + TraceFile.plain(speeds.at(vcores, 0)))
                                .toList()))
                .orElse("");
    }
}
