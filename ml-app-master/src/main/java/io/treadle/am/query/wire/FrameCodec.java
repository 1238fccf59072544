// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.wire;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.treadle.am.query.tensor.Tensor;
import io.treadle.am.query.tensor.TensorException;
import io.treadle.am.query.tensor.TensorType;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Frames as bytes: lengths of a head and of what follows, the head as JSON, the tensors' numbers. */
public final class FrameCodec {
    private static final int MOST_HEAD_BYTES = 16 << 20;
    private static final int USUAL_HEAD_BYTES = 256;

    private static final ObjectMapper JSON = new ObjectMapper()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);

    private static final Map<String, ObjectReader> READERS = Stream.of(Message.class.getPermittedSubclasses())
            .collect(Collectors.toUnmodifiableMap(Class::getSimpleName, JSON::readerFor));
    /** That flush nothing: a frame is written as a whole. */
    private static final Map<Class<?>, ObjectWriter> WRITERS = Stream.of(Message.class.getPermittedSubclasses())
            .collect(Collectors.toUnmodifiableMap(Function.identity(), kind -> JSON.writerFor(kind)
                    .without(SerializationFeature.FLUSH_AFTER_WRITE_VALUE)));

    private final int mostBytes;
    private final int mostHeadBytes;

    /** @param mostBytes of all tensors of a frame */
    public FrameCodec(int mostBytes) {
        this(mostBytes, MOST_HEAD_BYTES);
    }

    /** @param mostHeadBytes of all else of a frame */
    public FrameCodec(int mostBytes, int mostHeadBytes) {
        this.mostBytes = mostBytes;
        this.mostHeadBytes = mostHeadBytes;
    }

    /**
     * Does not flush.
     *
     * @throws WireException if it is longer than it may be; nothing has been written then
     * @throws IOException if it cannot be written
     */
    public void write(Frame frame, DataOutputStream out) throws IOException {
        long bytes = bytes(frame);
        byte[] text = head(frame);
        check(text.length, bytes);
        out.writeInt(text.length);
        out.writeInt((int) bytes);
        out.write(text);
        for (Tensor tensor : frame.tensors().values()) {
            byte[] numbers = new byte[tensor.size()];
            tensor.data().get(numbers);
            out.write(numbers);
        }
    }

    private static long bytes(Frame frame) {
        return frame.tensors().values().stream().mapToLong(Tensor::size).sum();
    }

    /** @throws WireException if its tensors are larger than they may be */
    void check(Frame frame) throws WireException {
        check(1, bytes(frame));
    }

    /** Written as it goes: there are several for each task of a query, and a tree of each would take most of the time. */
    private static byte[] head(Frame frame) throws IOException {
        Class<?> kind = frame.message().getClass();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(USUAL_HEAD_BYTES);
        try (JsonGenerator json = JSON.getFactory().createGenerator(bytes)) {
            json.writeStartObject();
            json.writeStringField("kind", kind.getSimpleName());
            json.writeFieldName("body");
            Objects.requireNonNull(WRITERS.get(kind)).writeValue(json, frame.message());
            json.writeArrayFieldStart("tensors");
            for (Map.Entry<String, Tensor> each : frame.tensors().entrySet()) {
                Tensor tensor = each.getValue();
                json.writeStartObject();
                json.writeStringField("name", each.getKey());
                json.writeStringField("datatype", tensor.type().name());
                json.writeNumberField("bytes", tensor.size());
                json.writeArrayFieldStart("shape");
                for (long length : tensor.shape()) {
                    json.writeNumber(length);
                }
                json.writeEndArray();
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        return bytes.toByteArray();
    }

    private void check(int head, long bytes) throws WireException {
        if (head < 1 || head > mostHeadBytes) {
            throw new WireException("a head has " + head + " bytes, must have from 1 to " + mostHeadBytes);
        }
        if (bytes < 0 || bytes > mostBytes) {
            throw new WireException("tensors have " + bytes + " bytes, must have at most " + mostBytes);
        }
    }

    /**
     * @throws java.io.EOFException if nothing more comes
     * @throws WireException if what comes is no frame
     */
    public Frame read(DataInputStream in) throws IOException {
        int headLength = in.readInt();
        int length = in.readInt();
        check(headLength, length);
        byte[] text = in.readNBytes(headLength);
        byte[] numbers = in.readNBytes(length);
        if (text.length < headLength || numbers.length < length) {
            throw new WireException("a frame is cut off");
        }
        try (JsonParser head = JSON.getFactory().createParser(text)) {
            return frame(head, ByteBuffer.wrap(numbers));
        } catch (JsonProcessingException | IllegalArgumentException | NullPointerException e) {
            throw new WireException("a head is no message: " + e.getMessage());
        } catch (TensorException e) {
            throw new WireException("a tensor " + e.getMessage());
        }
    }

    /** Its fields may come in any order; a body that comes after its kind, as ours do, is read as it goes. */
    private static Frame frame(JsonParser head, ByteBuffer numbers) throws IOException, TensorException {
        JsonNode kind = MissingNode.getInstance();
        JsonNode tensors = MissingNode.getInstance();
        JsonNode unread = MissingNode.getInstance();
        Optional<Message> message = Optional.empty();
        if (head.nextToken() == JsonToken.START_OBJECT) {
            while (head.nextToken() == JsonToken.FIELD_NAME) {
                String field = head.currentName();
                head.nextToken();
                ObjectReader reader = READERS.get(kind.asText());
                switch (field) {
                    case "kind" -> kind = head.readValueAsTree();
                    case "tensors" -> tensors = head.readValueAsTree();
                    case "body" -> {
                        if (reader == null) {
                            unread = head.readValueAsTree();
                        } else {
                            message = Optional.of(reader.readValue(head));
                        }
                    }
                    default -> head.skipChildren();
                }
            }
        }
        ObjectReader reader = READERS.get(kind.asText());
        if (reader == null) {
            throw new WireException("a message is of the kind " + kind + ", must be one of "
                    + READERS.keySet().stream().sorted().toList());
        }
        if (message.isEmpty()) {
            message = Optional.of(reader.readValue(unread));
        }
        return new Frame(message.get(), tensors(tensors, numbers));
    }

    private static Map<String, Tensor> tensors(JsonNode heads, ByteBuffer numbers)
            throws TensorException, WireException {
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        for (JsonNode head : heads) {
            TensorType type = TensorType.of(head.path("datatype").asText())
                    .orElseThrow(() -> new WireException("a tensor has the datatype " + head.path("datatype")));
            List<Long> shape = new ArrayList<>();
            head.path("shape").forEach(length -> shape.add(length.asLong(-1)));
            int size = head.path("bytes").asInt(-1);
            if (size < 0 || size > numbers.remaining()) {
                throw new WireException(
                        "a tensor has " + head.path("bytes") + " bytes, " + numbers.remaining() + " are left");
            }
            ByteBuffer own = numbers.slice(numbers.position(), size);
            numbers.position(numbers.position() + size);
            tensors.put(head.path("name").asText(), new Tensor(type, shape, own));
        }
        if (numbers.hasRemaining()) {
            throw new WireException(numbers.remaining() + " bytes belong to no tensor");
        }
        return tensors;
    }
}
