// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import io.treadle.core.job.TaskGroup;
import io.treadle.core.model.SensitivityMatrix;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.solve.Choices;
import io.treadle.core.solve.Chosen;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.ToLongFunction;

/** The best sizes for jobs that share nodes: a {@link Choices} problem with what each node has left. */
final class NodeOptimum {
    /** By how much more a size counts that a job has already: of two that are as good, the one stays. */
    private static final double KEPT = 1.01;
    /** Gangs that span many nodes make one large problem of them, for which marginal gains are good enough. */
    private static final int MOST_NODES = 16;

    private static final List<ToLongFunction<ResourceVector>> RESOURCES =
            List.of(ResourceVector::vcores, ResourceVector::memoryMiB, ResourceVector::storageMBps);

    private final Leftovers left;
    private final List<SpeedUp> jobs;
    private final Weighting weighting;
    private final List<Integer> nodes;
    private final long[] capacity;

    private NodeOptimum(Leftovers left, List<SpeedUp> jobs, Weighting weighting) {
        this.left = left;
        this.jobs = jobs;
        this.weighting = weighting;
        TreeSet<Integer> all = new TreeSet<>();
        for (SpeedUp job : jobs) {
            for (int i = 0; i < job.spread().nodes(); i++) {
                all.add(job.spread().node(i));
            }
        }
        this.nodes = List.copyOf(all);
        this.capacity = new long[RESOURCES.size() * (nodes.size() + 1)];
        for (int n = 0; n <= nodes.size(); n++) {
            ResourceVector room = n < nodes.size() ? left.onNode(nodes.get(n)) : left.inQueue();
            for (int r = 0; r < RESOURCES.size(); r++) {
                capacity[n * RESOURCES.size() + r] =
                        Math.max(0, RESOURCES.get(r).applyAsLong(room));
            }
        }
    }

    /**
     * Gives jobs, of which none has more than its least, the sizes that make them fastest together.
     *
     * @param jobs of which each shares nodes with others of them, and with no other that may still grow
     * @return whether that could be found out; otherwise nothing has changed
     */
    static boolean take(Leftovers left, List<SpeedUp> jobs, Weighting weighting) {
        NodeOptimum optimum = new NodeOptimum(left, jobs, weighting);
        if (optimum.nodes.size() > MOST_NODES || jobs.stream().anyMatch(job -> left.hasLimitedUser(job.spread()))) {
            return false;
        }
        optimum.take();
        return true;
    }

    /** Of jobs that may change places. */
    private record Alike(
            SensitivityMatrix profile,
            List<TaskGroup> groups,
            List<Integer> tasksOnNodes,
            ResourceVector least,
            ResourceVector had) {}

    private void take() {
        Map<Alike, List<SpeedUp>> alike = new LinkedHashMap<>();
        for (SpeedUp job : jobs) {
            alike.computeIfAbsent(alike(job), key -> new ArrayList<>()).add(job);
        }
        List<Choices.Kind> kinds = new ArrayList<>();
        alike.forEach((key, all) -> kinds.add(new Choices.Kind(all.size(), options(key, all.get(0)))));
        Chosen chosen = new Choices(kinds, capacity).solve();
        int kind = 0;
        for (List<SpeedUp> all : alike.values()) {
            int[] counts = chosen.counts(kind);
            List<Points.Point> points = all.get(0).points(weighting.everyVcore());
            int next = 0;
            // Points are in the order of falling speed, after the least: who is first in line gets the fastest.
            for (int o = 1; o < counts.length; o++) {
                for (int i = counts[o]; i > 0; i--) {
                    SpeedUp job = all.get(next++);
                    job.take(points.get(o));
                    left.take(job.spread(), job.taken());
                }
            }
            kind++;
        }
    }

    private Alike alike(SpeedUp job) {
        List<Integer> tasksOnNodes = new ArrayList<>(nodes.size());
        nodes.forEach(node -> tasksOnNodes.add(job.spread().on(node)));
        return new Alike(job.job().profile().orElseThrow(), job.job().groups(), tasksOnNodes, job.least(), job.had());
    }

    private List<Choices.Option> options(Alike alike, SpeedUp job) {
        List<Choices.Option> options = new ArrayList<>();
        for (Points.Point point : job.points(weighting.everyVcore())) {
            ResourceVector more = point.size().minus(job.least());
            long[] cost = new long[capacity.length];
            for (int n = 0; n <= nodes.size(); n++) {
                int tasks = n < nodes.size()
                        ? alike.tasksOnNodes().get(n)
                        : job.spread().tasks();
                for (int r = 0; r < RESOURCES.size(); r++) {
                    cost[n * RESOURCES.size() + r] = tasks * RESOURCES.get(r).applyAsLong(more);
                }
            }
            double gain = weighting.of(job) * job.gainAt(point);
            options.add(new Choices.Option(point.size().fitsIn(alike.had()) ? KEPT * gain : gain, cost));
        }
        return options;
    }
}
