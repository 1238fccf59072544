// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.peer;

import io.treadle.am.query.ingress.QueryException;
import io.treadle.am.query.ingress.QueryService;
import io.treadle.am.query.tensor.Tensor;
import io.treadle.am.query.tensor.TensorSpec;
import io.treadle.am.spec.ServiceSpec.WorkflowSpec;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A service that takes nothing new once its worker leaves: others answer. */
final class LeavingService implements QueryService {
    private final QueryService service;
    private volatile boolean isLeaving;

    LeavingService(QueryService service) {
        this.service = service;
    }

    void leaves(boolean isSo) {
        isLeaving = isSo;
    }

    @Override
    public List<WorkflowSpec> workflows() {
        return service.workflows();
    }

    @Override
    public List<TensorSpec> outputs(WorkflowSpec workflow) {
        return service.outputs(workflow);
    }

    @Override
    public List<String> others() {
        return service.others();
    }

    @Override
    public boolean isReady() {
        return !isLeaving && service.isReady();
    }

    @Override
    public CompletableFuture<Map<String, Tensor>> ask(
            WorkflowSpec workflow, Map<String, Tensor> inputs, double withinMs) {
        return isLeaving
                ? CompletableFuture.failedFuture(new QueryException(
                        QueryException.Kind.UNAVAILABLE, "this worker leaves, others of the service answer"))
                : service.ask(workflow, inputs, withinMs);
    }
}
