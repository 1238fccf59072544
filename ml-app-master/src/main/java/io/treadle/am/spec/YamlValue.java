// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.spec;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.DoublePredicate;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * One value of the specification, which reads itself as the type that is wanted or complains with its line.
 *
 * @param label how messages call it: {@code field 'count' of task group 'worker'}
 */
record YamlValue(SpecSource source, String label, Node node) {
    private static final Pattern WHOLE = Pattern.compile("-?(0|[1-9][0-9]{0,17})");
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,15}(\\.[0-9]{1,20})?([eE][-+]?[0-9]{1,3})?");
    private static final int MAX_TEXT = 65_536;

    JobSpecException error(String message) {
        return source.error(node, label + " " + message);
    }

    private JobSpecException wrong(String right) {
        return error("is " + shown() + ", must be " + right + ".");
    }

    private String shown() {
        if (isEmpty()) {
            return "empty";
        }
        if (node instanceof ScalarNode scalar) {
            return (isOrdinary()
                            ? ""
                            : "of type " + SpecSource.quote(node.getTag().getValue()) + ", ")
                    + SpecSource.quote(scalar.getValue());
        }
        String kind = node instanceof SequenceNode ? "a list" : "a mapping";
        return node.getTag().equals(Tag.MAP) || node.getTag().equals(Tag.SEQ)
                ? kind
                : kind + " of type " + SpecSource.quote(node.getTag().getValue());
    }

    private boolean isEmpty() {
        return node instanceof ScalarNode scalar
                && scalar.isPlain()
                && scalar.getTag().equals(Tag.NULL);
    }

    private boolean isOrdinary() {
        Tag tag = node.getTag();
        return tag.equals(Tag.STR)
                || tag.equals(Tag.INT)
                || tag.equals(Tag.FLOAT)
                || tag.equals(Tag.BOOL)
                || tag.equals(Tag.NULL)
                || tag.equals(Tag.TIMESTAMP)
                || tag.equals(Tag.MERGE);
    }

    boolean isList() {
        return node instanceof SequenceNode;
    }

    /** Any scalar, as written: {@code 007} stays {@code 007}. */
    String text() {
        if (!(node instanceof ScalarNode scalar) || !isOrdinary()) {
            throw wrong("text");
        }
        if (isEmpty()) {
            throw error("is empty, must be text.\nMaybe write \"\" for the empty text.");
        }
        String value = scalar.getValue();
        if (value.length() > MAX_TEXT) {
            throw error("has " + value.length() + " characters, must have at most " + MAX_TEXT + ".");
        }
        if (value.indexOf('\0') >= 0) {
            throw error("holds a NUL character, which no process can be given.");
        }
        return value;
    }

    /** Text of one line that matches {@code form}; {@code right} says in words what matches. */
    String text(Pattern form, String right) {
        String value = text();
        if (!form.matcher(value).matches() || value.chars().anyMatch(Character::isISOControl)) {
            throw wrong(right);
        }
        return value;
    }

    long whole(long least, long most) {
        String right = "a whole number from " + least + " to " + most;
        if (!(node instanceof ScalarNode scalar)) {
            throw wrong(right);
        }
        String value = scalar.getValue();
        if (!scalar.isPlain() && WHOLE.matcher(value).matches()) {
            throw error("is the text " + SpecSource.quote(value) + ", must be " + right + ".\nMaybe without quotes.");
        }
        if (!WHOLE.matcher(value).matches() || Long.parseLong(value) < least || Long.parseLong(value) > most) {
            throw wrong(right);
        }
        return Long.parseLong(value);
    }

    /** @param right says in words what {@code isGood} takes */
    double number(DoublePredicate isGood, String right) {
        if (!(node instanceof ScalarNode scalar)
                || !scalar.isPlain()
                || !NUMBER.matcher(scalar.getValue()).matches()
                || !isGood.test(Double.parseDouble(scalar.getValue()))) {
            throw wrong(right);
        }
        return Double.parseDouble(scalar.getValue());
    }

    boolean flag() {
        String value = node instanceof ScalarNode scalar && scalar.isPlain()
                ? scalar.getValue().toLowerCase(Locale.ROOT)
                : "";
        if (node instanceof ScalarNode scalar
                && !scalar.isPlain()
                && scalar.getValue().matches("true|false")) {
            throw error("is the text " + shown() + ", must be true or false.\nMaybe without quotes.");
        }
        if (!value.equals("true") && !value.equals("false")) {
            throw wrong("true or false");
        }
        return value.equals("true");
    }

    long quantity(Quantity quantity, long least, long most) {
        String right = quantity.right(least, most);
        if (!(node instanceof ScalarNode scalar) || isEmpty()) {
            throw wrong(right);
        }
        OptionalLong amount = quantity.parse(scalar.getValue());
        if (amount.isEmpty()) {
            throw error("is " + shown() + ", must be " + right + "." + quantity.advice(scalar.getValue()));
        }
        if (amount.getAsLong() < least || amount.getAsLong() > most) {
            throw wrong(right);
        }
        return amount.getAsLong();
    }

    List<YamlValue> list(String right) {
        if (!(node instanceof SequenceNode sequence)) {
            throw wrong(right);
        }
        List<YamlValue> items = new ArrayList<>();
        for (Node item : sequence.getValue()) {
            items.add(new YamlValue(source, "item " + (items.size() + 1) + " of " + label, item));
        }
        return items;
    }

    MappingNode mapping(String right) {
        if (node instanceof MappingNode mapping && node.getTag().equals(Tag.MAP)) {
            return mapping;
        }
        throw wrong(right);
    }
}
