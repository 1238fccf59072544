// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One move of a running job, and what came of it. */
public final class Migration {
    private final JobRun job;
    private final long atMs;
    private final Map<String, Long> from;
    private final Set<String> to;
    private final long nodesEmptied;
    private final double lostGpuSeconds;
    private final long wouldEndMs;
    private @Nullable JobRun letStart;
    private long letStartMs;

    /** @param from GPUs by node that the job left */
    Migration(
            JobRun job,
            long atMs,
            Map<String, Long> from,
            Set<String> to,
            long nodesEmptied,
            double lostGpuSeconds,
            long wouldEndMs) {
        this.job = job;
        this.atMs = atMs;
        this.from = from;
        this.to = to;
        this.nodesEmptied = nodesEmptied;
        this.lostGpuSeconds = lostGpuSeconds;
        this.wouldEndMs = wouldEndMs;
    }

    void let(JobRun other, long nowMs) {
        if (letStart == null) {
            letStart = other;
            letStartMs = nowMs;
        }
    }

    public JobRun job() {
        return job;
    }

    public long atMs() {
        return atMs;
    }

    /** The nodes that it left. */
    public Set<String> from() {
        return from.keySet();
    }

    long gpusFrom(String node) {
        return from.getOrDefault(node, 0L);
    }

    /** The nodes that it went to. */
    public Set<String> to() {
        return to;
    }

    /** Nodes that it left on which nothing ran any more. */
    public long nodesEmptied() {
        return nodesEmptied;
    }

    /** What it took the job to start in its new place. */
    public double lostGpuSeconds() {
        return lostGpuSeconds;
    }

    /** When the job would have ended where it was. */
    public long wouldEndMs() {
        return wouldEndMs;
    }

    /**
     * The first job that started before the moved one would have ended, on nodes that it left, and that would have found
     * no node for what it has there if the moved one had stayed.
     */
    public Optional<JobRun> letStart() {
        return Optional.ofNullable(letStart);
    }

    /** When that job started. */
    public long letStartMs() {
        return letStartMs;
    }
}
