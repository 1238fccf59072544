// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.input;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A value on a line of JSON Lines, checked as it is asked for. A field that is null is as one that is missing.
 *
 * @param line the line's number in the file, from 1
 * @param path where the value is on it, such as {@code layers[2].gradientBytes}; empty for the whole line
 */
public record JsonLine(Path file, long line, String path, JsonNode json) {
    private static final ObjectMapper JSON = new ObjectMapper()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY);

    /** @throws InputException if the line is no object of JSON, or has a field twice */
    public static JsonLine parse(Path file, long line, String text) {
        try {
            JsonLine whole = new JsonLine(file, line, "", JSON.readTree(text));
            if (!whole.json.isObject()) {
                throw new InputException(
                        file + ", line " + line + ": is '" + JsonFile.cut(text) + "', must be an object of JSON: {…}.");
            }
            return whole;
        } catch (JsonProcessingException e) {
            throw new InputException(
                    file + ", line " + line + ": is no JSON, which has one object a line: " + e.getOriginalMessage()
                            + ".",
                    e);
        }
    }

    public boolean isThere() {
        return !json.isMissingNode() && !json.isNull();
    }

    /**
     * A field of this object; of one that is missing all are missing.
     *
     * @throws InputException if this is no object
     */
    public JsonLine field(String name) {
        if (isThere() && !json.isObject()) {
            throw wrong("an object: {…}");
        }
        return new JsonLine(file, line, path.isEmpty() ? name : path + "." + name, json.path(name));
    }

    /** @throws InputException if it is no list */
    public List<JsonLine> list() {
        if (!json.isArray()) {
            throw wrong("a list: […]");
        }
        List<JsonLine> values = new ArrayList<>(json.size());
        for (int i = 0; i < json.size(); i++) {
            values.add(new JsonLine(file, line, path + "[" + i + "]", json.get(i)));
        }
        return values;
    }

    /** @throws InputException if it is no text, or a blank one */
    public String text() {
        if (!json.isTextual() || json.asText().isBlank()) {
            throw wrong("a text");
        }
        return json.asText().trim();
    }

    /** @throws InputException if it is there and no text */
    public String textOr(String missing) {
        if (!isThere()) {
            return missing;
        }
        if (!json.isTextual()) {
            throw wrong("a text");
        }
        return json.asText().trim();
    }

    /** @throws InputException if it is no number from {@code least} to {@code most} */
    public double number(double least, double most) {
        double value = json.isNumber() ? json.doubleValue() : Double.NaN;
        if (!(value >= least && value <= most)) {
            throw wrong("a number from " + Row.plain(least) + " to " + Row.plain(most));
        }
        return value;
    }

    /** As {@link #number}, where nothing stands for some number. */
    public double numberOr(double missing, double least, double most) {
        return isThere() ? number(least, most) : missing;
    }

    /** @throws InputException if it is no number above 0 and up to {@code most} */
    public double positive(double most) {
        double value = json.isNumber() ? json.doubleValue() : Double.NaN;
        if (!(value > 0 && value <= most)) {
            throw wrong("a number above 0 and at most " + Row.plain(most));
        }
        return value;
    }

    /** As {@link #positive}, where nothing stands for some number. */
    public double positiveOr(double missing, double most) {
        return isThere() ? positive(most) : missing;
    }

    /** @throws InputException if it is no whole number from {@code least} to {@code most} */
    public long whole(long least, long most) {
        double value = json.isNumber() ? json.doubleValue() : Double.NaN;
        if (value != Math.rint(value) || !(value >= least && value <= most)) {
            throw wrong("a whole number from " + least + " to " + most);
        }
        return (long) value;
    }

    /** As {@link #whole}, where nothing stands for some number. */
    public long wholeOr(long missing, long least, long most) {
        return isThere() ? whole(least, most) : missing;
    }

    /** @param expected what it must be */
    public InputException wrong(String expected) {
        return new InputException(file + ", line " + line + ", '" + path + "': is "
                + (isThere() ? "'" + JsonFile.cut(json.isTextual() ? json.asText() : json.toString()) + "'" : "missing")
                + ", must be " + expected + ".");
    }
}
