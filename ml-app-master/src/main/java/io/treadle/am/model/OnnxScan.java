// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.model;

import io.treadle.core.text.PlainText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/**
 * Looks through an ONNX file for what would make ONNX Runtime read other files: a tensor may name one, and come out as an answer
 * of the model, which its author may be the one to get. Fields are by their numbers in onnx.proto (ONNX 1.17). It reads the file once,
 * skips what tensors hold, and takes memory for nothing but the depth of messages. Stateless; safe for use by several threads.
 */
public final class OnnxScan {
    /** As many as the readers of this format allow. */
    private static final int MOST_DEEP = 100;

    private static final int MOST_NAME = 80;
    /** Of a number that takes any length. */
    private static final int MOST_VARINT_BITS = 64;

    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int LENGTH = 2;
    private static final int FIXED32 = 5;

    private static final int NODE_OPERATOR = 4;
    private static final int TENSOR_NAME = 8;
    private static final int TENSOR_EXTERNAL_DATA = 13;
    private static final int TENSOR_DATA_LOCATION = 14;

    /** It names a file with a part that is compiled already. */
    private static final String OPERATOR_OF_FILES = "EPContext";
    /** ONNX Runtime's own format, which it knows by this, four bytes from the beginning. */
    private static final byte[] ORT_FORMAT = "ORTM".getBytes(StandardCharsets.US_ASCII);

    private static final String ADVICE = "\nMaybe save it as one file: onnx.save(onnx.load(path), other).";

    /** Messages that may have tensors in them, with those of their fields that may. */
    private enum Kind {
        MODEL,
        TRAINING,
        GRAPH,
        FUNCTION,
        NODE,
        ATTRIBUTE,
        SPARSE_TENSOR,
        TENSOR;

        private static final Map<Kind, Map<Integer, Kind>> FIELDS = Map.of(
                MODEL, Map.of(7, GRAPH, 20, TRAINING, 25, FUNCTION),
                TRAINING, Map.of(1, GRAPH, 2, GRAPH),
                GRAPH, Map.of(1, NODE, 5, TENSOR, 15, SPARSE_TENSOR),
                FUNCTION, Map.of(7, NODE, 11, ATTRIBUTE),
                NODE, Map.of(5, ATTRIBUTE),
                ATTRIBUTE, Map.of(5, TENSOR, 6, GRAPH, 10, TENSOR, 11, GRAPH, 22, SPARSE_TENSOR, 23, SPARSE_TENSOR),
                SPARSE_TENSOR, Map.of(1, TENSOR, 2, TENSOR),
                TENSOR, Map.of());

        Map<Integer, Kind> fields() {
            return FIELDS.getOrDefault(this, Map.of());
        }
    }

    private final ByteBuffer bytes;

    private OnnxScan(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    /**
     * @throws UnsafeModelException if the file would have others read, or is no ONNX file
     * @throws IOException if it cannot be read
     */
    public static void check(Path file) throws IOException, UnsafeModelException {
        try (FileChannel channel = FileChannel.open(file)) {
            if (channel.size() > Integer.MAX_VALUE) {
                throw new UnsafeModelException("it has " + channel.size() + " bytes, an ONNX file has at most 2 GiB");
            }
            check(channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size()));
        }
    }

    static void check(ByteBuffer bytes) throws UnsafeModelException {
        ByteBuffer own = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        if (own.remaining() >= 8 && own.slice(4, 4).equals(ByteBuffer.wrap(ORT_FORMAT))) {
            throw new UnsafeModelException("it is in ONNX Runtime's own format, must be an ONNX file");
        }
        new OnnxScan(own).message(Kind.MODEL, own.limit(), 0);
    }

    /** From the buffer's position on. */
    private void message(Kind kind, int end, int depth) throws UnsafeModelException {
        if (depth > MOST_DEEP) {
            throw new UnsafeModelException("its parts are in each other more than " + MOST_DEEP + " deep");
        }
        int begin = bytes.position();
        while (bytes.position() < end) {
            long tag = varint(end);
            long field = tag >>> 3;
            int wire = (int) (tag & 7);
            if (field == 0 || field >= 1 << 29) {
                throw broken();
            }
            Kind inner = wire == LENGTH ? kind.fields().get((int) field) : null;
            if (inner != null) {
                message(inner, end(end), depth + 1);
            } else if (kind == Kind.TENSOR && (field == TENSOR_EXTERNAL_DATA || field == TENSOR_DATA_LOCATION)) {
                external((int) field, wire, begin, end);
            } else if (kind == Kind.NODE && field == NODE_OPERATOR && wire == LENGTH) {
                operator(end(end));
            } else {
                skip(wire, end);
            }
        }
    }

    private void external(int field, int wire, int begin, int end) throws UnsafeModelException {
        // That the tensor's data is in the file is said by 0.
        if (field == TENSOR_DATA_LOCATION && wire == VARINT && varint(end) == 0) {
            return;
        }
        bytes.position(begin);
        throw new UnsafeModelException("its tensor '" + tensorName(end)
                + "' has its data in another file, must have it in the model's own." + ADVICE);
    }

    private String tensorName(int end) throws UnsafeModelException {
        while (bytes.position() < end) {
            long tag = varint(end);
            if (tag == (TENSOR_NAME << 3 | LENGTH)) {
                return text(end(end));
            }
            skip((int) (tag & 7), end);
        }
        return "";
    }

    private void operator(int end) throws UnsafeModelException {
        if (end - bytes.position() == OPERATOR_OF_FILES.length() && text(end).equals(OPERATOR_OF_FILES)) {
            throw new UnsafeModelException("its operator " + OPERATOR_OF_FILES
                    + " has ONNX Runtime read another file, must have operators of ONNX alone");
        }
        bytes.position(end);
    }

    /** The first characters. */
    private String text(int end) {
        byte[] text = new byte[Math.min(MOST_NAME, end - bytes.position())];
        bytes.get(text);
        bytes.position(end);
        return PlainText.line(new String(text, StandardCharsets.UTF_8));
    }

    private void skip(int wire, int end) throws UnsafeModelException {
        switch (wire) {
            case VARINT -> {
                long unused = varint(end);
            }
            case FIXED64 -> step(8, end);
            case FIXED32 -> step(4, end);
            case LENGTH -> bytes.position(end(end));
            // Groups are of a time before ONNX.
            default -> throw broken();
        }
    }

    private void step(int length, int end) throws UnsafeModelException {
        if (length > end - bytes.position()) {
            throw broken();
        }
        bytes.position(bytes.position() + length);
    }

    /** Of the field whose length comes next. */
    private int end(int outer) throws UnsafeModelException {
        long length = varint(outer);
        if (length < 0 || length > outer - bytes.position()) {
            throw broken();
        }
        return bytes.position() + (int) length;
    }

    private long varint(int end) throws UnsafeModelException {
        long value = 0;
        for (int shift = 0; shift < MOST_VARINT_BITS; shift += 7) {
            if (bytes.position() >= end) {
                throw broken();
            }
            byte next = bytes.get();
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw broken();
    }

    private UnsafeModelException broken() {
        return new UnsafeModelException(
                "it is no ONNX file, or was cut off: what stands at byte " + bytes.position() + " cannot be");
    }
}
