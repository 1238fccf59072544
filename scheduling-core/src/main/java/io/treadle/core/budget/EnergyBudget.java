// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.budget;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is to be kept to, as an administrator says it.
 *
 * @param kind which of the kinds
 * @param amount share of the peak, W, kWh, g/h of CO2 or s/kWh, as the kind says
 * @param hours length of the window in which {@code amount} of kWh may be used, h; 0 for other kinds
 */
public record EnergyBudget(Kind kind, double amount, double hours) {
    /** No limit, and energy costs nothing. */
    public static final EnergyBudget NONE = new EnergyBudget(Kind.NONE, 0, 0);

    public static final double JOULES_PER_KWH = 3.6e6;
    private static final Pattern FORM = Pattern.compile("([a-z]+):([0-9.eE+-]+)(?:/([0-9.]+)h)?");
    private static final String FORMS =
            "share:0.7 (of the peak), watts:20000, window:240/24h (kWh in so many hours), total:500 (kWh in all),"
                    + " carbon:8000 (grams of CO2 an hour) or price:600 (seconds of completion time that a kWh is worth);"
                    + " or with units: 70 %, 20 kW, 240 kWh/day, 500 kWh, 8000 g/h, 600 s/kWh";

    /** How a budget is told. */
    public enum Kind {
        /** Not at all. */
        NONE,
        /** So much of what all nodes draw with all GPUs at their default limits, 0 to 1. */
        SHARE,
        /** So many watts. */
        WATTS,
        /** So many kWh in each window. */
        WINDOW,
        /** So many kWh for all jobs there are to come. */
        TOTAL,
        /** So many grams of CO2 in an hour. */
        CARBON,
        /** As much as completion times are worth it: so many seconds for a kWh. */
        PRICE
    }

    /** A minute: nothing is planned more often. */
    private static final double LEAST_HOURS = 1 / 60.0;
    /** A leap year. */
    private static final double MOST_HOURS = 8784;

    public EnergyBudget {
        boolean isMeant =
                switch (kind) {
                    case NONE -> amount == 0;
                    case PRICE -> amount >= 0;
                    default -> amount > 0;
                };
        if (!isMeant || Double.isInfinite(amount) || (kind == Kind.SHARE && amount > 1)) {
            throw new IllegalArgumentException("budget " + kind.name().toLowerCase(Locale.ROOT) + ":" + amount
                    + " is not one; forms are " + FORMS);
        }
        if (kind == Kind.WINDOW ? !(hours >= LEAST_HOURS && hours <= MOST_HOURS) : hours != 0) {
            throw new IllegalArgumentException("budget " + kind.name().toLowerCase(Locale.ROOT) + ":" + amount + "/"
                    + hours + "h has no window, or one that is not from a minute to a year; forms are " + FORMS);
        }
    }

    /**
     * @param text such as {@code share:0.7} or {@code 70 %}; empty or {@code none} for none
     * @throws IllegalArgumentException if it is of no known form; the message shows them
     */
    public static EnergyBudget parse(String text) {
        if (text.isEmpty() || text.equals("none")) {
            return NONE;
        }
        Matcher matcher = FORM.matcher(text);
        try {
            Optional<EnergyBudget> spoken = SpokenBudget.parse(text);
            if (spoken.isPresent()) {
                return spoken.get();
            }
            if (matcher.matches()) {
                String hours = matcher.group(3);
                return new EnergyBudget(
                        Kind.valueOf(matcher.group(1).toUpperCase(Locale.ROOT)),
                        Double.parseDouble(matcher.group(2)),
                        hours == null ? 0 : Double.parseDouble(hours));
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("budget '" + text + "' is none: must be one of " + FORMS, e);
        }
        throw new IllegalArgumentException("budget '" + text + "' is none: must be one of " + FORMS);
    }

    /** What {@link #parse} makes this budget of. */
    public String text() {
        if (kind == Kind.NONE) {
            return "none";
        }
        return kind.name().toLowerCase(Locale.ROOT) + ":" + SpokenBudget.plain(amount)
                + (kind == Kind.WINDOW ? "/" + SpokenBudget.plain(hours) + "h" : "");
    }

    /** For people: with units written out. */
    public String words() {
        return SpokenBudget.of(this);
    }

    public static EnergyBudget ofShare(double share) {
        return new EnergyBudget(Kind.SHARE, share, 0);
    }

    /** @param secondsPerKwh of completion time, s/kWh */
    public static EnergyBudget ofPrice(double secondsPerKwh) {
        return new EnergyBudget(Kind.PRICE, secondsPerKwh, 0);
    }
}
