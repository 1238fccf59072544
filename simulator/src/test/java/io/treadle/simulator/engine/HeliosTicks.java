// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.simulator.trace.TraceJob;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What specs of HeliosArtifact say, second by second and by brute force: the measure for {@link EventLoop}, which jumps
 * from event to event. One virtual cluster of nodes with 8 GPUs.
 */
final class HeliosTicks {
    private static final int NODE = 8;

    private final String policy;
    private final int[] free;
    private final List<Job> queue = new ArrayList<>();
    private final List<Job> running = new ArrayList<>();

    private static final class Job {
        final TraceJob trace;
        final int gpus;
        long left;
        long start = -1;
        long end = -1;
        Map<Integer, Integer> nodes = Map.of();

        Job(TraceJob trace) {
            this.trace = trace;
            this.gpus = (int) trace.gpus();
            this.left = Math.round(trace.work().seconds());
        }

        long submit() {
            return trace.submitMs() / 1000;
        }
    }

    HeliosTicks(String policy, int nodes) {
        this.policy = policy;
        this.free = new int[nodes];
        java.util.Arrays.fill(free, NODE);
    }

    /** Start and end second of each job. */
    Map<String, List<Long>> run(List<TraceJob> trace) {
        List<Job> jobs = trace.stream().map(Job::new).toList();
        for (long now = 0; jobs.stream().anyMatch(job -> job.end < 0); now++) {
            end(now);
            int fresh = 0;
            for (Job job : jobs) {
                if (job.submit() == now) {
                    queue.add(job);
                    fresh++;
                }
            }
            if (policy.equals("srtf")) {
                preempt(now);
            } else {
                order(fresh);
                while (!queue.isEmpty() && place(queue.get(0))) {
                    Job job = queue.remove(0);
                    job.start = now;
                    running.add(job);
                }
            }
        }
        Map<String, List<Long>> times = new LinkedHashMap<>();
        jobs.forEach(job -> times.put(job.trace.id(), List.of(job.start, job.end)));
        return times;
    }

    private void end(long now) {
        for (Job job : List.copyOf(running)) {
            boolean over = policy.equals("srtf") ? job.left == 0 : now == job.start + job.left;
            if (over) {
                job.end = now;
                release(job);
            } else if (policy.equals("srtf")) {
                job.left--;
            }
        }
    }

    private void release(Job job) {
        running.remove(job);
        job.nodes.forEach((node, gpus) -> free[node] += gpus);
    }

    private void order(int fresh) {
        switch (policy) {
            case "fifo" -> queue.sort(Comparator.comparingLong(Job::submit));
            case "sjf" -> queue.sort(Comparator.comparingLong(job -> job.left));
            default -> {
                queue.sort(Comparator.comparingInt(job -> job.gpus));
                if (queue.size() > fresh) {
                    queue.sort(Comparator.comparingDouble(
                            job -> job.trace.foretoldSeconds().orElseThrow() * job.gpus));
                }
            }
        }
    }

    private void preempt(long now) {
        List<Job> all = new ArrayList<>(queue);
        all.addAll(running);
        all.sort(Comparator.comparingLong(job -> job.left));
        int quota = NODE * free.length;
        List<Job> chosen = new ArrayList<>();
        List<Job> stopped = new ArrayList<>();
        for (Job job : all) {
            if (job.gpus <= quota) {
                quota -= job.gpus;
                if (!running.contains(job)) {
                    chosen.add(job);
                }
            } else if (running.contains(job)) {
                stopped.add(job);
            }
        }
        for (Job job : stopped) {
            job.left += job.gpus == 1 ? 7 : job.gpus <= NODE ? 30 : 60;
            release(job);
            queue.add(job);
        }
        for (Job job : chosen) {
            if (place(job)) {
                job.start = job.start < 0 ? now : job.start;
                queue.remove(job);
                running.add(job);
            }
        }
    }

    private boolean place(Job job) {
        Map<Integer, Integer> nodes = new LinkedHashMap<>();
        int left = job.gpus;
        if (left <= NODE) {
            int best = -1;
            for (int node = 0; node < free.length; node++) {
                if (free[node] >= left && (best < 0 || free[node] < free[best])) {
                    best = node;
                }
            }
            if (best < 0) {
                return false;
            }
            nodes.put(best, left);
        } else {
            for (int node = 0; node < free.length && left >= NODE; node++) {
                if (free[node] == NODE) {
                    nodes.put(node, NODE);
                    left -= NODE;
                }
            }
            if (left >= NODE) {
                return false;
            }
            if (left > 0) {
                int most = -1;
                for (int node = 0; node < free.length; node++) {
                    if (!nodes.containsKey(node) && (most < 0 || free[node] > free[most])) {
                        most = node;
                    }
                }
                if (most < 0 || free[most] < left) {
                    return false;
                }
                nodes.put(most, left);
            }
        }
        nodes.forEach((node, gpus) -> free[node] -= gpus);
        job.nodes = nodes;
        return true;
    }
}
