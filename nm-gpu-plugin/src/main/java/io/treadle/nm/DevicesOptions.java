// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm;

import io.treadle.nm.conf.NodeConf;
import io.treadle.nm.conf.ProviderChoice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The command line of {@code treadle devices}. */
record DevicesOptions(
        Optional<String> provider, Optional<Path> conf, boolean json, boolean nodeResources, boolean help) {
    static final String USAGE =
            """
            treadle devices [--provider P] [--conf FILE] [--json | --node-resources]
            Prints the devices that Treadle's NodeManager plugin sees on this machine, and why it sees none.
              --provider P       auto, nvml, nvidia-smi, simulated, file or none; else as the configuration says
              --conf FILE        a yarn-site.xml to read beside the one on the class path
              --json             one JSON object instead of the table
              --node-resources   a node-resources.xml with what the plugin would advertise
            Exits with 0, also where there are no GPUs; with 1 if the provider that is named cannot be used; with 2 for a
            wrong argument or setting.
            """;

    /** @throws IllegalArgumentException if an argument is not known or not complete; the message is for people */
    static DevicesOptions parse(List<String> arguments) {
        Optional<String> provider = Optional.empty();
        Optional<Path> conf = Optional.empty();
        boolean json = false;
        boolean nodeResources = false;
        boolean help = false;
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            switch (argument) {
                case "--provider" -> provider = Optional.of(word(value(arguments, i++)));
                case "--conf" -> conf = Optional.of(file(value(arguments, i++)));
                case "--json" -> json = true;
                case "--node-resources" -> nodeResources = true;
                case "--help", "-h" -> help = true;
                default -> throw new IllegalArgumentException("unknown argument '" + argument + "'.\nMaybe --help");
            }
        }
        if (json && nodeResources) {
            throw new IllegalArgumentException("--json and --node-resources exclude each other");
        }
        return new DevicesOptions(provider, conf, json, nodeResources, help);
    }

    private static String value(List<String> arguments, int i) {
        if (i + 1 >= arguments.size()) {
            throw new IllegalArgumentException(arguments.get(i) + " needs a value.\nMaybe --help");
        }
        return arguments.get(i + 1);
    }

    private static String word(String value) {
        if (Arrays.stream(ProviderChoice.values()).noneMatch(p -> p.spelled().equals(value))) {
            throw new IllegalArgumentException("--provider is '" + value + "', must be one of "
                    + Arrays.stream(ProviderChoice.values())
                            .map(ProviderChoice::spelled)
                            .collect(Collectors.joining(", "))
                    + " (" + NodeConf.DEVICE_PROVIDER + ")");
        }
        return value;
    }

    private static Path file(String value) {
        Path file = Path.of(value).toAbsolutePath();
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw new IllegalArgumentException("--conf is '" + value + "', must be a file that can be read");
        }
        return file;
    }
}
