// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.protocol;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.core.wire.WireFormatException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads JSON objects with complaints that name the record, the field and its value. */
public final class Json {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Json() {}

    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /** @throws WireFormatException if {@code text} is not one JSON object */
    public static ObjectNode parse(String what, String text) {
        try {
            if (MAPPER.readTree(text) instanceof ObjectNode object) {
                return object;
            }
        } catch (JsonProcessingException e) {
            throw new WireFormatException(what + " is not JSON: " + e.getOriginalMessage(), e);
        }
        throw new WireFormatException(what + " must be a JSON object, but reads " + quote(text));
    }

    public static String text(ObjectNode object, String field) {
        JsonNode value = object.path(field);
        if (!value.isTextual()) {
            throw wrong(field, value, "a string");
        }
        return value.textValue();
    }

    public static long integer(ObjectNode object, String field) {
        JsonNode value = object.path(field);
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            throw wrong(field, value, "a whole number");
        }
        return value.longValue();
    }

    public static long integer(ObjectNode object, String field, long least, long most) {
        long value = integer(object, field);
        if (value < least || value > most) {
            throw wrong(field, object.path(field), "a whole number from " + least + " to " + most);
        }
        return value;
    }

    public static int smallInteger(ObjectNode object, String field) {
        return (int) integer(object, field, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    public static double number(ObjectNode object, String field) {
        JsonNode value = object.path(field);
        if (!value.isNumber() || !Double.isFinite(value.doubleValue())) {
            throw wrong(field, value, "a finite number");
        }
        return value.doubleValue();
    }

    public static <E extends Enum<E>> E word(ObjectNode object, String field, Class<E> words) {
        String value = text(object, field);
        for (E word : words.getEnumConstants()) {
            if (word.name().equalsIgnoreCase(value)) {
                return word;
            }
        }
        throw wrong(field, object.path(field), "one of " + java.util.Arrays.toString(words.getEnumConstants()));
    }

    /** The string fields of the object {@code field}; empty where it is absent. */
    public static Map<String, String> texts(ObjectNode object, String field) {
        Map<String, String> texts = new LinkedHashMap<>();
        if (object.path(field) instanceof ObjectNode map) {
            map.fields()
                    .forEachRemaining(
                            entry -> texts.put(entry.getKey(), entry.getValue().asText()));
        }
        return texts;
    }

    public static void putTexts(ObjectNode object, String field, Map<String, String> texts) {
        ObjectNode map = object.putObject(field);
        texts.forEach(map::put);
    }

    private static WireFormatException wrong(String field, JsonNode value, String right) {
        return new WireFormatException("field '" + field + "' is " + quote(value.toString()) + ", must be " + right);
    }

    private static String quote(String text) {
        return text.length() <= 120 ? text : text.substring(0, 117) + "...";
    }
}
