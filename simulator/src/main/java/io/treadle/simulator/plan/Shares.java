// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.plan;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What queues below one parent are sure to get.
 *
 * @param queues all of them, in the order of the cluster's file
 */
record Shares(List<Share> queues) {
    /** The queues as they are, whatever that is. */
    static final Shares NONE = new Shares(List.of());

    /**
     * One queue's.
     *
     * @param name the last part of its path
     * @param percent of its parent's
     * @param gpus as many as that are, rounded down
     */
    record Share(String name, double percent, long gpus) {
        String text() {
            return name + " " + shown(percent);
        }
    }

    Shares {
        queues = List.copyOf(queues);
    }

    boolean isEmpty() {
        return queues.isEmpty();
    }

    Share of(String name) {
        return queues.stream()
                .filter(share -> share.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** In words. */
    String text() {
        return queues.stream().map(Share::text).collect(Collectors.joining(", "));
    }

    /** All but one queue's, in words. */
    String textWithout(String name) {
        return new Shares(queues.stream()
                        .filter(share -> !share.name().equals(name))
                        .toList())
                .text();
    }

    static String shown(double value) {
        return String.format(Locale.ROOT, value == Math.rint(value) ? "%.0f %%" : "%.1f %%", value);
    }
}
