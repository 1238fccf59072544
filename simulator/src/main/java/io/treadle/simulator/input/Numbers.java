// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.input;

import java.util.Optional;
import java.util.regex.Pattern;

/** Numbers as files write them: in decimal digits, no {@code 0x1p3}, {@code 8f} or {@code Infinity}. */
final class Numbers {
    private static final Pattern DECIMAL = Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");
    private static final int MOST_CHARACTERS = 400;

    private Numbers() {}

    static Optional<Double> parse(String text) {
        return text.length() <= MOST_CHARACTERS && DECIMAL.matcher(text).matches()
                ? Optional.of(Double.parseDouble(text))
                : Optional.empty();
    }
}
