// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.plan;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What queues below one parent are sure to get.
 *
 * @param queues all of them, in the order of the cluster's file
 */
record Shares(List<Share> queues) {
    /** The queues as they are, whatever that is. */
    static final Shares NONE = new Shares(List.of());

    private static final int MOST_NAMED = 2;

    /** What sums may be off by. */
    private static final double ROUNDING = 1e-4;

    /**
     * One queue's.
     *
     * @param name the last part of its path
     * @param percent of its parent's
     * @param gpus as many as that are, rounded down
     * @param isWanted whether it has a goal
     */
    record Share(String name, double percent, long gpus, boolean isWanted) {
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

    /** For a file: names and percents alone. */
    String plain() {
        return queues.stream()
                .map(share -> share.name() + "=" + share.percent())
                .collect(Collectors.joining(" "));
    }

    /** In words. */
    String text() {
        return queues.stream().map(Share::text).collect(Collectors.joining(", "));
    }

    /** In words, many queues without goals as one. */
    String shortText() {
        List<Share> others = queues.stream().filter(share -> !share.isWanted()).toList();
        if (others.size() <= MOST_NAMED) {
            return text();
        }
        double sum = others.stream().mapToDouble(Share::percent).sum();
        return Stream.concat(
                        queues.stream().filter(Share::isWanted).map(Share::text),
                        Stream.of(others.size() + " without goals " + shown(sum)))
                .collect(Collectors.joining(", "));
    }

    /** Without one queue's. */
    Shares without(String name) {
        return new Shares(
                queues.stream().filter(share -> !share.name().equals(name)).toList());
    }

    static String shown(double value) {
        return String.format(Locale.ROOT, Math.abs(value - Math.rint(value)) < ROUNDING ? "%.0f %%" : "%.1f %%", value);
    }
}
