// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/** The ResourceManager's report on power, for a terminal. */
final class PowerText {
    private static final double JOULES_PER_WATT_HOUR = 3600;
    private static final int BAR = 24;
    private static final int LINE = 60;
    private static final String LEVELS = "▁▂▃▄▅▆▇█";
    private static final String ASCII_LEVELS = "_.-:=+*#";

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final boolean unicode;

    /** @param unicode whether the terminal shows more than ASCII */
    PowerText(boolean unicode) {
        this.unicode = unicode;
    }

    String report(JsonNode report) {
        StringBuilder text = new StringBuilder();
        JsonNode cluster = report.path("cluster");
        double watts = cluster.path("watts").asDouble();
        boolean limited = cluster.path("budgetWatts").isNumber();
        double most = limited
                ? cluster.path("budgetWatts").asDouble()
                : cluster.path("peakWatts").asDouble();
        line(
                text,
                "cluster  %s %s %s",
                bar(watts, most),
                watts(watts),
                limited ? "of a budget of " + watts(most) : most > 0 ? "of at most " + watts(most) : "");
        line(
                text,
                "energy   %s of all GPUs, %s of it while nobody held them",
                energy(cluster.path("joules").asDouble()),
                energy(cluster.path("idleJoules").asDouble()));
        if (cluster.path("energyBudget").isObject()) {
            line(text, "budget   %s", energyBudget(cluster.path("energyBudget")));
        }
        String course = course(report.path("history"));
        if (!course.isEmpty()) {
            line(text, "an hour  %s", course);
        }
        cluster.path("warnings").forEach(warning -> line(text, "%s", warning.asText()));
        for (JsonNode node : report.path("asleep")) {
            line(
                    text,
                    "%s %s since %s",
                    node.path("node").asText(),
                    node.path("words").asText(),
                    TIME.format(Instant.ofEpochMilli(node.path("sinceMs").asLong())));
        }
        more(text, report, "asleep", "hosts that are not on");
        queues(text, report.path("queues"));
        nodes(text, report.path("nodes"));
        more(text, report, "nodes", "nodes");
        return text.toString();
    }

    /** The ResourceManager answers in pages. */
    private void more(StringBuilder text, JsonNode report, String list, String words) {
        int shown = report.path(list).size();
        int more = report.path(list + "Total").asInt() - shown;
        if (more > 0) {
            line(text, "and %,d more %s: GET /ws/v1/treadle/power?offset=%d", more, words, shown);
        }
    }

    private void queues(StringBuilder text, JsonNode queues) {
        line(text, "");
        line(text, "%-32s %10s %10s %10s %5s", "queue", "draw", "budget", "energy", "jobs");
        for (JsonNode queue : queues) {
            line(
                    text,
                    "%-32s %10s %10s %10s %5d",
                    queue.path("queue").asText(),
                    watts(queue.path("watts").asDouble()),
                    budget(queue),
                    energy(queue.path("joules").asDouble()),
                    queue.path("jobs").asInt());
            if (queue.path("energyBudget").isObject()) {
                line(text, "  %s", energyBudget(queue.path("energyBudget")));
            }
        }
    }

    private void nodes(StringBuilder text, JsonNode nodes) {
        line(text, "");
        if (nodes.isEmpty()) {
            line(text, "no node says what it draws");
            return;
        }
        line(text, "%-32s %10s %8s %10s  %s", "node", "draw", "known by", "GPUs", "caps in force; trouble");
        for (JsonNode node : nodes) {
            double gpus = 0;
            StringJoiner notes = new StringJoiner("; ");
            int index = 0;
            for (JsonNode gpu : node.path("gpus")) {
                gpus += gpu.path("watts").asDouble();
                note(notes, index++, gpu);
            }
            line(
                    text,
                    "%-32s %10s %8s %10s  %s",
                    node.path("node").asText(),
                    watts(node.path("watts").asDouble()),
                    node.path("source").asText(),
                    watts(gpus),
                    notes);
        }
    }

    private static void note(StringJoiner notes, int index, JsonNode gpu) {
        double cap = gpu.path("effectiveCapWatts").asDouble();
        if (cap > 0 && cap < gpu.path("limitWatts").asDouble() - 0.5) {
            notes.add("GPU " + index + " at " + watts(cap));
        }
        String trouble = gpu.path("trouble").asText();
        if (!trouble.isEmpty()) {
            notes.add("GPU " + index + " wants "
                    + watts(gpu.path("wantedCapWatts").asDouble()) + ": " + trouble);
        }
    }

    private void line(StringBuilder text, String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values).stripTrailing()).append(System.lineSeparator());
    }

    static String budget(JsonNode of) {
        return of.path("budgetWatts").isNumber() ? watts(of.path("budgetWatts").asDouble()) : "none";
    }

    /** What it is, what was used of it, until when, and what that comes to now. */
    static String energyBudget(JsonNode energy) {
        StringJoiner words = new StringJoiner(", ").add(energy.path("words").asText());
        if (energy.path("allowedJoules").isNumber()) {
            words.add(energy(energy.path("usedJoules").asDouble()) + " used");
        }
        if (energy.path("windowEndMs").isNumber()) {
            words.add("until "
                    + TIME.format(
                            Instant.ofEpochMilli(energy.path("windowEndMs").asLong())));
        }
        if (energy.path("limitWatts").isNumber()) {
            words.add(watts(energy.path("limitWatts").asDouble()) + " now");
        }
        return words.toString();
    }

    private static String watts(double watts) {
        return String.format(Locale.ROOT, "%,.0f W", watts);
    }

    private static String energy(double joules) {
        double wattHours = joules / JOULES_PER_WATT_HOUR;
        return wattHours < 1
                ? String.format(Locale.ROOT, "%.0f J", joules)
                : wattHours < 1000
                        ? String.format(Locale.ROOT, "%.1f Wh", wattHours)
                        : String.format(Locale.ROOT, "%,.1f kWh", wattHours / 1000);
    }

    private String bar(double part, double whole) {
        int full = whole > 0 ? (int) Math.round(BAR * Math.min(1, part / whole)) : 0;
        return "[" + (unicode ? "█" : "#").repeat(full) + (unicode ? "·" : ".").repeat(BAR - full) + "]";
    }

    /** Minutes' means from left to right, between nothing and the most. */
    private String course(JsonNode history) {
        List<Double> watts = new ArrayList<>();
        history.forEach(sample -> watts.add(sample.path("watts").asDouble()));
        double most = watts.stream().mapToDouble(Double::doubleValue).max().orElse(0);
        if (watts.size() < 2 || most <= 0) {
            return "";
        }
        String levels = unicode ? LEVELS : ASCII_LEVELS;
        int columns = Math.min(LINE, watts.size());
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < columns; i++) {
            double mean = watts.subList(i * watts.size() / columns, (i + 1) * watts.size() / columns).stream()
                    .mapToDouble(Double::doubleValue)
                    .average()
                    .orElse(0);
            line.append(levels.charAt((int) Math.min(levels.length() - 1, Math.floor(levels.length() * mean / most))));
        }
        return line + " at most " + watts(most);
    }
}
