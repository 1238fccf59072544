// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.input;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The names of a table's columns, in any case. */
final class Header {
    private final Map<String, Integer> columns = new HashMap<>();

    Header(List<String> names) {
        for (int i = 0; i < names.size(); i++) {
            columns.putIfAbsent(key(names.get(i)), i);
        }
    }

    Optional<Integer> find(String name) {
        return Optional.ofNullable(columns.get(key(name)));
    }

    private static String key(String name) {
        return name.trim().toLowerCase(java.util.Locale.ROOT);
    }
}
