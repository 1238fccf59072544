// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.generate;

import java.util.List;
import java.util.Locale;

/** The checks as people read them: a block for each group, and a verdict. */
final class CheckTable {
    private CheckTable() {}

    static String of(List<Check> checks) {
        StringBuilder text = new StringBuilder();
        String group = "";
        for (Check check : checks) {
            if (!check.group().equals(group)) {
                group = check.group();
                text.append(String.format(
                        Locale.ROOT,
                        "%n%-46s %12s %12s %12s %9s%n",
                        group,
                        "published",
                        "generated",
                        "difference",
                        "bound"));
            }
            String unit = check.relative() ? " %" : "  ";
            text.append(String.format(
                    Locale.ROOT,
                    "  %-44s %12s %12s %10s%s %9s%s%n",
                    check.label(),
                    number(check.expected()),
                    number(check.got()),
                    String.format(Locale.ROOT, "%+.2f", check.difference()),
                    unit,
                    check.isJudged() ? String.format(Locale.ROOT, "%.2f", check.bound()) + unit : "shown  ",
                    check.isBroken() ? "  OUT" : ""));
        }
        return text.toString();
    }

    static String verdict(List<Check> checks) {
        long judged = checks.stream().filter(Check::isJudged).count();
        List<String> broken = checks.stream()
                .filter(Check::isBroken)
                .map(check -> check.group() + ": " + check.label())
                .toList();
        if (judged == 0) {
            return "too few jobs to judge any figure";
        }
        return broken.isEmpty()
                ? "all " + judged + " figures are within their bounds"
                : broken.size() + " of " + judged + " figures are out of bounds: " + String.join("; ", broken);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, Math.abs(value) >= 1000 ? "%,.0f" : "%.3f", value);
    }
}
