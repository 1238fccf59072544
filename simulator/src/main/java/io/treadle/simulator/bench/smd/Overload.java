// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.smd;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.plan.Certificate;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.generate.ServerJobs;
import io.treadle.simulator.result.SeedMean;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Jobs that come all at once: how near choices come to the most that any choice could bring.
 *
 * @param jobs how many
 * @param reached by policy, what its choice brings as a part of its bound
 */
record Overload(int jobs, Map<String, SeedMean> reached) {
    static final List<String> POLICIES = List.of("smd-plain", "smd", "smd-menu", "smd-menu-worth");
    private static final ResourceVector POOL = ResourceVector.of(96, 480, 1600 * 1024);

    Overload {
        reached = new LinkedHashMap<>(reached);
    }

    /** On average over the seeds. */
    double of(String policy) {
        return Objects.requireNonNull(reached.get(policy)).mean();
    }

    static Overload of(int jobs, List<Long> seeds) {
        Map<String, SeedMean> reached = new LinkedHashMap<>();
        for (String policy : POLICIES) {
            List<Double> parts = new ArrayList<>();
            for (long seed : seeds) {
                Snapshot snapshot = Pools.waiting(1, POOL, 0, ServerJobs.atOnce(seed, jobs));
                Certificate certificate =
                        Pools.exactly(policy).plan(snapshot).certificate().orElseThrow();
                parts.add(1 - certificate.gap());
            }
            reached.put(policy, SeedMean.of(List.copyOf(parts)).orElseThrow());
        }
        return new Overload(jobs, reached);
    }
}
