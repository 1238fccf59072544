// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

/**
 * What a sample of a model costs one worker, at the usual worth of a vcore.
 *
 * @param modelTag name under which profiles of the model are kept
 * @param cpuMsPerSample CPU time of the loaders for a sample, ms
 * @param gpuMsPerBatch time of the GPU step, ms
 * @param batch samples in a step
 */
record Work(String modelTag, double cpuMsPerSample, double gpuMsPerBatch, int batch) {
    /** Samples a second at so many vcores: the loaders' or the GPU's limit, whichever is lower. */
    double samplesPerSecond(double vcores) {
        return Math.min(vcores * CpuShare.USUAL * 1000 / cpuMsPerSample, batch * 1000 / gpuMsPerBatch);
    }
}
