// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.input;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.commons.csv.CSVRecord;

/** One row of a table, with values that are checked as they are asked for. */
public final class Row {
    private final Path file;
    private final Header header;
    private final CSVRecord record;

    Row(Path file, Header header, CSVRecord record) {
        this.file = file;
        this.header = header;
        this.record = record;
    }

    /** Number of the row in the file; the header is row 1. */
    public long number() {
        return record.getRecordNumber() + (header.isInFile() ? 1 : 0);
    }

    public boolean has(String column) {
        return header.find(column).isPresent();
    }

    /** @throws InputException if the column is missing or the value is empty */
    public String text(String column) {
        return optional(column).orElseThrow(() -> wrong(column, "", "a value"));
    }

    /** Empty where the column is missing or the value is empty. */
    public Optional<String> optional(String column) {
        return header.find(column)
                .filter(index -> index < record.size())
                .map(index -> record.get(index).trim())
                .filter(text -> !text.isEmpty());
    }

    /** @throws InputException if the value is no number from {@code least} to {@code most} */
    public double number(String column, double least, double most) {
        String text = text(column);
        double value = parse(text);
        if (!(value >= least && value <= most)) {
            throw wrong(column, text, "a number from " + plain(least) + " to " + plain(most));
        }
        return value;
    }

    /** Empty where the column is missing, the value is empty or no number. */
    public OptionalDouble anyNumber(String column) {
        return optional(column)
                .map(Row::parse)
                .filter(value -> !value.isNaN())
                .map(OptionalDouble::of)
                .orElseGet(OptionalDouble::empty);
    }

    /** @throws InputException if the value is no whole number from {@code least} to {@code most} */
    public long whole(String column, long least, long most) {
        String text = text(column);
        double value = parse(text);
        if (value != Math.rint(value) || !(value >= least && value <= most)) {
            throw wrong(column, text, "a whole number from " + least + " to " + most);
        }
        return (long) value;
    }

    /** Seconds since the trace's own zero, as ms. */
    public long secondsAsMs(String column) {
        return Math.round(number(column, 0, MOST_SECONDS) * 1000);
    }

    /** About three hundred thousand years: more would overflow. */
    public static final double MOST_SECONDS = 1e13;

    private static double parse(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    private static String plain(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? String.valueOf((long) value)
                : String.valueOf(value);
    }

    public InputException wrong(String column, String value, String expected) {
        return new InputException(file + ", row " + number() + ", column '" + column + "': is '" + value + "', must be "
                + expected + ".");
    }
}
