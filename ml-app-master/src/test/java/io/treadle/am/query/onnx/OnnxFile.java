// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.onnx;

import io.treadle.am.query.tensor.TensorSpec;
import io.treadle.am.query.tensor.TensorType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Writes small ONNX models, by the numbers that fields have in onnx.proto (ONNX 1.12, IR version 8): linear layers, sums and
 * the like, for tests and for the demo of services.
 */
public final class OnnxFile {
    /** An attribute that is a whole number. */
    private static final int INT = 2;

    private final ByteArrayOutputStream graph = new ByteArrayOutputStream();

    /** A field that is a message, a text or bytes. */
    private static void bytes(ByteArrayOutputStream out, int field, byte[] value) {
        varint(out, ((long) field << 3) | 2);
        varint(out, value.length);
        out.writeBytes(value);
    }

    private static void text(ByteArrayOutputStream out, int field, String value) {
        bytes(out, field, value.getBytes(StandardCharsets.UTF_8));
    }

    private static void number(ByteArrayOutputStream out, int field, long value) {
        varint(out, (long) field << 3);
        varint(out, value);
    }

    private static void varint(ByteArrayOutputStream out, long value) {
        long left = value;
        while ((left & ~0x7fL) != 0) {
            out.write((int) ((left & 0x7f) | 0x80));
            left >>>= 7;
        }
        out.write((int) left);
    }

    private static int number(TensorType type) {
        return switch (type) {
            case FP32 -> 1;
            case UINT8 -> 2;
            case INT8 -> 3;
            case INT32 -> 6;
            case INT64 -> 7;
            case BOOL -> 9;
            case FP64 -> 11;
        };
    }

    public OnnxFile node(String operator, List<String> inputs, String output) {
        return node(operator, inputs, output, Map.of());
    }

    /** @param attributes whole numbers, such as the axis of an ArgMax, by name */
    public OnnxFile node(String operator, List<String> inputs, String output, Map<String, Long> attributes) {
        ByteArrayOutputStream node = new ByteArrayOutputStream();
        inputs.forEach(input -> text(node, 1, input));
        text(node, 2, output);
        text(node, 4, operator);
        // In an order of their own: two runs are to write the same bytes.
        attributes.entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(entry -> {
            ByteArrayOutputStream attribute = new ByteArrayOutputStream();
            text(attribute, 1, entry.getKey());
            number(attribute, 3, entry.getValue());
            number(attribute, 20, INT);
            bytes(node, 5, attribute.toByteArray());
        });
        bytes(graph, 1, node.toByteArray());
        return this;
    }

    /** Weights. */
    public OnnxFile constant(String name, float[] values, long... shape) {
        ByteBuffer raw = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        raw.asFloatBuffer().put(values);
        return constant(name, TensorType.FP32, raw.array(), shape);
    }

    public OnnxFile constant(String name, long[] values, long... shape) {
        ByteBuffer raw = ByteBuffer.allocate(8 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        raw.asLongBuffer().put(values);
        return constant(name, TensorType.INT64, raw.array(), shape);
    }

    /** Weights of one dimension of bytes, which are another file. */
    public OnnxFile elsewhere(String name, String file, int length) {
        ByteArrayOutputStream tensor = new ByteArrayOutputStream();
        number(tensor, 1, length);
        number(tensor, 2, number(TensorType.INT8));
        text(tensor, 8, name);
        Map.of("location", file, "length", Integer.toString(length)).forEach((key, value) -> {
            ByteArrayOutputStream entry = new ByteArrayOutputStream();
            text(entry, 1, key);
            text(entry, 2, value);
            bytes(tensor, 13, entry.toByteArray());
        });
        number(tensor, 14, 1);
        bytes(graph, 5, tensor.toByteArray());
        return this;
    }

    private OnnxFile constant(String name, TensorType type, byte[] raw, long... shape) {
        ByteArrayOutputStream tensor = new ByteArrayOutputStream();
        for (long length : shape) {
            number(tensor, 1, length);
        }
        number(tensor, 2, number(type));
        text(tensor, 8, name);
        bytes(tensor, 9, raw);
        bytes(graph, 5, tensor.toByteArray());
        return this;
    }

    /** @param shape of floats, of which a length below 0 may be any */
    public OnnxFile input(String name, long... shape) {
        return input(floats(name, shape));
    }

    public OnnxFile input(TensorSpec tensor) {
        bytes(graph, 11, value(tensor));
        return this;
    }

    public OnnxFile output(String name, long... shape) {
        return output(floats(name, shape));
    }

    public OnnxFile output(TensorSpec tensor) {
        bytes(graph, 12, value(tensor));
        return this;
    }

    private static TensorSpec floats(String name, long... shape) {
        return new TensorSpec(
                name, TensorType.FP32, Arrays.stream(shape).boxed().toList());
    }

    private static byte[] value(TensorSpec spec) {
        ByteArrayOutputStream dimensions = new ByteArrayOutputStream();
        for (long length : spec.shape()) {
            ByteArrayOutputStream dimension = new ByteArrayOutputStream();
            if (length >= 0) {
                number(dimension, 1, length);
            } else {
                text(dimension, 2, "n");
            }
            bytes(dimensions, 1, dimension.toByteArray());
        }
        ByteArrayOutputStream tensor = new ByteArrayOutputStream();
        number(tensor, 1, number(spec.type()));
        bytes(tensor, 2, dimensions.toByteArray());
        ByteArrayOutputStream type = new ByteArrayOutputStream();
        bytes(type, 1, tensor.toByteArray());
        ByteArrayOutputStream value = new ByteArrayOutputStream();
        text(value, 1, spec.name());
        bytes(value, 2, type.toByteArray());
        return value.toByteArray();
    }

    public Path write(Path file) throws IOException {
        text(graph, 2, "g");
        ByteArrayOutputStream opset = new ByteArrayOutputStream();
        number(opset, 2, 13);
        ByteArrayOutputStream model = new ByteArrayOutputStream();
        number(model, 1, 8);
        bytes(model, 7, graph.toByteArray());
        bytes(model, 8, opset.toByteArray());
        return Files.write(file, model.toByteArray());
    }

    /** y = x · w + b, x of any number of rows. */
    public static Path linear(Path file, float[] w, int inputs, float... b) throws IOException {
        return new OnnxFile()
                .input("x", -1, inputs)
                .constant("w", w, inputs, b.length)
                .constant("b", b, b.length)
                .node("MatMul", List.of("x", "w"), "xw")
                .node("Add", List.of("xw", "b"), "y")
                .output("y", -1, b.length)
                .write(file);
    }
}
