// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench;

import java.util.List;

/**
 * How much is measured.
 *
 * @param repeats JVMs that do the same work one after the other
 * @param largeJobs jobs of the large list
 * @param largeNodes its cluster
 * @param jobs lengths of the lists whose cost is drawn, on {@code manyNodes}
 * @param nodes sizes of the clusters whose cost is drawn, with {@code manyJobs}
 */
public record BenchSizes(
        int repeats,
        int largeJobs,
        int largeNodes,
        List<Integer> jobs,
        int manyNodes,
        List<Integer> nodes,
        int manyJobs) {
    /** What the figures of the documentation are of. */
    public static final BenchSizes FULL = new BenchSizes(
            3,
            1_000_000,
            10_000,
            List.of(10_000, 30_000, 100_000, 300_000, 1_000_000),
            1000,
            List.of(100, 300, 1000, 3000, 10_000),
            100_000);

    public BenchSizes {
        jobs = List.copyOf(jobs);
        nodes = List.copyOf(nodes);
    }
}
