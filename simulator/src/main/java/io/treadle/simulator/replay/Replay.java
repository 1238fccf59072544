// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.replay;

import io.treadle.simulator.engine.OfferedLoad;
import io.treadle.simulator.trace.Workload;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

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

    /**
     * The same jobs, their submissions moved together or apart.
     *
     * @param factor how many times the GPU time there is they are to ask for; empty to leave them as they are
     * @throws io.treadle.simulator.input.InputException if they cannot be moved so
     */
    public Replay atLoad(OptionalDouble factor) {
        ReplayRequest other = request.atLoad(factor);
        if (factor.isEmpty()) {
            return new Replay(other, workload, offered, notes, skipped);
        }
        Workload moved = workload.withJobs(offered.scaled(workload.jobs(), factor.getAsDouble()));
        return new Replay(other, moved, new OfferedLoad(moved.cluster(), moved.jobs()), notes, skipped);
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
