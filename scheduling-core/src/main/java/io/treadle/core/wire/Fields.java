// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the fields of one JSON object and names the object, the field and the value in every complaint. */
public final class Fields {
    public static final ObjectMapper MAPPER = new ObjectMapper();

    private final String what;
    private final ObjectNode object;

    private Fields(String what, ObjectNode object) {
        this.what = what;
        this.object = object;
    }

    /** @throws WireFormatException if {@code text} is not one JSON object */
    public static Fields parse(String what, String text) {
        JsonNode node;
        try {
            node = MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw new WireFormatException(
                    what + " is not JSON: " + e.getOriginalMessage() + "; it reads " + quote(text), e);
        }
        return of(what, node);
    }

    static Fields of(String what, @Nullable JsonNode node) {
        if (node instanceof ObjectNode object) {
            return new Fields(what, object);
        }

        throw new WireFormatException(what + " must be a JSON object, but reads " + quote(String.valueOf(node)));
    }

    /** Parses a JSON array of objects. */
    static List<Fields> parseArray(String what, String text) {
        try {
            JsonNode node = MAPPER.readTree(text);
            if (node == null || !node.isArray()) {
                throw new WireFormatException(what + " must be a JSON array, but reads " + quote(text));
            }
            List<Fields> items = new ArrayList<>();
            for (JsonNode item : node) {
                items.add(of(what + "[" + items.size() + "]", item));
            }
            return items;
        } catch (JsonProcessingException e) {
            throw new WireFormatException(
                    what + " is not JSON: " + e.getOriginalMessage() + "; it reads " + quote(text), e);
        }
    }

    /** @throws WireFormatException if the record's {@code schema} is newer than {@code supported} */
    public Fields checkSchema(int supported) {
        long schema = integer("schema", 1, Integer.MAX_VALUE);
        if (schema > supported) {
            throw new WireFormatException(what + " has schema " + schema + ", this Treadle reads up to " + supported
                    + ". Maybe this process has to be upgraded.");
        }
        return this;
    }

    /** What the object is, for messages. */
    String what() {
        return what;
    }

    public boolean has(String name) {
        return object.hasNonNull(name);
    }

    public String text(String name) {
        JsonNode value = required(name);
        if (!value.isTextual()) {
            throw wrong(name, value, "a string");
        }
        return value.textValue();
    }

    Optional<String> optionalText(String name) {
        return has(name) ? Optional.of(text(name)) : Optional.empty();
    }

    public long integer(String name, long least, long most) {
        JsonNode value = required(name);
        if (!value.isIntegralNumber()
                || !value.canConvertToLong()
                || value.longValue() < least
                || value.longValue() > most) {
            throw wrong(name, value, "a whole number from " + least + " to " + most);
        }
        return value.longValue();
    }

    public long integer(String name, long least, long most, long otherwise) {
        return has(name) ? integer(name, least, most) : otherwise;
    }

    public double number(String name, double least, double most) {
        JsonNode value = required(name);
        double number = value.isNumber() ? value.doubleValue() : Double.NaN;
        if (!(number >= least && number <= most)) {
            throw wrong(name, value, "a number from " + least + " to " + most);
        }
        return number;
    }

    public double number(String name, double least, double most, double otherwise) {
        return has(name) ? number(name, least, most) : otherwise;
    }

    public boolean flag(String name, boolean otherwise) {
        if (!has(name)) {
            return otherwise;
        }
        JsonNode value = required(name);
        if (!value.isBoolean()) {
            throw wrong(name, value, "true or false");
        }
        return value.booleanValue();
    }

    <E extends Enum<E>> E word(String name, Class<E> words) {
        String value = text(name);
        for (E word : words.getEnumConstants()) {
            if (word.name().toLowerCase(java.util.Locale.ROOT).equals(value)) {
                return word;
            }
        }
        throw new WireFormatException(what + ": field '" + name + "' is '" + value + "', must be one of "
                + java.util.Arrays.toString(words.getEnumConstants()).toLowerCase(java.util.Locale.ROOT));
    }

    public Fields object(String name) {
        return of(what + "." + name, required(name));
    }

    public List<Fields> objects(String name) {
        List<Fields> items = new ArrayList<>();
        for (JsonNode item : array(name)) {
            items.add(of(what + "." + name + "[" + items.size() + "]", item));
        }
        return items;
    }

    public List<String> texts(String name) {
        List<String> items = new ArrayList<>();
        if (has(name)) {
            for (JsonNode item : array(name)) {
                if (!item.isTextual()) {
                    throw wrong(name, item, "a string");
                }
                items.add(item.textValue());
            }
        }
        return List.copyOf(items);
    }

    List<Integer> integers(String name) {
        List<Integer> items = new ArrayList<>();
        for (JsonNode item : array(name)) {
            if (!item.canConvertToInt() || !item.isIntegralNumber()) {
                throw wrong(name, item, "a whole number");
            }
            items.add(item.intValue());
        }
        return List.copyOf(items);
    }

    public long[] longs(String name) {
        List<Long> items = new ArrayList<>();
        for (JsonNode item : array(name)) {
            if (!item.isIntegralNumber() || !item.canConvertToLong()) {
                throw wrong(name, item, "a whole number");
            }
            items.add(item.longValue());
        }
        return items.stream().mapToLong(Long::longValue).toArray();
    }

    public double[] numbers(String name) {
        List<Double> items = new ArrayList<>();
        for (JsonNode item : array(name)) {
            if (!item.isNumber()) {
                throw wrong(name, item, "a number");
            }
            items.add(item.doubleValue());
        }
        return items.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** The names of all fields of this object, in their order. */
    List<String> names() {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private JsonNode array(String name) {
        JsonNode value = required(name);
        if (!value.isArray()) {
            throw wrong(name, value, "an array");
        }
        return value;
    }

    private JsonNode required(String name) {
        JsonNode value = object.get(name);
        if (value == null || value.isNull()) {
            throw new WireFormatException(what + ": field '" + name + "' is missing");
        }
        return value;
    }

    private WireFormatException wrong(String name, JsonNode value, String right) {
        return new WireFormatException(
                what + ": field '" + name + "' is " + quote(value.toString()) + ", must be " + right);
    }

    private static String quote(String text) {
        return text.length() <= 120 ? text : text.substring(0, 117) + "...";
    }
}
