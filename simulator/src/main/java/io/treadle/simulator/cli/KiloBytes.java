// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.simulator.input.InputException;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes with a unit. */
final class KiloBytes {
    private static final Pattern SIZE = Pattern.compile("(\\d+\\.?\\d*|\\.\\d+)\\s*([KMGk]i?B)");
    private static final Map<String, Double> UNITS =
            Map.of("kB", 1.0, "KB", 1.0, "MB", 1e3, "GB", 1e6, "KiB", 1.024, "MiB", 1048.576, "GiB", 1_073_741.824);

    private KiloBytes() {}

    /** @throws InputException if it is no size above 0 */
    static double parse(String option, String text) {
        Matcher matcher = SIZE.matcher(text.trim());
        Double unit = matcher.matches() ? UNITS.get(matcher.group(2)) : null;
        double kb = unit == null ? 0 : Double.parseDouble(matcher.group(1)) * unit;
        if (!(kb > 0 && Double.isFinite(kb))) {
            throw new InputException(option + " is '" + text + "', must be a size such as 14000000kB or 16GiB.");
        }
        return kb;
    }
}
