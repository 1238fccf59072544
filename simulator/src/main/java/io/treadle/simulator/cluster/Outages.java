// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cluster;

import java.util.List;
import java.util.Map;

/**
 * When nodes are down.
 *
 * @param told those that are known: failures that really happened, and maintenance
 * @param rates by node, how often it fails beside them
 * @param seed what is random is drawn from it, for each node on its own
 */
public record Outages(List<Outage> told, Map<String, FailureRate> rates, long seed) {
    public static final Outages NONE = new Outages(List.of(), Map.of(), 0);

    public Outages {
        told = List.copyOf(told);
        rates = Map.copyOf(rates);
    }

    public boolean isEmpty() {
        return told.isEmpty() && rates.isEmpty();
    }

    public Outages withSeed(long newSeed) {
        return new Outages(told, rates, newSeed);
    }
}
