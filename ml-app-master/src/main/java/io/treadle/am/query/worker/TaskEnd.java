// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.worker;

import io.treadle.am.query.tensor.Tensor;
import java.util.Map;
import java.util.Optional;

/**
 * A task has ended.
 *
 * @param outputs by the names that its model has for them; empty where it failed
 * @param failure why it failed
 * @param lacksModel whether it failed since its model could not be loaded here, or had not the memory to run: another worker
 *     may manage
 * @param queuedMs how long it waited for its turn
 * @param modelMs how long it then waited for its model
 * @param runMs how long it ran, also where it then had not the memory; 0 where it failed otherwise
 */
public record TaskEnd(
        EngineTask task,
        Map<String, Tensor> outputs,
        Optional<String> failure,
        boolean lacksModel,
        double queuedMs,
        double modelMs,
        double runMs) {
    public TaskEnd {
        outputs = Map.copyOf(outputs);
    }
}
