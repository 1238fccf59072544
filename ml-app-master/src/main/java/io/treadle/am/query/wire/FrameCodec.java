// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.wire;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.am.query.tensor.Tensor;
import io.treadle.am.query.tensor.TensorException;
import io.treadle.am.query.tensor.TensorType;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Frames as bytes: lengths of a head and of what follows, the head as JSON, the tensors' numbers. */
public final class FrameCodec {
    private static final int MOST_HEAD_BYTES = 16 << 20;

    private static final ObjectMapper JSON = new ObjectMapper()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);

    private static final Map<String, Class<?>> KINDS = Stream.of(Message.class.getPermittedSubclasses())
            .collect(Collectors.toUnmodifiableMap(Class::getSimpleName, Function.identity()));

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
     * @throws WireException if it is longer than it may be; nothing has been written then
     * @throws IOException if it cannot be written
     */
    public void write(Frame frame, DataOutputStream out) throws IOException {
        ObjectNode head = JSON.createObjectNode();
        head.put("kind", frame.message().getClass().getSimpleName());
        head.set("body", JSON.valueToTree(frame.message()));
        ArrayNode tensors = head.putArray("tensors");
        List<Tensor> data = new ArrayList<>();
        long bytes = 0;
        for (Map.Entry<String, Tensor> each : frame.tensors().entrySet()) {
            Tensor tensor = each.getValue();
            ObjectNode one = tensors.addObject();
            one.put("name", each.getKey()).put("datatype", tensor.type().name()).put("bytes", tensor.size());
            ArrayNode shape = one.putArray("shape");
            tensor.shape().forEach(length -> shape.add(length.longValue()));
            data.add(tensor);
            bytes += tensor.size();
        }
        byte[] text = JSON.writeValueAsBytes(head);
        check(text.length, bytes);
        out.writeInt(text.length);
        out.writeInt((int) bytes);
        out.write(text);
        for (Tensor tensor : data) {
            byte[] numbers = new byte[tensor.size()];
            tensor.data().get(numbers);
            out.write(numbers);
        }
        out.flush();
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
        try {
            JsonNode head = JSON.readTree(text);
            Class<?> kind = KINDS.get(head.path("kind").asText());
            if (kind == null) {
                throw new WireException("a message is of the kind " + head.path("kind") + ", must be one of "
                        + KINDS.keySet().stream().sorted().toList());
            }
            Message message = (Message) Objects.requireNonNull(JSON.treeToValue(head.path("body"), kind));
            return new Frame(message, tensors(head.path("tensors"), ByteBuffer.wrap(numbers)));
        } catch (JsonProcessingException | IllegalArgumentException | NullPointerException e) {
            throw new WireException("a head is no message: " + e.getMessage());
        } catch (TensorException e) {
            throw new WireException("a tensor " + e.getMessage());
        }
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
