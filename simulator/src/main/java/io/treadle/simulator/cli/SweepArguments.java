// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.simulator.input.InputException;
import io.treadle.simulator.yarn.ResourceManager;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** What a sweep was told, by its file and by options, which win. */
final class SweepArguments {
    /** Options that may have several values. */
    static final Set<String> LISTS = Set.of("policy", "load-factor", "seed", "nodes", "jobs");
    /** Options that say where and how a sweep runs this time, which is no matter of its file. */
    static final Set<String> NOT_IN_FILES = Set.of(
            "out", "again", "parallel", "help", "version", "yarn", "workers", "vcores", "memory", "queue", "worker");

    private final Map<String, List<Given>> values;

    private SweepArguments(Map<String, List<Given>> values) {
        this.values = values;
    }

    /** @throws InputException if the file cannot be used */
    static SweepArguments of(CommandSpec command, ParseResult options, @Nullable Path file) {
        Map<String, List<Given>> values = new LinkedHashMap<>();
        if (file != null) {
            Map<String, OptionSpec> known = new TreeMap<>();
            command.options().forEach(option -> known.put(name(option), option));
            known.keySet().removeAll(NOT_IN_FILES);
            values.putAll(new SweepFile(file, known, LISTS).read());
        }
        for (OptionSpec option : options.matchedOptions()) {
            values.put(
                    name(option),
                    PointOptionsToo.isSwitch(option)
                            ? List.of(new Given("true", ""))
                            : option.stringValues().stream()
                                    .map(text -> new Given(text, ""))
                                    .toList());
        }
        SweepArguments told = new SweepArguments(values);
        told.fetch("trace", ResourceManager::applications);
        told.fetch("cluster", ResourceManager::nodes);
        return told;
    }

    /** What an address is named for is fetched once: all points are to see the same. */
    private void fetch(String name, Function<ResourceManager, Path> what) {
        one(name).filter(value -> ResourceManager.isAddress(value.text())).ifPresent(value -> {
            Path file = what.apply(ResourceManager.at(value.text()));
            values.put(name, List.of(new Given(file.toString(), value.where())));
        });
    }

    private static String name(OptionSpec option) {
        return option.longestName().substring(2);
    }

    /** The same, with a value for an option that is not there. */
    SweepArguments or(String name, String text) {
        Map<String, List<Given>> more = new LinkedHashMap<>(values);
        more.putIfAbsent(name, List.of(new Given(text, "")));
        return new SweepArguments(more);
    }

    /** All values of an option; none where it is not there. */
    List<Given> all(String name) {
        return values.getOrDefault(name, List.of());
    }

    Optional<Given> one(String name) {
        return all(name).stream().findFirst();
    }

    /** The same failure, with the place of the value that it begins with, where it is known. */
    InputException located(InputException failure) {
        String message = String.valueOf(failure.getMessage());
        return values.entrySet().stream()
                .filter(option -> message.startsWith("--" + option.getKey() + " "))
                .findFirst()
                .map(option -> option.getValue().get(0).located(failure))
                .orElse(failure);
    }

    Set<String> names() {
        return values.keySet();
    }

    /** @throws InputException if it is not there */
    Given required(String name, String label) {
        return one(name).orElseThrow(() -> new InputException("--" + name + " " + label + " is missing."));
    }
}
