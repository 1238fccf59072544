// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * An axis with its marks.
 *
 * @param isLog whether equal lengths are equal ratios
 * @param kind what its numbers are, for the page's script: {@code time}, {@code share} or {@code number}
 */
record Axis(double least, double most, boolean isLog, String kind, List<Tick> ticks) {
    /** @param isMain whether it is to be named on a narrow screen too */
    record Tick(double value, String name, boolean isMain) {}

    private static final double MINUTE = 60;
    private static final double HOUR = 3600;
    private static final double DAY = 86_400;
    private static final double[] ROUND_TIMES = {
        1, 10, MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, DAY, 7 * DAY, 30 * DAY, 365 * DAY
    };
    private static final double[] STEPS = {
        1,
        2,
        5,
        10,
        30,
        MINUTE,
        2 * MINUTE,
        5 * MINUTE,
        10 * MINUTE,
        30 * MINUTE,
        HOUR,
        2 * HOUR,
        3 * HOUR,
        6 * HOUR,
        12 * HOUR,
        DAY,
        2 * DAY,
        5 * DAY,
        7 * DAY,
        10 * DAY,
        14 * DAY,
        30 * DAY,
        60 * DAY,
        90 * DAY,
        180 * DAY,
        365 * DAY
    };
    private static final int MOST_TICKS = 10;
    private static final int MOST_MAIN_TICKS = 5;

    /** Times on a logarithmic scale, s. */
    static Axis logTime(double least, double most) {
        double from = Math.max(1e-3, least);
        double to = Math.max(from * 10, most);
        // Over less than two decades the few roundest times would leave the axis bare.
        boolean isShort = to / from < 100;
        List<Tick> ticks = new ArrayList<>();
        for (double time : isShort ? STEPS : ROUND_TIMES) {
            if (time >= from && time <= to) {
                boolean isMain = isShort
                        ? ticks.size() % 2 == 0
                        : time == 1 || time == MINUTE || time == HOUR || time == DAY || time == 30 * DAY;
                ticks.add(new Tick(time, lasting(time), isMain));
            }
        }
        return new Axis(from, to, true, "time", ticks);
    }

    /** Times from 0, s. */
    static Axis time(double most) {
        double to = Math.max(1, most);
        double step = STEPS[STEPS.length - 1];
        for (int i = STEPS.length - 1; i >= 0; i--) {
            if (to / STEPS[i] <= MOST_TICKS) {
                step = STEPS[i];
            }
        }
        while (to / step > MOST_TICKS) {
            step *= 10;
        }
        List<Tick> ticks = new ArrayList<>();
        for (int i = 0; i * step <= to; i++) {
            ticks.add(new Tick(i * step, i == 0 ? "0" : lasting(i * step), i % 2 == 0));
        }
        return new Axis(0, to, false, "time", ticks);
    }

    /** Ratios on a logarithmic scale, 1 among them. */
    static Axis logRatio(double least, double most) {
        double from = Math.min(0.5, Math.max(1e-3, least));
        double to = Math.max(2, most);
        List<Tick> ticks = new ArrayList<>();
        boolean isShort = to / from < 1000;
        for (double size = 1e-3; size <= to; size *= 10) {
            for (int times : isShort ? new int[] {1, 2, 5} : new int[] {1}) {
                double value = size * times;
                if (value >= from * (1 - 1e-9) && value <= to) {
                    ticks.add(new Tick(value, Html.shortly(value), times == 1));
                }
            }
        }
        return new Axis(from, to, true, "number", ticks);
    }

    /** Shares from 0 to 1. */
    static Axis share() {
        List<Tick> ticks = new ArrayList<>();
        for (int i = 0; i <= 4; i++) {
            ticks.add(new Tick(i / 4.0, i * 25 + " %", true));
        }
        return new Axis(0, 1, false, "share", ticks);
    }

    /** Numbers from 0. */
    static Axis number(double greatest) {
        double most = greatest > 0 ? greatest : 1;
        double size = Math.pow(10, Math.floor(Math.log10(Math.max(1e-9, most) / 4)));
        double step = size;
        for (double times : new double[] {1, 2, 5, 10}) {
            if (most / (size * times) >= 3) {
                step = size * times;
            }
        }
        List<Tick> ticks = new ArrayList<>();
        double to = Math.max(step, Math.ceil(most / step - 1e-9) * step);
        for (int i = 0; i * step <= to * (1 + 1e-9); i++) {
            double value = i * step;
            String name = value == Math.rint(value)
                    ? Html.count(Math.round(value))
                    : String.format(Locale.ROOT, "%s", Html.number(value));
            ticks.add(new Tick(value, name, true));
        }
        return new Axis(0, to, false, "number", ticks);
    }

    /**
     * Numbers that were chosen beforehand, each with its mark as far as there is room.
     *
     * @param values rising, at least two
     * @param isLog whether equal lengths are to be equal ratios
     */
    static Axis of(double[] values, boolean isLog) {
        int every = (values.length + MOST_TICKS - 1) / MOST_TICKS;
        List<Tick> ticks = new ArrayList<>();
        for (int i = 0; i < values.length; i += every) {
            String name = values[i] == Math.rint(values[i])
                    ? Html.count(Math.round(values[i]))
                    : BigDecimal.valueOf(values[i]).stripTrailingZeros().toPlainString();
            ticks.add(new Tick(values[i], name, values.length <= MOST_MAIN_TICKS || i % (2 * every) == 0));
        }
        return new Axis(values[0], values[values.length - 1], isLog, "number", ticks);
    }

    /** Numbers above 0 on a logarithmic scale, from one power of ten to another. */
    static Axis powers(double least, double most) {
        int from = (int) Math.floor(Math.log10(least) + 1e-9);
        int to = Math.max(from + 1, (int) Math.ceil(Math.log10(most) - 1e-9));
        List<Tick> ticks = new ArrayList<>();
        for (int power = from; power <= to; power++) {
            double value = BigDecimal.ONE.scaleByPowerOfTen(power).doubleValue();
            String name = value >= 1
                    ? Html.count(Math.round(value))
                    : BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
            ticks.add(new Tick(value, name, true));
        }
        return new Axis(ticks.get(0).value(), ticks.get(ticks.size() - 1).value(), true, "number", ticks);
    }

    /** Where a value lies, from 0 to 1. */
    double at(double value) {
        double clamped = Math.max(least, Math.min(most, value));
        return isLog
                ? (Math.log(clamped) - Math.log(least)) / (Math.log(most) - Math.log(least))
                : (clamped - least) / (most - least);
    }

    private static String lasting(double seconds) {
        if (seconds >= DAY) {
            return Html.number(seconds / DAY) + " d";
        }
        if (seconds >= HOUR) {
            return Html.number(seconds / HOUR) + " h";
        }
        return seconds >= MINUTE ? Html.number(seconds / MINUTE) + " min" : Html.number(seconds) + " s";
    }
}
