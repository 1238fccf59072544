// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.simulator.input.YamlValue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Model.OptionSpec;

/** A file with the options of a sweep, {@code docs/spec/sweep-file.md}. */
final class SweepFile {
    private static final String VERSION = "treadle-sweep";
    /** Options whose values may be the names of files. */
    static final Set<String> FILES = Set.of("trace", "cluster", "plugin", "carbon");

    private final Path file;
    private final Map<String, OptionSpec> known;
    private final Set<String> lists;

    /**
     * @param known options by their names without dashes
     * @param lists names of those that may have several values
     */
    SweepFile(Path file, Map<String, OptionSpec> known, Set<String> lists) {
        this.file = file;
        this.known = known;
        this.lists = lists;
    }

    /**
     * The values by the options' names without dashes.
     *
     * @throws io.treadle.simulator.input.InputException if the file cannot be read, or says what there is not
     */
    Map<String, List<Given>> read() {
        YamlValue root = YamlValue.read(file);
        Set<String> names = new HashSet<>(known.keySet());
        names.add(VERSION);
        Map<String, YamlValue> fields = new LinkedHashMap<>(root.fields(names));
        YamlValue version = fields.remove(VERSION);
        if (version == null || !version.text().equals("1")) {
            throw (version == null ? root : version).wrong("version 1 of this form: " + VERSION + ": 1");
        }
        Map<String, List<Given>> values = new LinkedHashMap<>();
        fields.forEach((name, value) -> values.put(name, values(name, value)));
        return values;
    }

    private List<Given> values(String name, YamlValue value) {
        if (!value.isList()) {
            return List.of(given(name, value));
        }
        if (!lists.contains(name)) {
            throw value.wrong("one value");
        }
        List<YamlValue> list = value.list();
        if (list.isEmpty()) {
            throw value.wrong("a value or a list of values");
        }
        return list.stream().map(one -> given(name, one)).toList();
    }

    private Given given(String name, YamlValue value) {
        String text = value.text();
        OptionSpec option = known.get(name);
        if (option != null && PointOptionsToo.isSwitch(option) && !text.matches("true|false")) {
            throw value.wrong("true or false");
        }
        return new Given(FILES.contains(name) ? beside(text) : text, file + ", line " + value.line());
    }

    /** Files are looked for where this one is first. */
    private String beside(String name) {
        Path there = file.resolveSibling(name);
        return Files.exists(there) ? there.toString() : name;
    }
}
