// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.simulator.input.InputException;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much longer jobs run whose tasks talk over the network: 0.2 for a fifth longer.
 *
 * @param racks of a job on nodes of several racks
 * @param nodes of a job on several nodes of one rack
 */
public record Crossing(double racks, double nodes) {
    public static final Crossing NONE = new Crossing(0, 0);

    private static final double MOST = 100;
    private static final String NUMBER = "([0-9]{1,9}(?:\\.[0-9]{1,9})?)";
    private static final Pattern ONE = Pattern.compile(NUMBER);
    private static final Pattern TWO = Pattern.compile("rack=" + NUMBER + "(?:,node=" + NUMBER + ")?|node=" + NUMBER);

    /** @throws InputException if the text is neither a number nor such as {@code rack=0.2,node=0.05} */
    public static Crossing parse(String text) {
        Matcher one = ONE.matcher(text);
        Matcher two = TWO.matcher(text);
        Crossing found = NONE;
        if (one.matches()) {
            found = new Crossing(value(one.group(1)), 0);
        } else if (two.matches()) {
            String node = two.group(2) == null ? two.group(3) : two.group(2);
            found = new Crossing(value(two.group(1)), value(node));
        } else {
            throw wrong(text);
        }
        if (found.racks > MOST || found.nodes > MOST) {
            throw wrong(text);
        }
        return found;
    }

    private static double value(@org.jspecify.annotations.Nullable String digits) {
        return digits == null ? 0 : Double.parseDouble(digits);
    }

    private static InputException wrong(String text) {
        return new InputException("--crossing-penalty is '" + text
                + "', must be a number from 0 to 100 such as 0.2, or rack=0.2,node=0.05.");
    }

    /** How many times as long as on one node a job runs that is on so many racks and nodes. */
    double times(long onRacks, long onNodes) {
        return 1 + (onRacks > 1 ? racks : onNodes > 1 ? nodes : 0);
    }

    boolean isNone() {
        return equals(NONE);
    }

    /** As people would write it; empty where nothing is crossed at a cost. */
    Optional<String> words() {
        return isNone()
                ? Optional.empty()
                : Optional.of("--crossing-penalty rack=" + text(racks) + ",node=" + text(nodes));
    }

    private static String text(double value) {
        return new BigDecimal(String.valueOf(value)).stripTrailingZeros().toPlainString();
    }
}
