// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.rm.gang.Gang;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.jspecify.annotations.Nullable;

/**
 * What jobs have had so far, in GPU-seconds, by which orders tell those that have had little. YARN counts whole GPUs and slices of
 * their memory. A job without whole GPUs counts as one that holds a GPU for as long as it runs: with nothing it would be the first
 * for ever. Of a job without any GPU nobody counts the tasks alone, as its ApplicationMaster takes vcores and memory too, also while
 * it waits: its time is counted here, by the rounds that see it run, and begins again after a failover. For the planner thread.
 */
final class AttainedService {
    /** Between two rounds that see a job; a longer pause is none in which anybody has looked. */
    private static final long MOST_BETWEEN_MS = 60_000;

    private static final double MS_A_SECOND = 1000;

    private record Seen(long lastMs, double seconds) {}

    private final Map<ApplicationId, Seen> seen = new HashMap<>();

    /**
     * GPU-seconds of a job.
     *
     * @param runs whether any of its tasks runs now
     */
    double gpuSeconds(Gang gang, @Nullable FiCaSchedulerApp app, boolean runs, long nowMs) {
        ResourceVector least = least(gang.spec());
        if (least.gpus() > 0) {
            return of(app, YarnResources.GPU);
        }
        return least.gpuMemoryMiB() > 0
                ? of(app, YarnResources.GPU_MEMORY) / least.gpuMemoryMiB()
                : counted(gang.id(), runs, nowMs);
    }

    private static ResourceVector least(GangSpec spec) {
        return spec.groups().stream()
                .map(group -> group.resources().times(group.min()))
                .reduce(ResourceVector.ZERO, ResourceVector::plus);
    }

    private static double of(@Nullable FiCaSchedulerApp app, String resource) {
        return app == null
                ? 0
                : (double) app.getResourceUsageReport().getResourceSecondsMap().getOrDefault(resource, 0L);
    }

    private double counted(ApplicationId id, boolean runs, long nowMs) {
        Seen before = seen.getOrDefault(id, new Seen(nowMs, 0));
        long sinceMs = Math.max(0, Math.min(MOST_BETWEEN_MS, nowMs - before.lastMs()));
        double seconds = before.seconds() + (runs ? sinceMs / MS_A_SECOND : 0);
        seen.put(id, new Seen(nowMs, seconds));
        return seconds;
    }

    /** Forgets jobs that have ended. */
    void keep(List<Gang> jobs) {
        seen.keySet().retainAll(jobs.stream().map(Gang::id).collect(Collectors.toSet()));
    }
}
