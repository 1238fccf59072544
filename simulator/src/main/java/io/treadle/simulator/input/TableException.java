// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.input;

import java.nio.file.Path;
import java.util.List;

/** A table whose columns cannot be used: none of its rows is better than the others. */
public final class TableException extends InputException {
    private static final long serialVersionUID = 1;
    private static final int MOST_SHOWN = 200;

    private TableException(String message) {
        super(message);
    }

    static TableException missing(Path file, String column, List<String> names) {
        String shown = String.join(", ", names);
        return new TableException(file + " has no column '" + column + "', its columns are "
                + (shown.length() > MOST_SHOWN ? shown.substring(0, MOST_SHOWN) + "…" : shown) + ".");
    }

    static TableException twice(Path file, String column) {
        return new TableException(file + " has the column '" + column + "' more than once, must have it once.");
    }
}
