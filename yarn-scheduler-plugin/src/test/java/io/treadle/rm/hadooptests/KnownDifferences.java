// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.hadooptests;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What is meant to differ from stock, with the reason: lines {@code Class.method: reason} of a file. */
record KnownDifferences(Map<String, String> reasons) {
    static final String LIST = "/hadoop-own-tests-differ.txt";

    KnownDifferences {
        reasons = Map.copyOf(reasons);
    }

    static KnownDifferences read() throws IOException {
        Map<String, String> reasons = new HashMap<>();
        for (String line : OwnTests.lines(LIST)) {
            String[] cells = line.split(":\\s+", 2);
            if (cells.length < 2) {
                throw new IllegalStateException(LIST + ": '" + line + "' is not 'Class.method: reason'");
            }
            reasons.put(cells[0], cells[1]);
        }
        return new KnownDifferences(reasons);
    }

    Optional<String> reason(String test) {
        return Optional.ofNullable(reasons.get(test));
    }
}
