// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.input;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.composer.Composer;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.resolver.Resolver;

/** One value of a YAML file, checked as it is asked for; scalars are texts as they were written. */
public final class YamlValue {
    private static final Pattern MEMORY = Pattern.compile("(\\d{1,15}(?:\\.\\d{1,9})?)(?:(M|G|T)i(?:B)?)?");
    private static final Map<String, Double> MIB = Map.of("M", 1.0, "G", 1024.0, "T", 1024.0 * 1024);

    private final Path file;
    private final String path;
    private final Node node;

    private YamlValue(Path file, String path, Node node) {
        this.file = file;
        this.path = path;
        this.node = node;
    }

    /** @throws InputException if the file cannot be read or is no YAML */
    public static YamlValue read(Path file) {
        LoaderOptions limits = new LoaderOptions();
        try (Reader text = TextFiles.open(file)) {
            Node root = new Composer(new ParserImpl(new StreamReader(text), limits), new Resolver(), limits)
                    .getSingleNode();
            if (root == null) {
                throw new InputException(file + " is empty.");
            }
            return new YamlValue(file, "", root);
        } catch (MarkedYAMLException e) {
            int line = e.getProblemMark() == null ? 1 : e.getProblemMark().getLine() + 1;
            throw new InputException(file + ", line " + line + ": is no YAML: " + e.getProblem() + ".", e);
        } catch (YAMLException e) {
            throw new InputException(file + " is no YAML: " + e.getMessage() + ".", e);
        } catch (IOException e) {
            throw TextFiles.cannotRead(file, e);
        }
    }

    /**
     * The fields of a mapping.
     *
     * @param known the names that they may have; empty for any
     * @throws InputException if it is no mapping, a field is there twice or is not known
     */
    public Map<String, YamlValue> fields(Set<String> known) {
        if (!(node instanceof MappingNode mapping)) {
            throw wrong("a mapping");
        }
        Map<String, YamlValue> fields = new LinkedHashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            String name = new YamlValue(file, path, tuple.getKeyNode()).text();
            String inner = path.isEmpty() ? name : path + "." + name;
            if (!known.isEmpty() && !known.contains(name)) {
                throw new InputException(file + ", line " + line(tuple.getKeyNode()) + ": '" + inner
                        + "' is no field, must be one of "
                        + known.stream().sorted().toList() + ".");
            }
            if (fields.put(name, new YamlValue(file, inner, tuple.getValueNode())) != null) {
                throw new InputException(
                        file + ", line " + line(tuple.getKeyNode()) + ": '" + inner + "' is there twice.");
            }
        }
        return fields;
    }

    public boolean isMapping() {
        return node instanceof MappingNode;
    }

    public boolean isList() {
        return node instanceof SequenceNode;
    }

    /** @throws InputException if it is no list */
    public List<YamlValue> list() {
        if (!(node instanceof SequenceNode sequence)) {
            throw wrong("a list");
        }
        List<Node> values = sequence.getValue();
        return java.util.stream.IntStream.range(0, values.size())
                .mapToObj(i -> new YamlValue(file, path + "[" + i + "]", values.get(i)))
                .toList();
    }

    /** @throws InputException if it is a list, a mapping or nothing */
    public String text() {
        return scalar().orElseThrow(() -> wrong("a text"));
    }

    /** @throws InputException if it is no whole number from {@code least} to {@code most} */
    public long whole(long least, long most) {
        double value = scalar().flatMap(Numbers::parse).orElse(Double.NaN);
        if (value != Math.rint(value) || !(value >= least && value <= most)) {
            throw wrong("a whole number from " + least + " to " + most);
        }
        return (long) value;
    }

    /** @throws InputException if it is no number above zero */
    public double positive() {
        double value = scalar().flatMap(Numbers::parse).orElse(Double.NaN);
        if (!(value > 0 && value <= Double.MAX_VALUE)) {
            throw wrong("a number above 0");
        }
        return value;
    }

    /**
     * Memory such as {@code 512Gi}; a plain number is MiB.
     *
     * @throws InputException if it is none, or more than {@code mostMiB}
     */
    public long memoryMiB(long mostMiB) {
        Matcher memory = MEMORY.matcher(scalar().orElse(""));
        if (memory.matches()) {
            String unit = memory.group(2);
            double mib = Double.parseDouble(memory.group(1)) * (unit == null ? 1 : MIB.getOrDefault(unit, 1.0));
            if (mib <= mostMiB) {
                return Math.round(mib);
            }
        }
        throw wrong("memory such as 512Mi, 64Gi or 1Ti");
    }

    /**
     * A bandwidth, as a bare number.
     *
     * @throws InputException if it is no whole number of MB/s from 1 to {@code most}
     */
    public long megabytesPerSecond(long most) {
        double value = scalar().flatMap(Numbers::parse).orElse(Double.NaN);
        if (value != Math.rint(value) || !(value >= 1 && value <= most)) {
            throw wrong("a whole number of MB/s (10^6 bytes per second) from 1 to " + most);
        }
        return (long) value;
    }

    private Optional<String> scalar() {
        return node instanceof ScalarNode scalar && !scalar.getValue().isBlank()
                ? Optional.of(scalar.getValue().trim())
                : Optional.empty();
    }

    /** @param expected what it must be */
    public InputException wrong(String expected) {
        String value = node instanceof ScalarNode scalar
                ? "'" + scalar.getValue() + "'"
                : node instanceof SequenceNode ? "a list" : "a mapping";
        return new InputException(
                file + ", line " + line(node) + ", '" + path + "': is " + value + ", must be " + expected + ".");
    }

    /** @param problem what its fields say together, and what would be right */
    public InputException contradicts(String problem, Throwable cause) {
        return new InputException(file + ", line " + line(node) + ", '" + path + "': " + problem + ".", cause);
    }

    /** Where it begins, from 1. */
    public int line() {
        return line(node);
    }

    private static int line(Node node) {
        return node.getStartMark() == null ? 1 : node.getStartMark().getLine() + 1;
    }
}
