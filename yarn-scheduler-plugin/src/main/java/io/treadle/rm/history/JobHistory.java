// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.history;

import io.treadle.core.wire.JobProgressRecord;
import io.treadle.rm.bridge.StatusReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What one job held and how fast it was, over time. Bounded: where there is too much, the older half of the sizes, and
 * all of the speeds, lose every second entry. Used by the planner thread and by those of web requests.
 */
public final class JobHistory {
    static final int MAX_SIZES = 400;
    static final int MAX_SPEEDS = 240;
    private static final long FIRST_GAP_MS = 1000;

    private final List<Size> sizes = new ArrayList<>();
    private final List<Speed> speeds = new ArrayList<>();
    private long gapMs = FIRST_GAP_MS;
    private Optional<StatusReport.Job> lastRunning = Optional.empty();

    /**
     * What a job holds from {@code atMs} on, its ApplicationMaster left out.
     *
     * @param atMs ms since the epoch
     * @param vcores of all tasks together
     */
    public record Size(long atMs, int tasks, long gpus, long vcores) {
        boolean sameAs(Size other) {
            return tasks == other.tasks && gpus == other.gpus && vcores == other.vcores;
        }
    }

    /** @param atMs ms since the epoch */
    public record Speed(long atMs, double samplesPerSecond) {}

    synchronized void observe(StatusReport.Job job, long nowMs) {
        if (!ending(job)) {
            lastRunning = Optional.of(job);
        }
        size(new Size(
                nowMs,
                job.tasks().size(),
                job.tasks().stream().mapToLong(t -> t.size().gpus()).sum(),
                job.tasks().stream().mapToLong(t -> t.size().vcores()).sum()));
        job.progress().ifPresent(progress -> speed(progress, nowMs));
    }

    /** Containers of a job that ends go one after the other: those are kept that it had before. */
    private boolean ending(StatusReport.Job job) {
        Set<String> now = containers(job);
        Set<String> before = lastRunning.map(JobHistory::containers).orElse(Set.of());
        return now.isEmpty() || (now.size() < before.size() && before.containsAll(now));
    }

    private static Set<String> containers(StatusReport.Job job) {
        return job.tasks().stream().map(StatusReport.Task::containerId).collect(Collectors.toSet());
    }

    private void size(Size now) {
        boolean first = sizes.isEmpty();
        if (first ? now.tasks() == 0 : now.sameAs(sizes.get(sizes.size() - 1))) {
            return;
        }
        sizes.add(now);
        if (sizes.size() > MAX_SIZES) {
            thin(sizes, sizes.size() / 2);
        }
    }

    private void speed(JobProgressRecord progress, long nowMs) {
        if (!speeds.isEmpty() && nowMs - speeds.get(speeds.size() - 1).atMs() < gapMs) {
            return;
        }
        speeds.add(new Speed(nowMs, progress.samplesPerSecond()));
        if (speeds.size() > MAX_SPEEDS) {
            thin(speeds, speeds.size());
            gapMs *= 2;
        }
    }

    /** Removes every second of the first {@code count} entries, never the first. */
    private static void thin(List<?> entries, int count) {
        for (int i = (count - 1) / 2 * 2 + 1; i > 0; i -= 2) {
            if (i < count) {
                entries.remove(i);
            }
        }
    }

    /** By time; a size holds until the next. Empty for a job that never ran. */
    public synchronized List<Size> sizes() {
        return List.copyOf(sizes);
    }

    /** By time. */
    public synchronized List<Speed> speeds() {
        return List.copyOf(speeds);
    }

    /** The job is over: who remembers it has its containers already. */
    synchronized void end() {
        lastRunning = Optional.empty();
    }

    /** The job when it last had all its containers. */
    synchronized Optional<StatusReport.Job> lastRunning() {
        return lastRunning;
    }
}
