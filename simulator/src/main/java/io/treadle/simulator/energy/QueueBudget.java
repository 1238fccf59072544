// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.energy;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the GPUs of a queue's jobs may draw together, as people say it.
 *
 * @param amount W, or where {@code share} a part of what is above it, above 0 and at most 1
 * @param share whether it is a part of something
 */
public record QueueBudget(double amount, boolean share) {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,12}(?:\\.[0-9]{1,6})?) ?(W|KW|%)?");
    private static final double MOST_WATTS = 1e9;

    /**
     * @param text such as {@code 12000}, {@code 12kW} or {@code 70%}
     * @throws IllegalArgumentException if it is none; the message says what would be right
     */
    public static QueueBudget parse(String text) {
        Matcher matcher = FORM.matcher(text.trim().toUpperCase(Locale.ROOT));
        if (matcher.matches()) {
            double number = Double.parseDouble(matcher.group(1));
            boolean share = "%".equals(matcher.group(2));
            double amount = share ? number / 100 : "KW".equals(matcher.group(2)) ? number * 1000 : number;
            if (share ? amount > 0 && amount <= 1 : amount >= 1 && amount <= MOST_WATTS) {
                return new QueueBudget(amount, share);
            }
        }
        throw new IllegalArgumentException("'" + text + "' is no power budget, must be watts from 1 to 1000000000 such"
                + " as 12000 or 12kW, or a share above 0% and at most 100% such as 70%");
    }

    /** @param whole what it may be a share of, W */
    public double watts(double whole) {
        return share ? amount * whole : amount;
    }

    /** As {@link #parse} takes it. */
    public String text() {
        return share ? PowerText.plain(amount * 100) + "%" : PowerText.plain(amount);
    }
}
