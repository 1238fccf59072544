// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A tensor that a workflow is asked with.
 *
 * @param datatype by its name in the Open Inference Protocol
 * @param shape lengths of its dimensions; {@link #ANY} where it may be any
 */
record InputSpec(String name, String datatype, List<Long> shape) {
    private static final long ANY = -1;

    InputSpec {
        shape = List.copyOf(shape);
    }

    /** As {@code GET /v2/models/WORKFLOW} has it. */
    static InputSpec ofModel(JsonNode input) {
        List<Long> shape = new ArrayList<>();
        input.path("shape").forEach(length -> shape.add(length.asLong(ANY)));
        return new InputSpec(input.path("name").asText(), input.path("datatype").asText(), shape);
    }

    /** As the schema in {@code /openapi.json} has it. */
    static InputSpec ofSchema(JsonNode schema) {
        JsonNode properties = schema.path("properties");
        List<Long> shape = new ArrayList<>();
        properties
                .path("shape")
                .path("prefixItems")
                .forEach(length -> shape.add(length.path("const").asLong(ANY)));
        return new InputSpec(
                properties.path("name").path("const").asText(),
                properties.path("datatype").path("const").asText(),
                shape);
    }

    boolean fits(List<Long> given) {
        if (given.size() != shape.size()) {
            return false;
        }
        for (int i = 0; i < given.size(); i++) {
            if (shape.get(i) != ANY && !shape.get(i).equals(given.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** {@code [any, 3]}. */
    String shapeText() {
        return shape.stream()
                .map(length -> length == ANY ? "any" : String.valueOf(length))
                .collect(Collectors.joining(", ", "[", "]"));
    }

    /** {@code image FP32[any, 3]}. */
    String text() {
        return name + " " + datatype + shapeText();
    }
}
