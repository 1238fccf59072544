// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.input;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The names of a table's columns, in any case. */
final class Header {
    private final List<String> names;
    private final Map<String, Integer> columns = new HashMap<>();
    private final Set<String> ambiguous = new HashSet<>();

    Header(List<String> names) {
        this.names = names;
        for (int i = 0; i < names.size(); i++) {
            if (columns.putIfAbsent(key(names.get(i)), i) != null) {
                ambiguous.add(key(names.get(i)));
            }
        }
    }

    /** As the table writes them. */
    List<String> names() {
        return names;
    }

    /** Whether several columns have that name. */
    boolean isAmbiguous(String name) {
        return !ambiguous.isEmpty() && ambiguous.contains(key(name));
    }

    Optional<Integer> find(String name) {
        return Optional.ofNullable(columns.get(key(name)));
    }

    private static String key(String name) {
        return name.trim().toLowerCase(java.util.Locale.ROOT);
    }
}
