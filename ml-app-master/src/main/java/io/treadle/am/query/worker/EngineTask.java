// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.worker;

import io.treadle.am.query.tensor.Tensor;
import io.treadle.core.query.QueryTask;
import java.util.Map;

/**
 * A task whose inputs are there.
 *
 * @param query which query it belongs to
 * @param number which of the query's tasks it is
 * @param rankMs what is left of the query from it on, ms
 * @param arrivalMs when the query came, by the same clock for all
 * @param inputs by the names that its model has for them
 */
public record EngineTask(
        String query, int number, QueryTask task, double rankMs, double arrivalMs, Map<String, Tensor> inputs) {
    public EngineTask {
        inputs = Map.copyOf(inputs);
        if (task.models().size() != 1) {
            throw new IllegalArgumentException(
                    "task '" + task.name() + "' has " + task.models().size() + " models, must have one");
        }
    }
}
