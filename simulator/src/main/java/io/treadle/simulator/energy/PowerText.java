// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.energy;

import java.math.BigDecimal;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a cluster draws as people write it in one word: {@code a100}, or {@code 450/55/400} of node, idle GPU and GPU. */
public final class PowerText {
    private static final Map<String, ClusterPower> NAMES =
            new TreeMap<>(Map.of("a100", ClusterPower.A100, "v100", ClusterPower.V100));
    private static final Pattern WATTS = Pattern.compile("(\\d{1,6})/(\\d{1,6})/(\\d{1,6})");

    private PowerText() {}

    /** @throws IllegalArgumentException if it is neither a name nor three numbers that can be together */
    public static ClusterPower parse(String text) {
        ClusterPower named = NAMES.get(text);
        if (named != null) {
            return named;
        }
        Matcher watts = WATTS.matcher(text);
        if (!watts.matches()) {
            throw new IllegalArgumentException("must be one of " + String.join(", ", NAMES.keySet())
                    + ", or watts of a node without its GPUs, of an idle GPU and a GPU's default limit such as "
                    + of(ClusterPower.A100));
        }
        return ClusterPower.of(number(watts, 1), number(watts, 2), number(watts, 3));
    }

    private static double number(Matcher watts, int group) {
        return Double.parseDouble(watts.group(group));
    }

    /** The three numbers; caps are left out. */
    public static String of(ClusterPower power) {
        return plain(power.nodeWatts()) + "/" + plain(power.idleGpuWatts()) + "/" + plain(power.gpuWatts());
    }

    /** With no more digits than it needs. */
    static String plain(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }
}
