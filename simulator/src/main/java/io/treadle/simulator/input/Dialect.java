// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.input;

import org.apache.commons.csv.CSVFormat;

/** How a table tells its columns apart. */
public enum Dialect {
    /** Commas; a value in double quotes may hold them; rows that begin with {@code #} are comments. */
    COMMAS(CSVFormat.DEFAULT
            .builder()
            .setIgnoreEmptyLines(true)
            .setCommentMarker('#')
            .get()),
    /** Tabs; quotes mean nothing. */
    TABS(bare('\t')),
    /** Vertical bars, as Slurm's {@code -P} writes them; quotes mean nothing. */
    BARS(bare('|'));

    @SuppressWarnings("ImmutableEnumChecker") // it is immutable, and does not say so in an annotation
    private final CSVFormat format;

    Dialect(CSVFormat format) {
        this.format = format;
    }

    CSVFormat format() {
        return format;
    }

    private static CSVFormat bare(char separator) {
        return CSVFormat.DEFAULT
                .builder()
                .setIgnoreEmptyLines(true)
                .setDelimiter(separator)
                .setQuote(null)
                .get();
    }
}
