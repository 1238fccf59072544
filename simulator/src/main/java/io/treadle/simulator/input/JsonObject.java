// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.input;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An object of a JSON file, its values checked as they are asked for.
 *
 * @param place what it is in the file, for messages: {@code app 3}
 */
public record JsonObject(Path file, String place, JsonNode json) {
    /** Empty where it is missing, null, empty, or no single value. */
    public Optional<String> text(String field) {
        JsonNode value = json.path(field);
        return value.isValueNode() && !value.isNull() && !value.asText().isBlank()
                ? Optional.of(value.asText().trim())
                : Optional.empty();
    }

    /** @throws InputException if it is missing or empty */
    public String name(String field) {
        return text(field).orElseThrow(() -> wrong(field, "a name"));
    }

    public boolean has(String field) {
        return !json.path(field).isMissingNode() && !json.path(field).isNull();
    }

    /** @throws InputException if it is no whole number from {@code least} to {@code most}, as a number or as text */
    public long whole(String field, long least, long most) {
        double value = text(field).flatMap(Numbers::parse).orElse(Double.NaN);
        if (value != Math.rint(value) || !(value >= least && value <= most)) {
            throw wrong(field, "a whole number from " + least + " to " + most);
        }
        return (long) value;
    }

    /** @throws InputException if it is no number from {@code least} to {@code most}, as a number or as text */
    public double number(String field, double least, double most) {
        double value = text(field).flatMap(Numbers::parse).orElse(Double.NaN);
        if (!(value >= least && value <= most)) {
            throw wrong(field, "a number from " + Row.plain(least) + " to " + Row.plain(most));
        }
        return value;
    }

    /** The object of a field; one without fields where it is missing. */
    public JsonObject object(String field) {
        return new JsonObject(file, place, json.path(field));
    }

    /** The objects of a list; one that stands alone counts as a list of it, and nothing as an empty one. */
    public List<JsonObject> list(String field) {
        JsonNode value = json.path(field);
        List<JsonObject> objects = new ArrayList<>();
        if (value.isArray()) {
            value.forEach(each -> objects.add(new JsonObject(file, place, each)));
        } else if (value.isObject()) {
            objects.add(new JsonObject(file, place, value));
        } else if (has(field)) {
            throw wrong(field, "a list");
        }
        return objects;
    }

    public InputException wrong(String field, String expected) {
        JsonNode value = json.path(field);
        return new InputException(file + ", " + place + ", '" + field + "': is "
                + (value.isMissingNode() ? "missing" : "'" + JsonFile.cut(value.toString()) + "'") + ", must be "
                + expected + ".");
    }
}
