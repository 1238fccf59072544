// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.budget;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Carbon intensity of the grid over time: each value holds until the next. Before the first and after the last the series
 * repeats nothing: the nearest value holds.
 */
public final class CarbonIntensity {
    private static final double MOST = 2000;

    private final NavigableMap<Long, Double> series;

    /**
     * @param gramsPerKwh by moment in ms on the jobs' clock
     * @throws IllegalArgumentException if it is empty, or a value is not above 0 and at most 2,000
     */
    public CarbonIntensity(Map<Long, Double> gramsPerKwh) {
        if (gramsPerKwh.isEmpty()) {
            throw new IllegalArgumentException("a series of carbon intensities has no value");
        }
        gramsPerKwh.forEach((ms, grams) -> {
            if (!(grams > 0 && grams <= MOST)) {
                throw new IllegalArgumentException(
                        "carbon intensity " + grams + " g/kWh at " + ms + " ms is not above 0 and at most " + MOST);
            }
        });
        series = new TreeMap<>(gramsPerKwh);
    }

    double gramsPerKwh(long nowMs) {
        Map.Entry<Long, Double> at = series.floorEntry(nowMs);
        return (at == null ? series.firstEntry() : at).getValue();
    }
}
