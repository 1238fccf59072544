// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.query;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Which task of those that wait on a worker runs next. */
public enum QueueOrder {
    /** The one that came first, as Compass has it. */
    FIFO("fifo") {
        @Override
        double key(double rankMs, double arrivalMs) {
            return 0;
        }
    },
    /**
     * The one whose query has the least left to do, time that the query has waited counted in its favour: none waits for
     * ever. A rule of ours.
     */
    LEAST_LEFT("least-left") {
        @Override
        double key(double rankMs, double arrivalMs) {
            // rank - AGEING * (now - arrival), less what is the same for all.
            return rankMs + AGEING * arrivalMs;
        }
    };

    /** What a ms of waiting outweighs of a ms that is left to do. */
    private static final double AGEING = 0.5;

    private final String text;

    QueueOrder(String text) {
        this.text = text;
    }

    /**
     * The lowest goes first, of equal ones the one that came first.
     *
     * @param rankMs upward rank of the task
     * @param arrivalMs when its query came
     */
    abstract double key(double rankMs, double arrivalMs);

    public String text() {
        return text;
    }

    /** @throws IllegalArgumentException if there is none of that name; the message names those that there are */
    public static QueueOrder of(String text) {
        return Arrays.stream(values())
                .filter(order -> order.text.equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("must be one of "
                        + Arrays.stream(values()).map(QueueOrder::text).collect(Collectors.joining(", "))));
    }
}
