// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** What hosts that are off draw at most when they are on, W. */
final class SleepingPeaks {
    /** For a node that is on again to say what it draws, ms. */
    private static final long PATIENCE_MS = 60_000;

    private Map<String, Double> asleep = Map.of();
    /** On again, and not metered yet. */
    private final Map<String, OnAgain> onAgain = new HashMap<>();

    private record OnAgain(double watts, long sinceMs) {}

    void set(Map<String, Double> peaks, long nowMs) {
        asleep.forEach((host, watts) -> {
            if (!peaks.containsKey(host)) {
                onAgain.put(host, new OnAgain(watts, nowMs));
            }
        });
        asleep = Map.copyOf(peaks);
    }

    /**
     * Of all hosts that are off, and of those on again of which nothing is known yet.
     *
     * @param metered hosts that are counted already
     */
    double watts(Set<String> metered, long nowMs) {
        onAgain.entrySet()
                .removeIf(e -> metered.contains(e.getKey())
                        || asleep.containsKey(e.getKey())
                        || nowMs - e.getValue().sinceMs() > PATIENCE_MS);
        double watts = onAgain.values().stream().mapToDouble(OnAgain::watts).sum();
        for (Map.Entry<String, Double> host : asleep.entrySet()) {
            watts += metered.contains(host.getKey()) ? 0 : host.getValue();
        }
        return watts;
    }
}
