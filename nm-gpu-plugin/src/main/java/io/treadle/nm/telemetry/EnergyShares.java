// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.telemetry;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Whose energy it was. What a GPU spends goes to the container that holds it, to several by the memory that each has of it
 * (which of them computes more, the driver is not asked), and to nobody where none does. Counted in whole mJ: the parts
 * always add up to the whole.
 */
final class EnergyShares {
    /** Containers that have ended and are still named. */
    static final int MOST_ENDED = 16;

    private final Map<String, Long> counters = new HashMap<>();
    private final Map<String, Long> containers = new LinkedHashMap<>();
    private long total;
    private long idle;
    private long ended;

    /**
     * Takes note of a device's energy.
     *
     * @param millijoules all that it has spent; the first time only a beginning
     * @param holders memory of it, MiB, by the id of the container that holds it
     */
    void count(String uuid, long millijoules, Map<String, Long> holders) {
        Long before = counters.put(uuid, millijoules);
        long spent = before == null ? 0 : Math.max(0, millijoules - before);
        total += spent;
        if (holders.isEmpty()) {
            idle += spent;
            return;
        }
        split(spent, holders).forEach((container, part) -> containers.merge(container, part, Long::sum));
    }

    /** Whole parts by weight: rounded down, and what is left to those that were cut most. */
    static Map<String, Long> split(long whole, Map<String, Long> weights) {
        long sum = weights.values().stream().mapToLong(w -> Math.max(1, w)).sum();
        Map<String, Long> parts = new LinkedHashMap<>();
        Map<String, Double> cut = new HashMap<>();
        long left = whole;
        for (Map.Entry<String, Long> weight : weights.entrySet()) {
            double exact = (double) whole * Math.max(1, weight.getValue()) / sum;
            long part = Math.min(left, (long) exact);
            parts.put(weight.getKey(), part);
            cut.put(weight.getKey(), exact - part);
            left -= part;
        }
        List<String> byCut = new ArrayList<>(parts.keySet());
        byCut.sort(Comparator.comparing((String c) -> -cut.getOrDefault(c, 0.0)).thenComparing(c -> c));
        for (int i = 0; left > 0; i = (i + 1) % byCut.size()) {
            parts.merge(byCut.get(i), 1L, Long::sum);
            left--;
        }
        return parts;
    }

    /** Stops naming containers that have ended, the oldest first, when there are many. */
    void forget(Set<String> living) {
        long gone =
                containers.keySet().stream().filter(c -> !living.contains(c)).count();
        for (Iterator<Map.Entry<String, Long>> each = containers.entrySet().iterator();
                each.hasNext() && gone > MOST_ENDED; ) {
            Map.Entry<String, Long> container = each.next();
            if (!living.contains(container.getKey())) {
                ended += container.getValue();
                each.remove();
                gone--;
            }
        }
    }

    /** Energy of all GPUs, mJ. */
    long total() {
        return total;
    }

    /** What was spent while no container held the GPU, mJ. */
    long idle() {
        return idle;
    }

    /** What containers have spent, mJ. */
    Map<String, Long> containers() {
        return Map.copyOf(containers);
    }

    /** What containers have spent that are not named any more, mJ. */
    long ended() {
        return ended;
    }
}
