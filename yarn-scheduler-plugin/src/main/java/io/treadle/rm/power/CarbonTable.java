// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Carbon intensity of the grid over time, as a table has it: a head with {@code timestamp} and {@code gramsPerKwh}, then a
 * line for each value, which holds until the next.
 *
 * @param series g/kWh by ms since the epoch; empty where no line can be used
 * @param troubles lines that cannot be used, and holes: whole sentences
 */
record CarbonTable(NavigableMap<Long, Double> series, List<String> troubles) {
    private static final String TIMESTAMP = "timestamp";
    private static final String GRAMS = "gramsPerKwh";
    private static final double LEAST_GRAMS = 1e-3;
    private static final double MOST_GRAMS = 2000;
    private static final int MOST_TROUBLES = 5;

    CarbonTable {
        troubles = List.copyOf(troubles);
    }

    /** @throws IllegalArgumentException if the head is none; the message says what would be right */
    static CarbonTable parse(String file, List<String> lines) {
        List<String> head = lines.isEmpty() ? List.of() : cells(lines.get(0));
        int time = head.indexOf(TIMESTAMP);
        int grams = head.indexOf(GRAMS);
        if (time < 0 || grams < 0) {
            throw new IllegalArgumentException("its first line is '" + String.join(",", head)
                    + "', must name the columns " + TIMESTAMP + " and " + GRAMS);
        }
        NavigableMap<Long, Double> series = new TreeMap<>();
        List<String> troubles = new ArrayList<>();
        for (int i = 1; i < lines.size(); i++) {
            if (lines.get(i).isBlank()) {
                continue;
            }
            try {
                add(series, cells(lines.get(i)), time, grams);
            } catch (DateTimeException | IllegalArgumentException e) {
                troubles.add("Line " + (i + 1) + " of " + file + " is left out: it is '" + lines.get(i)
                        + "', must be a time such as 2026-05-01T12:00:00Z after that of the line before, and grams of CO2"
                        + " for each kWh from 0.001 to 2000.");
            }
        }
        holes(file, series, troubles);
        return new CarbonTable(series, few(file, troubles));
    }

    private static List<String> cells(String line) {
        return Arrays.stream(line.split(",", -1)).map(String::trim).toList();
    }

    private static void add(NavigableMap<Long, Double> series, List<String> cells, int time, int grams) {
        if (cells.size() <= Math.max(time, grams)) {
            throw new IllegalArgumentException("too short");
        }
        long ms = ms(cells.get(time));
        double value = Double.parseDouble(cells.get(grams));
        if (!(value >= LEAST_GRAMS && value <= MOST_GRAMS) || (!series.isEmpty() && ms <= series.lastKey())) {
            throw new IllegalArgumentException("out of range");
        }
        series.put(ms, value);
    }

    /** One without an offset is UTC. */
    private static long ms(String text) {
        TemporalAccessor time = DateTimeFormatter.ISO_DATE_TIME.parseBest(
                text.replaceFirst(" ", "T"), OffsetDateTime::from, LocalDateTime::from);
        OffsetDateTime at = time instanceof OffsetDateTime known
                ? known
                : LocalDateTime.from(time).atOffset(ZoneOffset.UTC);
        return at.toInstant().toEpochMilli();
    }

    /** Where two lines are further from each other than twice the usual step, which is that in the middle of all. */
    private static void holes(String file, NavigableMap<Long, Double> series, List<String> troubles) {
        List<Long> times = new ArrayList<>(series.keySet());
        List<Long> steps = new ArrayList<>();
        for (int i = 1; i < times.size(); i++) {
            steps.add(times.get(i) - times.get(i - 1));
        }
        List<Long> sorted = steps.stream().sorted().toList();
        for (int i = 0; i < steps.size(); i++) {
            if (steps.get(i) > 2 * sorted.get(sorted.size() / 2)) {
                troubles.add(file + " has a hole from " + PowerTimes.text(times.get(i)) + " to "
                        + PowerTimes.text(times.get(i + 1)) + ": the value before holds over it.");
            }
        }
    }

    private static List<String> few(String file, List<String> troubles) {
        if (troubles.size() <= MOST_TROUBLES) {
            return troubles;
        }
        List<String> few = new ArrayList<>(troubles.subList(0, MOST_TROUBLES));
        few.add("There is as much wrong with " + (troubles.size() - MOST_TROUBLES) + " more lines or holes of " + file
                + ".");
        return few;
    }
}
