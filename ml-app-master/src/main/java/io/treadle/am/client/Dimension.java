// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.function.ToLongFunction;

/** One resource of a vector, with the words that people and specifications use for it. */
record Dimension(String type, String field, String unit, ToLongFunction<ResourceVector> amount) {
    static final List<Dimension> ALL = List.of(
            new Dimension(YarnResources.GPU, "gpusPerWorker", "GPUs", ResourceVector::gpus),
            new Dimension(YarnResources.GPU_MEMORY, "gpuMemory", "MiB of GPU memory", ResourceVector::gpuMemoryMiB),
            new Dimension("vcores", "vcores", "vcores", ResourceVector::vcores),
            new Dimension("memory-mb", "memory", "MiB of memory", ResourceVector::memoryMiB),
            new Dimension(
                    YarnResources.STORAGE_BANDWIDTH,
                    "storageBandwidth",
                    "MB/s of storage bandwidth",
                    ResourceVector::storageMBps),
            new Dimension(YarnResources.POWER, "power", "W", ResourceVector::watts));

    long of(ResourceVector vector) {
        return amount.applyAsLong(vector);
    }

    /** {@code 1 GPU}, {@code 16 GPUs}. */
    String text(long value) {
        return value + " "
                + (value == 1 && (unit.equals("GPUs") || unit.equals("vcores"))
                        ? unit.substring(0, unit.length() - 1)
                        : unit);
    }
}
