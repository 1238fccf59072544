// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.simulator.input.Head;
import io.treadle.simulator.input.Row;
import java.util.List;

/** A column that files call by different names. */
record Columns(String own, List<String> others) {
    static Columns of(String own, String... others) {
        return new Columns(own, List.of(others));
    }

    boolean isIn(Head head) {
        return head.names(own) || others.stream().anyMatch(head::names);
    }

    /** The name that the row's table uses; the own one where it has none. */
    String in(Row row) {
        if (row.has(own)) {
            return own;
        }
        return others.stream().filter(row::has).findFirst().orElse(own);
    }
}
