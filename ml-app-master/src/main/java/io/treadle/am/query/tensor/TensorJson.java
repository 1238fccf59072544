// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.tensor;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Tensors as the Open Inference Protocol (version 2 of KServe's) has them: {@code {"name": "x", "shape": [1, 3], "datatype":
 * "FP32", "data": [1, 2, 3]}}, the data flat or nested as the shape is.
 */
public final class TensorJson {
    private TensorJson() {}

    /**
     * @param list an array of tensors
     * @return by name, in their order
     * @throws TensorException if it is none, or one of them is not right; the message names it
     */
    public static Map<String, Tensor> read(JsonNode list) throws TensorException {
        if (!list.isArray()) {
            throw new TensorException("is " + shown(list) + ", must be a list of tensors");
        }
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        for (JsonNode each : list) {
            String name = each.path("name").asText("");
            if (name.isEmpty()) {
                throw new TensorException(
                        "has a tensor whose name is " + shown(each.path("name")) + ", must be a text");
            }
            if (tensors.containsKey(name)) {
                throw new TensorException("has '" + name + "' twice, must have it once");
            }
            tensors.put(name, tensor(name, each));
        }
        return tensors;
    }

    private static Tensor tensor(String name, JsonNode json) throws TensorException {
        TensorType type = TensorType.of(json.path("datatype").asText(""))
                .orElseThrow(() -> new TensorException("'" + name + "' has the datatype " + shown(json.path("datatype"))
                        + ", must be one of " + TensorType.names()));
        List<Long> shape = new ArrayList<>();
        if (!json.path("shape").isArray()) {
            throw new TensorException(
                    "'" + name + "' has the shape " + shown(json.path("shape")) + ", must be a list of lengths");
        }
        for (JsonNode length : json.path("shape")) {
            if (!length.isIntegralNumber() || !length.canConvertToLong()) {
                throw new TensorException(
                        "'" + name + "' has the shape " + shown(json.path("shape")) + ", must be a list of lengths");
            }
            shape.add(length.longValue());
        }
        try {
            long count = Tensor.count(shape);
            List<JsonNode> numbers = new ArrayList<>();
            flatten(json.path("data"), numbers);
            if (numbers.size() != count) {
                throw new TensorException(
                        "has " + numbers.size() + " numbers, must have " + count + " for the shape " + shape);
            }
            ByteBuffer data =
                    ByteBuffer.allocate(Math.toIntExact(count * type.bytes())).order(ByteOrder.LITTLE_ENDIAN);
            for (JsonNode number : numbers) {
                put(type, number, data);
            }
            return new Tensor(type, shape, data.flip());
        } catch (ArithmeticException e) {
            throw new TensorException("'" + name + "' has the shape " + shape + ", must be below 2 GiB");
        } catch (TensorException e) {
            throw new TensorException("'" + name + "' " + e.getMessage());
        }
    }

    private static void flatten(JsonNode data, List<JsonNode> numbers) throws TensorException {
        if (!data.isArray()) {
            throw new TensorException("has the data " + shown(data) + ", must be a list of numbers");
        }
        for (JsonNode each : data) {
            if (each.isArray()) {
                flatten(each, numbers);
            } else {
                numbers.add(each);
            }
        }
    }

    private static void put(TensorType type, JsonNode number, ByteBuffer data) throws TensorException {
        boolean isRight =
                switch (type) {
                    case BOOL -> number.isBoolean();
                    case FP32 -> number.isNumber() && Float.isFinite(number.floatValue());
                    case FP64 -> number.isNumber() && Double.isFinite(number.doubleValue());
                    case UINT8 -> isWhole(number, 0, 255);
                    case INT8 -> isWhole(number, Byte.MIN_VALUE, Byte.MAX_VALUE);
                    case INT32 -> isWhole(number, Integer.MIN_VALUE, Integer.MAX_VALUE);
                    case INT64 -> number.isIntegralNumber() && number.canConvertToLong();
                };
        if (!isRight) {
            throw new TensorException("holds " + shown(number) + ", must hold " + type + " alone");
        }
        switch (type) {
            case BOOL -> data.put((byte) (number.booleanValue() ? 1 : 0));
            case UINT8, INT8 -> data.put((byte) number.intValue());
            case INT32 -> data.putInt(number.intValue());
            case INT64 -> data.putLong(number.longValue());
            case FP32 -> data.putFloat(number.floatValue());
            case FP64 -> data.putDouble(number.doubleValue());
        }
    }

    private static boolean isWhole(JsonNode number, long least, long most) {
        return number.isIntegralNumber()
                && number.canConvertToLong()
                && number.longValue() >= least
                && number.longValue() <= most;
    }

    private static String shown(JsonNode json) {
        String text = json.isMissingNode() ? "missing" : json.toString();
        return text.length() > 40 ? text.substring(0, 40) + "…" : text;
    }

    /** Writes an array of them, numbers flat; what is no finite number as {@code null}, for JSON has none. */
    public static void write(Map<String, Tensor> tensors, JsonGenerator out) throws IOException {
        out.writeStartArray();
        for (Map.Entry<String, Tensor> each : tensors.entrySet()) {
            Tensor tensor = each.getValue();
            out.writeStartObject();
            out.writeStringField("name", each.getKey());
            out.writeArrayFieldStart("shape");
            for (long length : tensor.shape()) {
                out.writeNumber(length);
            }
            out.writeEndArray();
            out.writeStringField("datatype", tensor.type().name());
            out.writeArrayFieldStart("data");
            ByteBuffer data = tensor.data();
            while (data.hasRemaining()) {
                number(tensor.type(), data, out);
            }
            out.writeEndArray();
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private static void number(TensorType type, ByteBuffer data, JsonGenerator out) throws IOException {
        switch (type) {
            case BOOL -> out.writeBoolean(data.get() != 0);
            case UINT8 -> out.writeNumber(data.get() & 0xff);
            case INT8 -> out.writeNumber((int) data.get());
            case INT32 -> out.writeNumber(data.getInt());
            case INT64 -> out.writeNumber(data.getLong());
            case FP32 -> {
                float value = data.getFloat();
                if (Float.isFinite(value)) {
                    out.writeNumber(value);
                } else {
                    out.writeNull();
                }
            }
            case FP64 -> {
                double value = data.getDouble();
                if (Double.isFinite(value)) {
                    out.writeNumber(value);
                } else {
                    out.writeNull();
                }
            }
        }
    }
}
