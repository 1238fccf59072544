// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.core.job.TaskGroup;
import io.treadle.simulator.trace.TraceJob;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a run without {@code --compat} must be, second by second and by brute force: the measure for {@link EventLoop} and
 * the core's sessions, which jump from event to event and remember. Jobs of one task group, whole seconds, stops at no
 * cost.
 */
final class TickSimulator {
    private static final double[] LAS_LIMITS = {3250, 7200, 18_000};

    private final String order;
    private final boolean preempts;
    private final boolean consolidates;
    private final int[] freeGpus;
    private final int[] freeVcores;
    private final int allGpus;
    private final int allVcores;
    private final List<Job> waiting = new ArrayList<>();
    private final List<Job> running = new ArrayList<>();
    private long now;

    private static final class Job {
        final TraceJob trace;
        final TaskGroup group;
        final int gpus;
        final double seconds;
        double left;
        double attained;
        long start = -1;
        long end = -1;
        int stops;
        int[] nodes = {};

        Job(TraceJob trace) {
            this.trace = trace;
            this.group = trace.groups().get(0);
            this.gpus = (int) trace.gpus();
            this.seconds = trace.work().seconds();
            this.left = seconds;
        }
    }

    TickSimulator(String order, boolean preempts, boolean consolidates, int[] gpus, int[] vcores) {
        this.order = order;
        this.preempts = preempts;
        this.consolidates = consolidates;
        this.freeGpus = gpus.clone();
        this.freeVcores = vcores.clone();
        this.allGpus = Arrays.stream(gpus).sum();
        this.allVcores = Arrays.stream(vcores).sum();
    }

    /** First start, end and stops of each job. */
    Map<String, List<Long>> run(List<TraceJob> trace) {
        List<Job> jobs = trace.stream().map(Job::new).toList();
        for (now = 0; jobs.stream().anyMatch(job -> job.end < 0); now++) {
            boolean changed = false;
            for (Job job : List.copyOf(running)) {
                if (job.left == 0) {
                    job.end = now;
                    release(job);
                    changed = true;
                }
            }
            for (Job job : jobs) {
                if (job.trace.submitMs() == now * 1000) {
                    waiting.add(job);
                    changed = true;
                }
            }
            if (changed && preempts) {
                preempt();
            } else if (changed) {
                inOrder(waiting).forEach(this::tryStart);
            }
            for (Job job : running) {
                job.left--;
                job.attained += job.gpus;
            }
        }
        Map<String, List<Long>> result = new LinkedHashMap<>();
        jobs.forEach(job -> result.put(job.trace.id(), List.of(job.start, job.end, (long) job.stops)));
        return result;
    }

    /** Jobs that compare equal stay in the order in which they came to the list. */
    private List<Job> inOrder(List<Job> list) {
        List<Job> sorted = new ArrayList<>(list);
        sorted.sort(Comparator.comparingInt((Job job) -> -job.trace.attributes().priority())
                .thenComparingDouble(this::key)
                .thenComparingLong(job -> job.trace.submitMs()));
        return sorted;
    }

    private double key(Job job) {
        double gpuShare = (double) job.gpus / allGpus;
        double vcoreShare = (double) job.group.min() * job.group.ask().vcores() / allVcores;
        return switch (order) {
            case "fifo" -> job.trace.submitMs();
            case "sjf" -> job.seconds;
            case "lsf" -> job.gpus;
            case "srtf" -> job.left;
            case "srsf" -> job.left * job.gpus;
            case "las" -> job.attained;
            case "2d-las" ->
                Arrays.stream(LAS_LIMITS).filter(limit -> job.attained >= limit).count();
            case "qssf" -> job.trace.foretoldSeconds().orElse(job.attained / job.gpus) * job.gpus;
            case "ftf" -> -(now - job.trace.submitMs() / 1000 + job.left) / job.seconds;
            case "drf" -> Math.max(gpuShare, vcoreShare);
            case "tetris" -> job.left * (gpuShare + vcoreShare);
            default -> throw new IllegalArgumentException(order);
        };
    }

    /** The first whose GPUs the nodes have together run, wherever they fit; of equals those that wait are first. */
    private void preempt() {
        List<Job> all = new ArrayList<>(waiting);
        all.addAll(running);
        int quota = allGpus;
        List<Job> starting = new ArrayList<>();
        List<Job> stopping = new ArrayList<>();
        for (Job job : inOrder(all)) {
            boolean chosen = job.gpus <= quota;
            quota -= chosen ? job.gpus : 0;
            if (chosen && waiting.contains(job)) {
                starting.add(job);
            } else if (!chosen && running.contains(job)) {
                stopping.add(job);
            }
        }
        stopping.forEach(this::release);
        starting.forEach(this::tryStart);
        for (Job job : stopping) {
            job.stops++;
            waiting.add(job);
        }
    }

    private void release(Job job) {
        running.remove(job);
        for (int node : job.nodes) {
            change(job, node, 1);
        }
    }

    private void change(Job job, int node, int sign) {
        freeGpus[node] += sign * (int) job.group.ask().gpus();
        freeVcores[node] += sign * (int) job.group.ask().vcores();
    }

    private void tryStart(Job job) {
        int[] nodes = place(job);
        if (nodes.length > 0) {
            job.nodes = nodes;
            job.start = job.start < 0 ? now : job.start;
            waiting.remove(job);
            running.add(job);
        }
    }

    /** Node of each task, charged; empty if they do not all fit. */
    private int[] place(Job job) {
        int tasks = job.group.min();
        int[] nodes = new int[tasks];
        if (consolidates) {
            int whole = best(job, tasks);
            if (whole >= 0) {
                Arrays.fill(nodes, whole);
                Arrays.stream(nodes).forEach(node -> change(job, node, -1));
                return nodes;
            }
        }
        for (int i = 0; i < tasks; i++) {
            nodes[i] = best(job, 1);
            if (nodes[i] < 0) {
                for (int undo = 0; undo < i; undo++) {
                    change(job, nodes[undo], 1);
                }
                return new int[0];
            }
            change(job, nodes[i], -1);
        }
        return nodes;
    }

    /** The node for so many tasks: the first with room, or that with fewest free GPUs; −1 where none has. */
    private int best(Job job, int tasks) {
        int best = -1;
        for (int node = 0; node < freeGpus.length; node++) {
            boolean fits = freeGpus[node] >= tasks * job.group.ask().gpus()
                    && freeVcores[node] >= tasks * job.group.ask().vcores();
            if (fits && (best < 0 || (consolidates && freeGpus[node] < freeGpus[best]))) {
                best = node;
            }
        }
        return best;
    }
}
