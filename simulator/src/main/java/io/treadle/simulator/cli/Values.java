// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.simulator.energy.ClusterPower;
import io.treadle.simulator.energy.PowerText;
import io.treadle.simulator.input.InputException;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Values of options that are more than a word. */
final class Values {
    private static final double MOST_SECONDS = 1e9;
    private static final double MOST_LOAD = 100;

    private Values() {}

    static boolean onOff(String option, String value) {
        return switch (value) {
            case "on" -> true;
            case "off" -> false;
            default -> throw new InputException(option + " is '" + value + "', must be on or off.");
        };
    }

    static long milliseconds(String option, double seconds) {
        if (!(seconds >= 0.001 && seconds <= MOST_SECONDS)) {
            throw new InputException(option + " is '" + seconds + "', must be seconds from 0.001 to 1e9.");
        }
        return Math.round(seconds * 1000);
    }

    static double loadFactor(double value) {
        if (!(value >= 0.001 && value <= 1000)) {
            throw new InputException("--load-factor is '" + value + "', must be from 0.001 to 1000.");
        }
        return value;
    }

    static OptionalDouble load(@Nullable Double ratio) {
        if (ratio == null) {
            return OptionalDouble.empty();
        }
        if (!(ratio > 0 && ratio <= MOST_LOAD)) {
            throw new InputException("--load is '" + ratio + "', must be above 0 and at most " + MOST_LOAD + ".");
        }
        return OptionalDouble.of(ratio);
    }

    static ClusterPower power(String text) {
        try {
            return PowerText.parse(text);
        } catch (IllegalArgumentException e) {
            throw new InputException("--power is '" + text + "': " + e.getMessage() + ".", e);
        }
    }

    /** Negative for {@code auto}. */
    static long firstRound(String value) {
        if (value.equals("auto")) {
            return -1;
        }
        if (value.equals("0")) {
            return 0;
        }
        try {
            return milliseconds("--first-round", Double.parseDouble(value));
        } catch (NumberFormatException e) {
            throw new InputException("--first-round is '" + value + "', must be auto or seconds.", e);
        }
    }
}
