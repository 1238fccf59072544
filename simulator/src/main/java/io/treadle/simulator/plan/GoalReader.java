// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.plan;

import io.treadle.simulator.input.InputException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads goals: {@code p95 wait < 2h}, {@code mean slowdown < 3}, {@code queue research: max jct < 3d},
 * {@code utilization > 70%}, {@code makespan < 3d}.
 */
final class GoalReader {
    private static final Pattern QUEUE = Pattern.compile("\\s*queue\\s+(.*\\S)\\s*:\\s*(?=\\S)");
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9]+");
    private static final Pattern NUMBER = Pattern.compile("[0-9]+(\\.[0-9]+)?");
    private static final Pattern SIGN = Pattern.compile("[<>]=?");
    private static final Pattern BLANK = Pattern.compile("\\s*");
    private static final Pattern UNIT = Pattern.compile("[A-Za-z%]*");
    private static final Map<String, Double> SECONDS = Map.of("s", 1.0, "min", 60.0, "h", 3600.0, "d", 86_400.0);

    private final String text;
    private int at;

    private GoalReader(String text) {
        this.text = text;
    }

    /** @throws InputException naming the column, from 1, at which it is no goal */
    static Goal read(String text) {
        return new GoalReader(text).goal();
    }

    static List<Goal> readAll(List<String> texts) {
        return texts.stream().map(GoalReader::read).toList();
    }

    private Goal goal() {
        Optional<String> queue = queue();
        skipBlanks();
        int begin = at;
        String word = next(WORD);
        Optional<Statistic> statistic = Statistic.named(word);
        if (statistic.isPresent()) {
            skipBlanks();
            begin = at;
            word = next(WORD);
        }
        Measure measure = measure(word, begin, statistic.isPresent());
        if (queue.isPresent() && !measure.isOfJobs()) {
            throw wrong(begin, word, "wait, jct or slowdown: a queue has no " + word + " of its own");
        }
        sign(measure);
        double bound = bound(measure);
        skipBlanks();
        if (at < text.length()) {
            throw wrong(at, text.substring(at), "the end");
        }
        return new Goal(queue, statistic, measure, bound, text.strip());
    }

    private Optional<String> queue() {
        Matcher matcher = QUEUE.matcher(text);
        if (!matcher.lookingAt()) {
            return Optional.empty();
        }
        at = matcher.end();
        return Optional.of(matcher.group(1));
    }

    private Measure measure(String word, int begin, boolean hasStatistic) {
        Optional<Measure> measure = Measure.named(word);
        if (hasStatistic) {
            return measure.filter(Measure::isOfJobs).orElseThrow(() -> wrong(begin, word, "wait, jct or slowdown"));
        }
        if (measure.isPresent() && measure.get().isOfJobs()) {
            throw wrong(begin, word, "mean, p50, p95, p99 or max, and then " + word);
        }
        return measure.orElseThrow(
                () -> wrong(begin, word, "mean, p50, p95, p99, max, utilization, makespan or 'queue NAME:'"));
    }

    private void sign(Measure measure) {
        skipBlanks();
        int begin = at;
        String expected = measure == Measure.UTILIZATION ? ">" : "<";
        String sign = next(SIGN);
        if (!sign.equals(expected)) {
            throw wrong(begin, sign.isEmpty() ? rest(begin) : sign, expected);
        }
    }

    private double bound(Measure measure) {
        skipBlanks();
        int begin = at;
        String number = next(NUMBER);
        skipBlanks();
        int unitAt = at;
        String unit = next(UNIT);
        if (measure.isTime()) {
            Double seconds = SECONDS.get(unit);
            if (number.isEmpty()) {
                throw wrong(begin, rest(begin), "a time such as 90s, 30min, 2h or 3d");
            }
            if (seconds == null) {
                throw wrong(unitAt, unit, "s, min, h or d");
            }
            return positive(begin, Double.parseDouble(number) * seconds);
        }
        String expected = measure == Measure.UTILIZATION ? "a percentage from 0% to 100%" : "a ratio such as 3";
        if (number.isEmpty()) {
            throw wrong(begin, rest(begin), expected);
        }
        boolean isPercent = measure == Measure.UTILIZATION;
        if (!unit.equals(isPercent ? "%" : "")) {
            throw wrong(unitAt, unit, isPercent ? "%" : "nothing more");
        }
        double value = Double.parseDouble(number);
        if (isPercent && value >= 100) {
            throw wrong(begin, number, "below 100%");
        }
        return isPercent ? value / 100 : positive(begin, value);
    }

    private double positive(int begin, double value) {
        if (value <= 0) {
            throw wrong(begin, rest(begin), "above 0");
        }
        return value;
    }

    private void skipBlanks() {
        next(BLANK);
    }

    /** What matches here, which is taken; empty where nothing does. */
    private String next(Pattern pattern) {
        Matcher matcher = pattern.matcher(text).region(at, text.length());
        if (!matcher.lookingAt()) {
            return "";
        }
        at = matcher.end();
        return matcher.group();
    }

    private String rest(int begin) {
        return text.substring(begin).strip();
    }

    private InputException wrong(int begin, String found, String expected) {
        String what = found.isEmpty() ? rest(begin) : found;
        return new InputException("--goal '" + text + "', column " + (begin + 1) + ": "
                + (what.isEmpty() ? "ends" : "is '" + what + "'") + ", must be " + expected
                + ".\nMaybe one like 'p95 wait < 2h', 'queue prod: mean slowdown < 3', 'utilization > 70%' or"
                + " 'makespan < 3d'.");
    }
}
