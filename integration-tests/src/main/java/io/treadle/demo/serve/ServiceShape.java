// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import java.util.List;

/**
 * What a service is run with.
 *
 * @param policy compass, jit, heft or hash
 * @param modelMemoryMiB what models may take together in a worker: its slice of a GPU's memory, MiB
 * @param memoryMiB of a worker's container, MiB
 */
public record ServiceShape(String policy, int workers, long modelMemoryMiB, long memoryMiB) {
    /** A JVM with ONNX Runtime, and what its models need while they are loaded. */
    private static final long MEMORY_MIB = 768;

    /** About half of the models fit into a worker. */
    public static ServiceShape half(List<ModelFile> models, String policy, int workers) {
        long all = models.stream().mapToLong(ModelFile::memoryMiB).sum();
        long largest = models.stream().mapToLong(ModelFile::memoryMiB).max().orElse(1);
        return new ServiceShape(policy, workers, Math.max(largest, (all + 1) / 2), MEMORY_MIB);
    }
}
