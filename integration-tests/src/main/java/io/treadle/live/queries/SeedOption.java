// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.queries;

import java.util.ArrayList;
import java.util.List;

/**
 * {@code --seed} among the arguments.
 *
 * @param others all but it; with it where its value is none, so that it is named as wrong
 */
record SeedOption(long seed, List<String> others) {
    private static final String NAME = "--seed";

    static SeedOption takeFrom(List<String> arguments) {
        int at = arguments.indexOf(NAME);
        if (at < 0 || at + 1 >= arguments.size() || !arguments.get(at + 1).matches("\\d{1,18}")) {
            return new SeedOption(1, arguments);
        }
        List<String> others = new ArrayList<>(arguments.subList(0, at));
        others.addAll(arguments.subList(at + 2, arguments.size()));
        return new SeedOption(Long.parseLong(arguments.get(at + 1)), List.copyOf(others));
    }
}
