// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.am.query.tensor.Tensor;
import io.treadle.am.query.tensor.TensorException;
import io.treadle.am.query.tensor.TensorJson;
import io.treadle.am.query.tensor.TensorType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Queries and answers in the Open Inference Protocol (docs/spec/query-http.md). */
final class QueryBody {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private QueryBody() {}

    /** A query about one image. */
    static byte[] of(Arrival arrival, Digits images) {
        float[] image = images.image(arrival.image());
        float[] shown = arrival.workflow().noisy() ? Noise.on(image, arrival.noiseSeed()) : image;
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        try (JsonGenerator json = MAPPER.createGenerator(body)) {
            json.writeStartObject();
            json.writeFieldName("inputs");
            TensorJson.write(Map.of("image", tensor(shown)), json);
            json.writeArrayFieldStart("outputs");
            json.writeStartObject();
            json.writeStringField("name", arrival.workflow().output());
            json.writeEndObject();
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("memory must be writable", e);
        }
        return body.toByteArray();
    }

    private static Tensor tensor(float[] image) {
        ByteBuffer data = ByteBuffer.allocate(Float.BYTES * image.length).order(ByteOrder.LITTLE_ENDIAN);
        data.asFloatBuffer().put(image);
        try {
            return new Tensor(TensorType.FP32, List.of(1L, (long) image.length), data);
        } catch (TensorException e) {
            throw new IllegalStateException("an image must be a tensor", e);
        }
    }

    /** The first number of an output; empty if the answer has none. */
    static OptionalLong number(byte[] answer, String output) {
        JsonNode json;
        try {
            json = MAPPER.readTree(answer);
        } catch (IOException e) {
            return OptionalLong.empty();
        }
        for (JsonNode each : json.path("outputs")) {
            JsonNode first = each.path("data").path(0);
            if (each.path("name").asText().equals(output) && first.isIntegralNumber()) {
                return OptionalLong.of(first.longValue());
            }
        }
        return OptionalLong.empty();
    }
}
