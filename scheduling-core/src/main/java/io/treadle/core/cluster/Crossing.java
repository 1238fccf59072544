// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.cluster;

import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How much longer jobs run whose tasks talk over the network: 0.2 for a fifth longer.
 *
 * @param racks of a job on nodes of several racks; never less than on several nodes of one
 * @param nodes of a job on several nodes of one rack
 */
public record Crossing(double racks, double nodes) {
    public static final Crossing NONE = new Crossing(0, 0);

    private static final double MOST = 100;
    private static final String NUMBER = "([0-9]{1,9}(?:\\.[0-9]{1,9})?)";
    private static final Pattern ONE = Pattern.compile(NUMBER);
    private static final Pattern RACK = Pattern.compile("rack=" + NUMBER + "(?:,node=" + NUMBER + ")?");
    private static final Pattern NODE = Pattern.compile("node=" + NUMBER + "(?:,rack=" + NUMBER + ")?");

    /**
     * Reads what people write: one number is for racks.
     *
     * @param what the setting or option that it is the value of
     * @throws IllegalArgumentException if the text is neither a number nor such as {@code rack=0.2,node=0.05}
     */
    public static Crossing parse(String what, String text) {
        Matcher one = ONE.matcher(text);
        Matcher rack = RACK.matcher(text);
        Matcher node = NODE.matcher(text);
        Crossing found = new Crossing(MOST + 1, 0);
        if (one.matches()) {
            found = new Crossing(value(one.group(1)), 0);
        } else if (rack.matches()) {
            found = new Crossing(value(rack.group(1)), value(rack.group(2)));
        } else if (node.matches()) {
            found = new Crossing(value(node.group(2)), value(node.group(1)));
        }
        if (found.racks > MOST || found.nodes > MOST) {
            throw new IllegalArgumentException(
                    what + " is '" + text + "', must be a number from 0 to 100 such as 0.2, or rack=0.2,node=0.05");
        }
        return found;
    }

    private static double value(@Nullable String digits) {
        return digits == null ? 0 : Double.parseDouble(digits);
    }

    /** How many times as long as on one node a job runs that is on so many racks and nodes. */
    public double times(long onRacks, long onNodes) {
        return 1 + (onRacks > 1 ? Math.max(racks, nodes) : onNodes > 1 ? nodes : 0);
    }

    public boolean isNone() {
        return equals(NONE);
    }

    @Override
    public String toString() {
        return "rack=" + text(racks) + ",node=" + text(nodes);
    }

    private static String text(double value) {
        return new BigDecimal(String.valueOf(value)).stripTrailingZeros().toPlainString();
    }
}
