// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import java.util.List;

/**
 * One job of the mix.
 *
 * @param name shown everywhere
 * @param workers tasks that start together
 * @param gpusPerWorker whole GPUs of each
 * @param vcoresPerWorker the least that each can live with; what it could use is for profiling to find
 * @param gpuModels GPU models that will do; empty for any
 * @param samples samples of the whole job
 * @param arrivalSeconds when it is submitted, seconds after the mix starts
 */
public record DemoJob(
        String name,
        Work work,
        int workers,
        int gpusPerWorker,
        int vcoresPerWorker,
        List<String> gpuModels,
        long samples,
        double arrivalSeconds) {
    public DemoJob {
        gpuModels = List.copyOf(gpuModels);
    }

    int gpus() {
        return workers * gpusPerWorker;
    }
}
