// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import java.util.Optional;

/**
 * What a sample of a model costs one worker, at the usual worth of a vcore.
 *
 * @param modelTag name under which profiles of the model are kept
 * @param cpuMsPerSample CPU time of the loaders for a sample, ms
 * @param gpuMsPerBatch time of the GPU step, ms
 * @param batch samples in a step
 * @param data what the loaders read; empty where they make their samples
 */
public record Work(String modelTag, double cpuMsPerSample, double gpuMsPerBatch, int batch, Optional<WorkData> data) {
    /** Of a model whose loaders read nothing. */
    public Work(String modelTag, double cpuMsPerSample, double gpuMsPerBatch, int batch) {
        this(modelTag, cpuMsPerSample, gpuMsPerBatch, batch, Optional.empty());
    }

    public Work reading(WorkData newData) {
        return new Work(modelTag, cpuMsPerSample, gpuMsPerBatch, batch, Optional.of(newData));
    }

    /** Samples a second at so many vcores: the loaders' or the GPU's limit, whichever is lower. */
    public double samplesPerSecond(double vcores) {
        return Math.min(vcores * CpuShare.USUAL * 1000 / cpuMsPerSample, batch * 1000 / gpuMsPerBatch);
    }
}
