// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.ingress;

import io.treadle.am.query.tensor.Tensor;
import io.treadle.am.query.tensor.TensorSpec;
import io.treadle.am.spec.ServiceSpec.WorkflowSpec;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Who answers queries. */
public interface QueryService {
    /** What can be asked. */
    List<WorkflowSpec> workflows();

    /** Outputs of one of {@link #workflows}: what they are like only its models know; empty until that is known. */
    default List<TensorSpec> outputs(WorkflowSpec workflow) {
        return List.of();
    }

    /** Where else the same queries are answered: addresses such as {@code http://node7:40123}. */
    default List<String> others() {
        return List.of();
    }

    /** Whether a query that comes now has somebody to run it. */
    boolean isReady();

    /**
     * @param workflow one of {@link #workflows}
     * @param inputs as they came: whether they suit the workflow is for the service to say
     * @param withinMs for how long somebody waits for it, ms
     * @return the workflow's outputs by name; fails with a {@link QueryException}
     */
    CompletableFuture<Map<String, Tensor>> ask(WorkflowSpec workflow, Map<String, Tensor> inputs, double withinMs);
}
