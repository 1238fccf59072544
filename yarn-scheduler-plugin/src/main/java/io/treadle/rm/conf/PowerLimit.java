// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.conf;

import io.treadle.core.wire.PowerBudgetsRecord;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A power budget as a setting says it.
 *
 * @param amount W, or where {@code share} a part of what is above it, above 0 and at most 1
 * @param share whether it is a part of something
 */
public record PowerLimit(double amount, boolean share) {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,12}(?:\\.[0-9]{1,6})?) ?(W|KW|%)?");

    /**
     * @param key for messages
     * @return empty for no budget: nothing, or {@code none}
     * @throws IllegalArgumentException if the value is none; the message names key, value and what would be right
     */
    public static Optional<PowerLimit> parse(String key, String value) {
        String text = value.trim().toUpperCase(Locale.ROOT);
        if (text.isEmpty() || text.equals("NONE")) {
            return Optional.empty();
        }
        Matcher matcher = FORM.matcher(text);
        if (matcher.matches()) {
            double number = Double.parseDouble(matcher.group(1));
            String unit = matcher.group(2) == null ? "W" : matcher.group(2);
            if (unit.equals("%")) {
                if (number > 0 && number <= 100) {
                    return Optional.of(new PowerLimit(number / 100, true));
                }
            } else {
                double watts = unit.equals("KW") ? number * 1000 : number;
                if (watts >= PowerBudgetsRecord.LEAST_WATTS && watts <= PowerBudgetsRecord.MOST_WATTS) {
                    return Optional.of(new PowerLimit(watts, false));
                }
            }
        }
        throw new IllegalArgumentException(key + " is '" + value.trim()
                + "', must be watts from 1 to 1000000000 such as 12000 or 12kW, a share above 0% and at most 100% such as"
                + " 70%, or none");
    }

    /** @param whole what it may be a share of, W */
    public double watts(double whole) {
        return share ? amount * whole : amount;
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, share ? "%.0f %%" : "%,.0f W", share ? amount * 100 : amount);
    }
}
