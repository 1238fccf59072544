// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.energy;

import io.treadle.core.budget.CarbonIntensity;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.input.Row;
import io.treadle.simulator.input.Table;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Carbon intensity of the grid over time, from a table with the columns {@code seconds} (since the trace's zero) or
 * {@code timestamp} (the first is the trace's zero), and {@code gramsPerKwh}: each value holds until the next.
 */
public final class CarbonFile {
    private static final String SECONDS = "seconds";
    private static final String TIMESTAMP = "timestamp";
    private static final String GRAMS = "gramsPerKwh";
    /** Cleaner than any grid, and than any could be told from zero, g/kWh. */
    private static final double LEAST_GRAMS = 1e-3;

    private static final double MOST_GRAMS = 2000;

    private final Path file;
    private final CarbonIntensity intensity;
    private final double mostGrams;
    private final long lastMs;

    private record Value(long row, long ms, double grams) {}

    /** @param zeroMs the trace's zero on the values' clock, ms */
    private CarbonFile(Path file, List<Value> values, long zeroMs) {
        this.file = file;
        Map<Long, Double> series = new LinkedHashMap<>();
        values.forEach(value -> series.put(value.ms() - zeroMs, value.grams()));
        this.intensity = new CarbonIntensity(series);
        this.mostGrams = values.stream().mapToDouble(Value::grams).max().orElseThrow();
        this.lastMs = values.get(values.size() - 1).ms() - zeroMs;
    }

    /**
     * @param holdsOver whether a value goes on to hold where the next ones are missing
     * @throws InputException if the file cannot be read, holds no value, one that no grid has, times that do not rise, or a
     *     hole: two rows further from each other than twice the usual step
     */
    public static CarbonFile read(Path file, boolean holdsOver) {
        Table table = Table.withHeader(file);
        if (table.has(SECONDS) == table.has(TIMESTAMP) || !table.has(GRAMS)) {
            throw new InputException(file + " is no series of carbon intensities: its columns are " + table.names()
                    + ", must be " + SECONDS + " or " + TIMESTAMP + ", and " + GRAMS + ".");
        }
        boolean isDated = table.has(TIMESTAMP);
        List<Value> values = new ArrayList<>();
        table.forEach(row -> values.add(value(row, isDated, values)));
        if (values.isEmpty()) {
            throw new InputException(file + " holds no carbon intensity, must have a row at least.");
        }
        if (!holdsOver) {
            checkHoles(file, values);
        }
        return new CarbonFile(file, values, isDated ? values.get(0).ms() : 0);
    }

    private static Value value(Row row, boolean isDated, List<Value> before) {
        String column = isDated ? TIMESTAMP : SECONDS;
        long ms = isDated ? row.timeMs(column) : row.secondsAsMs(column);
        if (!before.isEmpty() && ms <= before.get(before.size() - 1).ms()) {
            throw row.wrong(column, row.text(column), "after that of the row before");
        }
        return new Value(row.number(), ms, row.number(GRAMS, LEAST_GRAMS, MOST_GRAMS));
    }

    /** The usual step is that in the middle of all, sorted. */
    private static void checkHoles(Path file, List<Value> values) {
        long[] steps = new long[values.size() - 1];
        for (int i = 0; i < steps.length; i++) {
            steps[i] = values.get(i + 1).ms() - values.get(i).ms();
        }
        long[] sorted = steps.clone();
        Arrays.sort(sorted);
        for (int i = 0; i < steps.length; i++) {
            long usual = sorted[sorted.length / 2];
            if (steps[i] > 2 * usual) {
                throw new InputException(file + ", rows " + values.get(i).row() + " and "
                        + values.get(i + 1).row() + ": are " + steps[i] / 1000.0
                        + " s from each other, must be at most "
                        + 2 * usual / 1000.0 + " s, twice the usual step.\nMaybe --carbon-holes hold: the value before"
                        + " a hole holds over it.");
            }
        }
    }

    public Path file() {
        return file;
    }

    /** On the trace's clock. */
    public CarbonIntensity intensity() {
        return intensity;
    }

    /** When the grid is dirtiest, g/kWh. */
    public double mostGramsPerKwh() {
        return mostGrams;
    }

    /** From when on nothing changes any more, ms on the trace's clock. */
    public long lastMs() {
        return lastMs;
    }

    /** For people, and a fingerprint of options: what the file holds counts, not where it lies. */
    @Override
    public String toString() {
        return String.valueOf(file.getFileName());
    }
}
