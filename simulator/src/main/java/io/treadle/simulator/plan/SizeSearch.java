// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Looks for the smallest size at which something holds, by as few looks as it can: it goes up or down by doubling, then
 * closes in. More nodes do not always help, so it looks at the neighbours of what it found too, and goes on from those
 * that hold.
 */
final class SizeSearch {
    /** Neighbours that are looked at below the smallest. */
    static final int BELOW = 3;

    private static final int ABOVE = 2;
    /** Sizes that are looked at side by side, whatever the machine: on every one the same are looked at. */
    private static final int AT_ONCE = 3;

    /** Looks at sizes. */
    interface Look {
        /** Whether it holds at each of these. */
        Map<Integer, Boolean> at(List<Integer> sizes);
    }

    private final int least;
    private final int most;
    private final Look look;
    private final TreeMap<Integer, Boolean> known = new TreeMap<>();

    /** @param least at least 1 */
    SizeSearch(int least, int most, Look look) {
        this.least = least;
        this.most = most;
        this.look = look;
    }

    /**
     * The smallest of all sizes that were looked at at which it holds; where it holds at all sizes from some on, that
     * one.
     *
     * @param first where to begin, between least and most
     */
    OptionalInt smallest(int first) {
        look(List.of(first / 2, first, 2 * first));
        while (holding() == 0 && known.lastKey() < most) {
            int last = known.lastKey();
            look(List.of(times(last, 2), times(last, 4), times(last, 8)));
        }
        if (holding() == 0) {
            return OptionalInt.empty();
        }
        while (failingBelow(holding()) == least - 1 && holding() > least) {
            int last = holding();
            look(List.of(last / 2, last / 4, last / 8));
        }
        int found;
        do {
            close();
            found = holding();
            look(IntStream.rangeClosed(found - BELOW, found + ABOVE).boxed().toList());
        } while (holding() < found);
        return OptionalInt.of(found);
    }

    /** Sizes above the smallest that were looked at and at which it does not hold, rising. */
    List<Integer> failingAbove(int size) {
        return known.tailMap(size).entrySet().stream()
                .filter(entry -> !entry.getValue())
                .map(Map.Entry::getKey)
                .toList();
    }

    private void close() {
        int low = failingBelow(holding());
        int high = holding();
        while (high - low > 1) {
            List<Integer> between = new ArrayList<>();
            for (int part = 1; part <= AT_ONCE; part++) {
                between.add((int) (low + (long) part * (high - low) / (AT_ONCE + 1)));
            }
            int from = low;
            look(between.stream().filter(size -> size > from).toList());
            high = holding();
            low = failingBelow(high);
        }
    }

    private int times(int size, int factor) {
        return (int) Math.min(most, (long) size * factor);
    }

    private void look(List<Integer> sizes) {
        List<Integer> fresh = sizes.stream()
                .map(size -> Math.max(least, Math.min(most, size)))
                .distinct()
                .filter(size -> !known.containsKey(size))
                .sorted()
                .toList();
        if (!fresh.isEmpty()) {
            known.putAll(look.at(fresh));
        }
    }

    /** The smallest known at which it holds; 0 for none. */
    private int holding() {
        return known.entrySet().stream()
                .filter(Map.Entry::getValue)
                .mapToInt(Map.Entry::getKey)
                .findFirst()
                .orElse(0);
    }

    /** The largest known below at which it does not hold; one less than the least for none. */
    private int failingBelow(int size) {
        Integer below = known.lowerKey(size);
        return below == null ? least - 1 : below;
    }
}
