// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.ingress;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import io.treadle.am.query.tensor.Tensor;
import io.treadle.am.query.tensor.TensorJson;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.Map;

/** What goes back to clients. */
final class Answers {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonFactory FACTORY = JSON.getFactory();
    /** Chunks of this size leave as they are written: a large answer is never held as text. */
    private static final int CHUNK_BYTES = 1 << 16;

    private Answers() {}

    static void refuse(HttpExchange exchange, Refusal refusal) throws IOException {
        if (refusal.isPassing()) {
            exchange.getResponseHeaders().set("Retry-After", "1");
        }
        if (refusal.status() == 401) {
            exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
        }
        json(exchange, refusal.status(), JSON.createObjectNode().put("error", String.valueOf(refusal.getMessage())));
    }

    static void json(HttpExchange exchange, int status, JsonNode body) throws IOException {
        byte[] bytes = JSON.writeValueAsBytes(body);
        typed(exchange);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    static void outputs(
            HttpExchange exchange, String workflow, InferRequest request, String requestId, Map<String, Tensor> outputs)
            throws IOException {
        Map<String, Tensor> wanted = new LinkedHashMap<>(outputs);
        wanted.keySet().retainAll(request.outputs());
        typed(exchange);
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = new BufferedOutputStream(exchange.getResponseBody(), CHUNK_BYTES);
                JsonGenerator json = FACTORY.createGenerator(out)) {
            json.writeStartObject();
            json.writeStringField("model_name", workflow);
            json.writeStringField("id", request.id().isEmpty() ? requestId : request.id());
            json.writeFieldName("outputs");
            TensorJson.write(wanted, json);
            json.writeEndObject();
        }
    }

    private static void typed(HttpExchange exchange) {
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
    }
}
