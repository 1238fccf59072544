// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.budget;

import io.treadle.core.budget.EnergyBudget.Kind;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Budgets as people say them: a number and its unit. */
final class SpokenBudget {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,12}(?:\\.[0-9]{1,6})?) ?([a-z%]+)(?:/(.*))?");
    private static final Pattern HOURS = Pattern.compile("([0-9]{1,4}) ?h(?:ours)?");

    private SpokenBudget() {}

    /** Empty for another form; an amount that no budget may have throws. */
    static Optional<EnergyBudget> parse(String text) {
        Matcher matcher = FORM.matcher(text.trim().toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            return Optional.empty();
        }
        double amount = Double.parseDouble(matcher.group(1));
        String unit = matcher.group(2);
        String each = matcher.group(3);
        if (each == null) {
            return switch (unit) {
                case "w" -> of(Kind.WATTS, amount);
                case "kw" -> of(Kind.WATTS, 1000 * amount);
                case "%" -> of(Kind.SHARE, amount / 100);
                case "kwh" -> of(Kind.TOTAL, amount);
                case "mwh" -> of(Kind.TOTAL, 1000 * amount);
                default -> Optional.empty();
            };
        }
        return switch (unit) {
            case "kwh" -> hours(each).map(h -> new EnergyBudget(Kind.WINDOW, amount, h));
            case "mwh" -> hours(each).map(h -> new EnergyBudget(Kind.WINDOW, 1000 * amount, h));
            case "g" -> each.equals("h") ? of(Kind.CARBON, amount) : Optional.empty();
            case "kg" -> each.equals("h") ? of(Kind.CARBON, 1000 * amount) : Optional.empty();
            case "s" -> each.equals("kwh") ? of(Kind.PRICE, amount) : Optional.empty();
            default -> Optional.empty();
        };
    }

    private static Optional<EnergyBudget> of(Kind kind, double amount) {
        return Optional.of(new EnergyBudget(kind, amount, 0));
    }

    private static Optional<Double> hours(String each) {
        return switch (each) {
            case "hour", "h" -> Optional.of(1.0);
            case "day" -> Optional.of(24.0);
            case "week" -> Optional.of(168.0);
            default -> {
                Matcher hours = HOURS.matcher(each);
                yield hours.matches() ? Optional.of(Double.parseDouble(hours.group(1))) : Optional.empty();
            }
        };
    }

    static String of(EnergyBudget budget) {
        double amount = budget.amount();
        return switch (budget.kind()) {
            case NONE -> "none";
            case SHARE -> plain(100 * amount) + " % of the peak";
            case WATTS -> plain(amount) + " W";
            case WINDOW -> plain(amount) + " kWh in each " + each(budget.hours());
            case TOTAL -> plain(amount) + " kWh in all";
            case CARBON -> plain(amount) + " g of CO2 an hour";
            case PRICE -> plain(amount) + " s of completion time for a kWh";
        };
    }

    private static String each(double hours) {
        return hours == 24 ? "day" : hours == 168 ? "week" : hours == 1 ? "hour" : plain(hours) + " hours";
    }

    /** With no more digits than it needs. */
    static String plain(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }
}
