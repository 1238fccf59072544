// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** Nested lists of numbers as the tensor that a workflow takes. */
final class InputTensor {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final InputSpec spec;
    private final List<Long> shape = new ArrayList<>();
    private final ArrayNode data = MAPPER.createArrayNode();

    private InputTensor(InputSpec spec) {
        this.spec = spec;
    }

    /** @throws ClientException if the value is ragged, or of another type or shape than the workflow takes */
    static ObjectNode of(InputSpec spec, JsonNode value) {
        InputTensor tensor = new InputTensor(spec);
        // The first of each list says how long the lists are; that the others are alike is checked on the way.
        for (JsonNode first = value; first.isArray(); first = first.path(0)) {
            tensor.shape.add((long) first.size());
        }
        tensor.flatten(value, 0, spec.name());
        tensor.checkShape();
        ObjectNode json = MAPPER.createObjectNode().put("name", spec.name()).put("datatype", spec.datatype());
        ArrayNode lengths = json.putArray("shape");
        tensor.shape.forEach(lengths::add);
        json.set("data", tensor.data);
        return json;
    }

    private void flatten(JsonNode value, int depth, String at) {
        if (depth == shape.size()) {
            checkNumber(value, at);
            data.add(value);
            return;
        }
        long length = shape.get(depth);
        if (!value.isArray() || value.size() != length) {
            throw new ClientException("input '" + spec.name() + "' is ragged: " + at + " is "
                    + (value.isArray() ? "a list of " + value.size() : shown(value)) + ", must be a list of " + length
                    + " as its neighbours are");
        }
        for (int i = 0; i < length; i++) {
            flatten(value.get(i), depth + 1, at + "[" + i + "]");
        }
    }

    private void checkNumber(JsonNode value, String at) {
        if (value.isArray()) {
            throw new ClientException("input '" + spec.name() + "' is ragged: " + at + " is a list of " + value.size()
                    + ", must be a single value as its neighbours are");
        }
        switch (spec.datatype()) {
            case "BOOL" -> check(value.isBoolean(), value, at, "true or false");
            case "FP32", "FP64" -> check(value.isNumber(), value, at, "a number");
            case "UINT8", "INT8", "INT32", "INT64" -> check(value.isIntegralNumber(), value, at, "a whole number");
            default -> check(value.isValueNode() && !value.isNull(), value, at, "a value");
        }
    }

    private void check(boolean isRight, JsonNode value, String at, String right) {
        if (!isRight) {
            throw new ClientException(at + " is " + shown(value) + ", must be " + right + ", for '" + spec.name()
                    + "' is " + spec.datatype() + spec.shapeText());
        }
    }

    private void checkShape() {
        if (spec.fits(shape)) {
            return;
        }
        List<Long> wrapped = new ArrayList<>(List.of(1L));
        wrapped.addAll(shape);
        throw new ClientException("input '" + spec.name() + "' has the shape " + shape + ", must be " + spec.shapeText()
                + (spec.fits(wrapped) ? ".\nMaybe it lacks a pair of brackets around all of it: [[…]], not […]." : ""));
    }

    private static String shown(JsonNode value) {
        String text = value.toString();
        return text.length() > 40 ? text.substring(0, 40) + "…" : text;
    }
}
