// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.telemetry;

import io.treadle.nm.isolation.ContainerProcesses;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Whose energy it was. What a GPU spends goes to the container that holds it, to several as {@link DeviceUsers} says, and to
 * nobody where none does or processes of none have used it. Counted in whole mJ: the parts always add up to the whole.
 */
final class EnergyShares {
    /** Containers that have ended and are still named. */
    static final int MOST_ENDED = 16;

    private final Map<String, Counted> counters = new HashMap<>();
    private final Map<String, Long> containers = new LinkedHashMap<>();
    private long total;
    private long idle;
    private long ended;

    /** A counter, mJ, and when it has moved last, ms. */
    private record Counted(long millijoules, long atMs) {}

    /**
     * Takes note of a device's energy.
     *
     * @param millijoules all that it has spent; the first time only a beginning
     * @param nowMs when, ms
     */
    void count(String uuid, long millijoules, long nowMs, DeviceUsers users) {
        Counted before = counters.getOrDefault(uuid, new Counted(millijoules, nowMs));
        long spent = Math.max(0, millijoules - before.millijoules());
        // A counter that stands catches up later: what is idle then is that of the whole time.
        counters.put(uuid, new Counted(millijoules, spent > 0 ? nowMs : before.atMs()));
        total += spent;
        if (users.memory().isEmpty()) {
            idle += spent;
            return;
        }
        long atIdle = users.use().isEmpty()
                ? spent
                : Math.min(spent, Math.round(users.idleWatts() * Math.max(0, nowMs - before.atMs())));
        split(atIdle, users.memory()).forEach(this::add);
        if (spent > atIdle) {
            split(spent - atIdle, users.use()).forEach(this::add);
        }
    }

    private void add(String container, long millijoules) {
        if (container.equals(ContainerProcesses.NOBODY)) {
            idle += millijoules;
        } else {
            containers.merge(container, millijoules, Long::sum);
        }
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

    /** What no container has spent, mJ. */
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
