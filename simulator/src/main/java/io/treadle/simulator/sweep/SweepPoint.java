// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.sweep;

import io.treadle.simulator.engine.SimulationOptions;
import io.treadle.simulator.replay.ReplayRequest;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What is simulated once for each policy.
 *
 * @param label tells it from points that differ in more than load, seed and nodes, and can be part of a file's name;
 *     empty where none do
 * @param load the load factor that was asked for
 * @param seed the seed that was asked for
 * @param nodes how many nodes were asked for
 * @param request all of it, as a simulation on its own would have it
 * @param options how each run of it goes
 */
public record SweepPoint(
        String label,
        OptionalDouble load,
        OptionalLong seed,
        OptionalInt nodes,
        ReplayRequest request,
        SimulationOptions options) {
    /** One of a sweep over load, seed and nodes alone. */
    public SweepPoint(
            OptionalDouble load,
            OptionalLong seed,
            OptionalInt nodes,
            ReplayRequest request,
            SimulationOptions options) {
        this("", load, seed, nodes, request, options);
    }

    /** Tells it from the others, and is the name of its directory: {@code nodes-16,load-0.8,seed-1}. */
    public String name() {
        List<String> parts = new ArrayList<>();
        if (!label.isEmpty()) {
            parts.add(label);
        }
        nodes.ifPresent(value -> parts.add("nodes-" + value));
        load.ifPresent(value -> parts.add("load-" + text(value)));
        seed.ifPresent(value -> parts.add("seed-" + value));
        return parts.isEmpty() ? "all" : String.join(",", parts);
    }

    /** With no more digits than it needs. */
    public static String text(double load) {
        return BigDecimal.valueOf(load).stripTrailingZeros().toPlainString();
    }

    /** What it has in common with the points that differ in nothing but their load. */
    ReplayRequest trace() {
        return request.atLoad(OptionalDouble.empty());
    }
}
