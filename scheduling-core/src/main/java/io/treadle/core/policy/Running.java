// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

import io.treadle.core.job.JobView;
import io.treadle.core.policy.order.Moment;
import io.treadle.core.policy.order.Order;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Jobs that run. They stay in the order of the last time that they were asked for: most keep it as time goes on, and what
 * is nearly in order is soon sorted, whatever their number.
 */
final class Running {
    /** With its keys at hand: a sort compares each job many times. */
    private static final class Entry {
        private final long began;
        private JobView job;
        private boolean isGone;
        private double key;
        private double ownKey;
        private double tieKey;

        Entry(long began, JobView job) {
            this.began = began;
            this.job = job;
        }
    }

    /** As {@link Keys}; of jobs that compare equal, the one that started first. */
    private static final Comparator<Entry> IN_ORDER = (a, b) -> {
        int prior = Integer.compare(b.job.priority(), a.job.priority());
        if (prior != 0) {
            return prior;
        }
        int compared = Double.compare(a.key, b.key);
        compared = compared != 0 ? compared : Double.compare(a.ownKey, b.ownKey);
        compared = compared != 0 ? compared : Double.compare(a.tieKey, b.tieKey);
        return compared != 0 ? compared : Long.compare(a.began, b.began);
    };

    private final Order order;
    private final double stopSeconds;
    private final Map<String, Entry> byId = new HashMap<>();
    private final List<Entry> entries = new ArrayList<>();
    private long began;
    private long gpus;

    /** @param stopSeconds what a stop costs a job, s at its share: for less than that none makes way, under orders that go by time */
    Running(Order order, double stopSeconds) {
        this.order = order;
        this.stopSeconds = stopSeconds;
    }

    /** Of a job that waits, first, and one that runs: negative where the first is served before it. */
    Comparator<JobView> againstWaiting(Moment moment) {
        return Keys.againstRunning(order, moment, stopSeconds);
    }

    /** A job as it runs now, whether it did before or not. */
    void put(JobView job) {
        Entry entry = byId.get(job.id());
        if (entry == null) {
            entry = new Entry(began++, job);
            byId.put(job.id(), entry);
            entries.add(entry);
        } else {
            gpus -= entry.job.heldGpus();
            entry.job = job;
        }
        gpus += job.heldGpus();
    }

    void remove(String jobId) {
        Entry entry = byId.remove(jobId);
        if (entry != null) {
            entry.isGone = true;
            gpus -= entry.job.heldGpus();
        }
    }

    /** What all hold together. */
    long gpus() {
        return gpus;
    }

    /** Those that would be served first before the others. */
    Iterator<JobView> inOrder(Moment moment) {
        entries.removeIf(entry -> entry.isGone);
        for (Entry entry : entries) {
            entry.key = order.keyWhileItRuns(entry.job, moment, stopSeconds);
            entry.ownKey = stopSeconds == 0 ? entry.key : order.key(entry.job, moment);
            entry.tieKey = order.tieKey(entry.job);
        }
        entries.sort(IN_ORDER);
        return entries.stream().map(entry -> entry.job).iterator();
    }
}
