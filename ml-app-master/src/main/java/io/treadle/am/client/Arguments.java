// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import io.treadle.am.spec.Nearest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A command line taken apart: {@code --name value}, {@code --name=value}, {@code --flag}, {@code -D k=v}, plain words, and
 * everything after {@code --}.
 *
 * @param values what the options were given, in order
 * @param words arguments that are no options
 * @param command what follows {@code --}; empty if there is no {@code --}
 */
record Arguments(Map<String, List<String>> values, List<String> words, Optional<List<String>> command) {
    static final String DEFINE = "-D";

    /**
     * @param flags options without a value
     * @param single options that take one value and may stand once
     * @param repeated options that take one value and may stand again
     */
    record Grammar(Set<String> flags, Set<String> single, Set<String> repeated) {
        private boolean knows(String option) {
            return flags.contains(option) || single.contains(option) || repeated.contains(option);
        }

        private List<String> all() {
            return Stream.of(flags, single, repeated)
                    .flatMap(Set::stream)
                    .sorted()
                    .toList();
        }
    }

    /** @throws UsageException if an option is unknown, stands twice, or lacks its value */
    static Arguments parse(Grammar grammar, List<String> arguments) {
        Map<String, List<String>> values = new LinkedHashMap<>();
        List<String> words = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (argument.equals("--")) {
                return new Arguments(values, words, Optional.of(arguments.subList(i + 1, arguments.size())));
            }
            if (!argument.startsWith("-") || argument.equals("-")) {
                words.add(argument);
                continue;
            }
            String option = optionOf(argument);
            if (!grammar.knows(option)) {
                throw unknown(grammar, option);
            }
            boolean attached = argument.length() > option.length();
            if (grammar.flags().contains(option)) {
                if (attached) {
                    throw new UsageException(
                            "option " + option + " takes no value, but is given as '" + argument + "'");
                }
                values.put(option, List.of());
                continue;
            }
            if (!attached && i + 1 >= arguments.size()) {
                throw new UsageException("option " + option + " needs a value");
            }
            String value = attached ? attachedValue(argument, option) : arguments.get(++i);
            List<String> earlier = values.computeIfAbsent(option, name -> new ArrayList<>());
            if (!earlier.isEmpty() && grammar.single().contains(option)) {
                throw new UsageException(
                        "option " + option + " is given twice: '" + earlier.get(0) + "' and '" + value + "'");
            }
            earlier.add(value);
        }
        return new Arguments(values, words, Optional.empty());
    }

    private static String optionOf(String argument) {
        if (argument.startsWith(DEFINE)) {
            return DEFINE;
        }
        int equals = argument.indexOf('=');
        return equals < 0 ? argument : argument.substring(0, equals);
    }

    private static String attachedValue(String argument, String option) {
        return argument.substring(option.length() + (option.equals(DEFINE) ? 0 : 1));
    }

    private static UsageException unknown(Grammar grammar, String option) {
        return new UsageException("unknown option '" + option + "'.\n"
                + Nearest.of(option, grammar.all())
                        .map(near -> "Maybe '" + near + "'. Options: ")
                        .orElse("Maybe one of the options: ")
                + String.join(", ", grammar.all()) + ".");
    }

    boolean has(String option) {
        return values.containsKey(option);
    }

    Optional<String> value(String option) {
        return all(option).stream().findFirst();
    }

    List<String> all(String option) {
        return values.getOrDefault(option, List.of());
    }
}
