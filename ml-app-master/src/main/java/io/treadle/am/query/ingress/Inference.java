// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.ingress;

import com.sun.net.httpserver.HttpExchange;
import io.treadle.am.query.tensor.Tensor;
import io.treadle.am.spec.ServiceSpec.WorkflowSpec;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes queries in, as many as there is room for, and sends their answers when they are there. */
final class Inference {
    private static final Logger LOG = LoggerFactory.getLogger(Inference.class);

    private final IngressLimits limits;
    private final QueryService service;
    private final Executor answering;
    private final Room room;

    /** @param answering sends the answers */
    Inference(IngressLimits limits, QueryService service, Executor answering) {
        this.limits = limits;
        this.service = service;
        this.answering = answering;
        room = new Room(limits.queries(), limits.bytes());
    }

    int active() {
        return room.queries();
    }

    /**
     * The exchange is closed once it is answered, which is later than this returns.
     *
     * @throws Refusal if the query is not taken; the exchange is still open then
     * @throws IOException if it does not come; as above
     */
    void take(HttpExchange exchange, WorkflowSpec workflow, String id) throws Refusal, IOException {
        long begunNs = System.nanoTime();
        double deadlineMs = Headers.deadlineMs(exchange, limits);
        long length = Headers.length(exchange);
        if (length > limits.bodyBytes()) {
            throw tooLarge(length + " bytes");
        }
        // Of a body that does not say how long it is the most may come.
        long size = length < 0 ? limits.bodyBytes() : length;
        if (!room.enter(size)) {
            throw new Refusal(
                    429,
                    room.queries() + " queries are being answered, at most " + limits.queries() + " of "
                            + limits.bytes() + " bytes together: ask again later");
        }
        boolean isAsked = false;
        try {
            InferRequest request;
            try (InputStream body = new LimitedBody(exchange.getRequestBody(), limits.bodyBytes())) {
                request = InferRequest.read(body, workflow);
            } catch (LimitedBody.TooLargeException e) {
                throw tooLarge("more");
            }
            double tookMs = (System.nanoTime() - begunNs) / 1e6;
            if (tookMs >= deadlineMs) {
                throw new Refusal(504, "it took longer to come than its " + deadlineMs + " ms");
            }
            // It ends with the answer, which catches what fails.
            CompletableFuture<?> unused = service.ask(workflow, request.inputs(), deadlineMs - tookMs)
                    .whenCompleteAsync(
                            (outputs, failure) -> answer(exchange, workflow, request, id, outputs, failure, size),
                            answering);
            isAsked = true;
        } finally {
            if (!isAsked) {
                room.leave(size);
            }
        }
    }

    private Refusal tooLarge(String size) {
        return new Refusal(413, "the query has " + size + ", must have " + limits.bodyBytes() + " bytes at most");
    }

    private void answer(
            HttpExchange exchange,
            WorkflowSpec workflow,
            InferRequest request,
            String id,
            @Nullable Map<String, Tensor> outputs,
            @Nullable Throwable failure,
            long size) {
        try (exchange) {
            if (failure == null) {
                Answers.outputs(exchange, workflow.name(), request, id, Objects.requireNonNull(outputs));
            } else {
                Answers.refuse(exchange, refusal(id, failure));
            }
        } catch (IOException e) {
            LOG.debug("{} went before its answer came", id, e);
        } catch (RuntimeException e) {
            LOG.error("the answer to {} failed", id, e);
        } finally {
            room.leave(size);
        }
    }

    private static Refusal refusal(String id, Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof QueryException e) {
            return Refusal.of(e);
        }
        LOG.error("query {} failed", id, cause);
        return new Refusal(500, "the service failed, see its log for " + id);
    }
}
