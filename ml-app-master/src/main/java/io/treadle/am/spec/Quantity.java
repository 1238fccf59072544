// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.spec;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Amounts with units, as people write them: {@code 4Gi}, {@code 1.5 GB/s}, {@code 300W}, {@code 10min}. */
final class Quantity {
    /** Memory, in MiB. */
    static final Quantity MEMORY = new Quantity(
            Map.of("", 1L, "Mi", 1L, "MiB", 1L, "Gi", 1024L, "GiB", 1024L, "Ti", 1024L * 1024, "TiB", 1024L * 1024),
            "MiB",
            "such as 4Gi, 512Mi or a plain number of MiB");
    /** Bandwidth, in MB/s. */
    static final Quantity BANDWIDTH = new Quantity(
            Map.of("", 1L, "MB/s", 1L, "GB/s", 1000L), "MB/s", "such as 200MB/s, 1.5GB/s or a plain number of MB/s");
    /** Power, in watts. */
    static final Quantity POWER =
            new Quantity(Map.of("", 1L, "W", 1L, "kW", 1000L), "W", "such as 300W, 1.2kW or a plain number of watts");
    /** Time, in seconds. */
    static final Quantity DURATION = new Quantity(
            Map.of("", 1L, "s", 1L, "min", 60L, "h", 3600L, "d", 86_400L),
            "s",
            "such as 90s, 10min, 2h or a plain number of seconds");

    private static final Pattern FORM = Pattern.compile("([0-9]{1,15}(?:\\.[0-9]{1,6})?) ?([A-Za-z/]{0,5})");

    private final Map<String, Long> units;
    private final String base;
    private final String examples;

    private Quantity(Map<String, Long> units, String base, String examples) {
        this.units = units;
        this.base = base;
        this.examples = examples;
    }

    /** The amount in the base unit; empty if the text is no amount, or none that is whole in the base unit. */
    OptionalLong parse(String text) {
        Matcher matcher = FORM.matcher(text);
        Long factor = matcher.matches() ? units.get(matcher.group(2)) : null;
        if (factor == null) {
            return OptionalLong.empty();
        }
        BigDecimal amount = new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(factor));
        return amount.stripTrailingZeros().scale() <= 0 && amount.compareTo(BigDecimal.valueOf(1L << 60)) <= 0
                ? OptionalLong.of(amount.longValue())
                : OptionalLong.empty();
    }

    /** What would be right: {@code an amount from 1 to 1024 MiB, such as …}. */
    String right(long least, long most) {
        return "an amount from " + least + " to " + most + " " + base + ", " + examples;
    }

    /** A known spelling of the same amount ("4G", "4gb" → "4Gi"), with its advice; empty where there is none. */
    String advice(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches() || matcher.group(2).isEmpty() || units.containsKey(matcher.group(2))) {
            return "";
        }
        String unit = matcher.group(2).toLowerCase(Locale.ROOT);
        return units.keySet().stream()
                .filter(known -> !known.isEmpty()
                        && known.substring(0, 1).toLowerCase(Locale.ROOT).equals(unit.substring(0, 1)))
                .min((a, b) -> a.length() != b.length() ? a.length() - b.length() : a.compareTo(b))
                .map(known -> "\nMaybe '" + matcher.group(1) + known + "'.")
                .orElse("");
    }
}
