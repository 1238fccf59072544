// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.master;

import io.treadle.am.query.tensor.TensorSpec;
import java.util.List;

/**
 * What a model is and takes, as a worker has found by loading it.
 *
 * @param kb of a worker's memory: as the specification says, else as measured
 * @param loadMs how long it took to load
 * @param gpuMiB memory of the GPU that the worker had all of; 0 where it had none, or a part of one
 */
public record ModelFacts(
        String name, double kb, double loadMs, long gpuMiB, List<TensorSpec> inputs, List<TensorSpec> outputs) {
    public ModelFacts {
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
    }
}
