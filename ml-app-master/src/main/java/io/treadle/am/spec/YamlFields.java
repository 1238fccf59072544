// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.spec;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.Tag;

/** The fields of one mapping, each there at most once and each with its line. */
final class YamlFields {
    private final YamlValue owner;
    private final Map<String, YamlValue> values;

    private YamlFields(YamlValue owner, Map<String, YamlValue> values) {
        this.owner = owner;
        this.values = values;
    }

    /** Names that the user chooses, such as those of task groups and environment variables. */
    static YamlFields open(YamlValue owner, String itemWord) {
        Map<String, YamlValue> values = new LinkedHashMap<>();
        Map<String, Integer> lines = new LinkedHashMap<>();
        for (NodeTuple entry : owner.mapping("a mapping").getValue()) {
            Node key = entry.getKeyNode();
            if (!(key instanceof ScalarNode scalar)) {
                throw owner.source().error(key, owner.label() + " has a key that is no text.");
            }
            String name = scalar.getValue();
            if (key.getTag().equals(Tag.MERGE) && scalar.isPlain()) {
                throw owner.source()
                        .error(key, owner.label() + " has a merge key '<<', which a job specification cannot hold.");
            }
            Integer first = lines.putIfAbsent(name, key.getStartMark().getLine() + 1);
            if (first != null) {
                throw owner.source()
                        .error(
                                key,
                                itemWord + " " + SpecSource.quote(name) + " of " + owner.label()
                                        + " is given twice, first in line " + first + ".");
            }
            String label = itemWord + " " + SpecSource.quote(name)
                    + (itemWord.equals("task group")
                                    || owner.label().equals(JobSpecParser.JOB)
                                    || owner.label().equals(ServiceSpecParser.SERVICE)
                            ? ""
                            : " of " + owner.label());
            values.put(name, new YamlValue(owner.source(), label, entry.getValueNode()));
        }
        return new YamlFields(owner, values);
    }

    /** Names out of {@code known}; any other is an error that suggests the nearest. */
    static YamlFields closed(YamlValue owner, List<String> known) {
        YamlFields fields = open(owner, "field");
        for (NodeTuple entry : owner.mapping("a mapping").getValue()) {
            String name = ((ScalarNode) entry.getKeyNode()).getValue();
            if (name.startsWith("\t")) {
                throw owner.source()
                        .error(entry.getKeyNode(), "this line is indented by a tab, must be indented by spaces.");
            }
            if (!known.contains(name)) {
                throw owner.source()
                        .error(
                                entry.getKeyNode(),
                                "unknown field " + SpecSource.quote(name) + " in " + owner.label() + ".\n"
                                        + Nearest.of(name, known)
                                                .map(near -> "Maybe '" + near + "'. Known fields: ")
                                                .orElse("Maybe one of the known fields: ")
                                        + String.join(", ", known) + ".");
            }
        }
        return fields;
    }

    Optional<YamlValue> find(String name) {
        return Optional.ofNullable(values.get(name));
    }

    /** @param advice what to write, shown where the field is missing */
    YamlValue require(String name, String advice) {
        YamlValue value = values.get(name);
        if (value == null) {
            throw owner.source()
                    .error(
                            owner.node(),
                            "field '" + name + "' of " + owner.label() + " is missing.\nMaybe " + advice + ".");
        }
        return value;
    }

    long whole(String name, long least, long most, long otherwise) {
        return find(name).map(value -> value.whole(least, most)).orElse(otherwise);
    }

    long quantity(String name, Quantity quantity, long least, long most, long otherwise) {
        return find(name).map(value -> value.quantity(quantity, least, most)).orElse(otherwise);
    }

    boolean flag(String name, boolean otherwise) {
        return find(name).map(YamlValue::flag).orElse(otherwise);
    }

    Map<String, YamlValue> all() {
        return values;
    }
}
