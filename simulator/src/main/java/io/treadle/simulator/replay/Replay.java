// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.replay;

import io.treadle.simulator.engine.OfferedLoad;
import io.treadle.simulator.trace.Workload;
import java.util.List;
import java.util.Locale;

/**
 * Jobs and a cluster that fit together.
 *
 * @param request what was asked for
 * @param workload the jobs as they will come, and the cluster
 * @param offered what they ask of it
 * @param notes what people should know about the jobs
 * @param skipped what was wrong with rows that were skipped, the first few
 */
public record Replay(
        ReplayRequest request, Workload workload, OfferedLoad offered, List<String> notes, List<String> skipped) {
    public Replay {
        notes = List.copyOf(notes);
        skipped = List.copyOf(skipped);
    }

    /** In one line, what is replayed. */
    public String heading() {
        return String.format(
                Locale.ROOT,
                "%,d jobs of %s on %s: %,d nodes, %,d GPUs",
                workload.jobs().size(),
                request.trace().getFileName(),
                workload.cluster().name(),
                workload.cluster().nodes(),
                workload.cluster().capacity().gpus());
    }
}
