// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.history;

import io.treadle.rm.bridge.StatusReport;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** Histories of all jobs in the cluster, and of those that ended last. */
public final class JobHistories {
    /** Jobs that are remembered after their end. */
    public static final int MAX_ENDED = 200;
    /** What the containers of ended jobs may take on the heap, B: a job of 1,000 tasks has about 0.6 MB of them. */
    static final long MAX_BYTES = 16 << 20;

    private final Map<ApplicationId, JobHistory> live = new HashMap<>();
    /** The oldest first. */
    private final LinkedHashMap<ApplicationId, EndedJob> ended = new LinkedHashMap<>();

    private long endedBytes;

    /**
     * A job that is over.
     *
     * @param job with the containers that it had last; with none where those of newer jobs fill {@link #MAX_BYTES}
     * @param endMs ms since the epoch
     */
    public record EndedJob(StatusReport.Job job, JobHistory history, long endMs) {}

    /** Notes what the job has now. */
    public synchronized void observe(StatusReport.Job job, long nowMs) {
        ApplicationId id = job.gang().id();
        // A round that began before the job's end may still speak of it.
        if (!ended.containsKey(id)) {
            live.computeIfAbsent(id, key -> new JobHistory()).observe(job, nowMs);
        }
    }

    /**
     * The job is over: what is known of it is kept until {@value #MAX_ENDED} others have ended, and its containers as long as
     * there is room for them.
     */
    public synchronized void end(StatusReport.Job job, long nowMs) {
        ApplicationId id = job.gang().id();
        JobHistory history = live.getOrDefault(id, new JobHistory());
        live.remove(id);
        StatusReport.Job last = history.lastRunning().orElse(job);
        StatusReport.Job kept = new StatusReport.Job(
                job.gang(),
                job.members(),
                last.tasks(),
                job.progress().or(last::progress),
                job.profile().or(last::profile));
        history.end();
        EndedJob before = ended.put(id, new EndedJob(kept, history, nowMs));
        endedBytes += HeapBytes.of(kept.tasks())
                - (before == null ? 0 : HeapBytes.of(before.job().tasks()));
        if (ended.size() > MAX_ENDED) {
            Iterator<EndedJob> oldest = ended.values().iterator();
            endedBytes -= HeapBytes.of(oldest.next().job().tasks());
            oldest.remove();
        }
        forgetContainers();
    }

    /** Those of the oldest jobs, until the others fit. */
    private void forgetContainers() {
        for (Map.Entry<ApplicationId, EndedJob> entry : ended.entrySet()) {
            if (endedBytes <= MAX_BYTES) {
                return;
            }
            EndedJob over = entry.getValue();
            endedBytes -= HeapBytes.of(over.job().tasks());
            entry.setValue(new EndedJob(withoutTasks(over.job()), over.history(), over.endMs()));
        }
    }

    private static StatusReport.Job withoutTasks(StatusReport.Job job) {
        return new StatusReport.Job(job.gang(), job.members(), List.of(), job.progress(), job.profile());
    }

    /** Of a job that is in the cluster; an empty one before its first round. */
    public synchronized JobHistory of(ApplicationId id) {
        return live.getOrDefault(id, new JobHistory());
    }

    public synchronized Optional<EndedJob> ended(ApplicationId id) {
        return Optional.ofNullable(ended.get(id));
    }

    /** The newest first. */
    public synchronized List<EndedJob> ended() {
        List<EndedJob> newestFirst = new ArrayList<>(ended.values());
        Collections.reverse(newestFirst);
        return newestFirst;
    }
}
