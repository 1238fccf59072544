// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * One piece of work, measured several times.
 *
 * @param name unique
 * @param policy its policy
 * @param nodes of the cluster
 * @param heapMb heap that each JVM had, MB
 * @param runs at least one
 * @param published what another simulator costs for the same work
 */
record BenchRow(String name, String policy, int nodes, int heapMb, List<Probed> runs, Optional<Published> published) {
    BenchRow {
        runs = List.copyOf(runs);
    }

    int jobs() {
        return runs.get(0).jobs();
    }

    double runSeconds() {
        return median(Probed::runSeconds);
    }

    double warmSeconds() {
        return median(Probed::warmSeconds);
    }

    double runCpuSeconds() {
        return median(Probed::runCpuSeconds);
    }

    double allCpuSeconds() {
        return median(Probed::allCpuSeconds);
    }

    private double median(ToDoubleFunction<Probed> of) {
        double[] sorted = runs.stream().mapToDouble(of).sorted().toArray();
        int half = sorted.length / 2;
        return sorted.length % 2 == 1
                ? sorted[half]
                : Arrays.stream(sorted, half - 1, half + 1).average().orElseThrow();
    }

    /** CPU seconds of the whole of ours, reading and the JVM's own work included, in theirs; above 1 where ours is less. */
    Optional<Double> ratio() {
        return published.map(theirs -> theirs.seconds() / allCpuSeconds());
    }
}
