// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.input;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** One row of a table, with values that are checked as they are asked for. */
public final class Row {
    private final Path file;
    private final Header header;
    private final long number;
    private final List<String> values;

    Row(Path file, Header header, long number, List<String> values) {
        this.file = file;
        this.header = header;
        this.number = number;
        this.values = values;
    }

    /** Number of the row in the file; the first is row 1. */
    public long number() {
        return number;
    }

    /** How many values it has. */
    public int size() {
        return values.size();
    }

    /** The values from one column on, as they stand between its commas; for values that hold commas themselves. */
    public List<String> from(int first) {
        return values.subList(Math.min(first, values.size()), values.size());
    }

    public boolean has(String column) {
        return index(column).isPresent();
    }

    private Optional<Integer> index(String column) {
        if (header.isAmbiguous(column)) {
            throw TableException.twice(file, column);
        }
        return header.find(column);
    }

    /** @throws InputException if it has values beyond the last column: who knows which of them is which */
    public void checkNoMore() {
        int columns = header.names().size();
        List<String> more = from(columns);
        if (!more.stream().allMatch(String::isBlank)) {
            throw wrong(values.size() + " values", "one for each of the " + columns + " columns");
        }
    }

    /** @throws InputException if the column is missing or the value is empty */
    public String text(String column) {
        if (!has(column)) {
            throw TableException.missing(file, column, header.names());
        }
        return optional(column).orElseThrow(() -> wrong(column, "", "a value"));
    }

    /** Empty where the column is missing or the value is empty. */
    public Optional<String> optional(String column) {
        return index(column)
                .filter(index -> index < values.size())
                .map(index -> values.get(index).trim())
                .filter(text -> !text.isEmpty());
    }

    /** @throws InputException if the value is no number from {@code least} to {@code most} */
    public double number(String column, double least, double most) {
        String text = text(column);
        double value = Numbers.parse(text).orElse(Double.NaN);
        if (!(value >= least && value <= most)) {
            throw wrong(column, text, "a number from " + plain(least) + " to " + plain(most));
        }
        return value;
    }

    /** Empty where the column is missing, the value is empty or no number. */
    public OptionalDouble anyNumber(String column) {
        return optional(column).flatMap(Numbers::parse).map(OptionalDouble::of).orElseGet(OptionalDouble::empty);
    }

    /** @throws InputException if the value is no whole number from {@code least} to {@code most} */
    public long whole(String column, long least, long most) {
        String text = text(column);
        double value = Numbers.parse(text).orElse(Double.NaN);
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

    /** A point of time, ms; see {@link Times}. */
    public long timeMs(String column) {
        String text = text(column);
        return Times.parseMs(text).orElseThrow(() -> wrong(column, text, "a time such as 2024-05-01 12:00:00"));
    }

    /**
     * Empty where the column is missing or says that there is no time.
     *
     * @throws InputException if the value is neither a time nor says so
     */
    public OptionalLong anyTimeMs(String column) {
        return optional(column).filter(text -> !Times.isNone(text)).isPresent()
                ? OptionalLong.of(timeMs(column))
                : OptionalLong.empty();
    }

    public static String plain(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? String.valueOf((long) value)
                : String.valueOf(value);
    }

    public InputException wrong(String column, String value, String expected) {
        return wrong(Optional.of(column), value, expected);
    }

    /** The row as a whole, or what several columns say together, is wrong. */
    public InputException wrong(String value, String expected) {
        return wrong(Optional.empty(), value, expected);
    }

    private InputException wrong(Optional<String> column, String value, String expected) {
        return new InputException(file + ", row " + number()
                + column.map(name -> ", column '" + name + "'").orElse("")
                + ": is '" + (value.length() > MOST_SHOWN ? value.substring(0, MOST_SHOWN) + "…" : value)
                + "', must be " + expected + ".");
    }

    private static final int MOST_SHOWN = 120;
}
