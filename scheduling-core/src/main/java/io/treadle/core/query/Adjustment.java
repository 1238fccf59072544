// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.query;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * When a task that was planned goes elsewhere after all, once its input is there.
 *
 * @param rule what is looked at
 * @param threshold how many times as long as the task runs, 0 or more
 */
public record Adjustment(Rule rule, double threshold) {
    /** What is looked at. */
    public enum Rule {
        /** Never. */
        NONE("none"),
        /** Where its worker has more to do than the threshold, to where it begins earliest: Compass' rule. */
        LOAD("load"),
        /**
         * Where it would begin earlier elsewhere by more than the threshold: a rule of ours. What its worker has to do says
         * little where all have much.
         */
        GAIN("gain");

        private final String text;

        Rule(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }

        /** @throws IllegalArgumentException if there is none of that name; the message names those that there are */
        public static Rule of(String text) {
            return Arrays.stream(values())
                    .filter(rule -> rule.text.equals(text))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("must be one of "
                            + Arrays.stream(values()).map(Rule::text).collect(Collectors.joining(", "))));
        }
    }

    /** Compass' own. */
    public static final Adjustment PUBLISHED = new Adjustment(Rule.LOAD, 1.5);

    public Adjustment {
        checkArgument(
                threshold >= 0 && Double.isFinite(threshold),
                "threshold is %s, must be a finite number of 0 or more",
                threshold);
    }
}
