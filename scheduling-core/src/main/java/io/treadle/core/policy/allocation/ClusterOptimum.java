// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.job.JobView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.model.SensitivityMatrix;
import io.treadle.core.placement.Ledger;
import io.treadle.core.plan.Throughput;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.solve.Choices;
import io.treadle.core.solve.Chosen;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The best sizes for jobs where all nodes are one: the first program of Synergy's OPT (OSDI 2022, §4.1), with jobs that are
 * alike taken together. No job is slower than at its share.
 */
final class ClusterOptimum {
    private final Sizes sizes;
    private final Weighting weighting;
    /** In the order of jobs that run, then of those that start. */
    private final Map<String, Member> members = new LinkedHashMap<>();

    private final Map<String, ResourceVector> targets = new HashMap<>();
    /** What all would do if none had more than its least. */
    private double atLeast;

    private double bound;

    /** A job of which something is to choose: the tasks of its first group whose speed is known. */
    private record Member(
            JobView job, TaskGroup group, int tasks, List<NodeView> nodes, ResourceVector least, double atShare) {}

    private record Alike(
            SensitivityMatrix profile,
            List<TaskGroup> groups,
            int tasks,
            ResourceVector least,
            List<ResourceVector> shares) {}

    private ClusterOptimum(Round round, Weighting weighting) {
        this.sizes = round.sizes();
        this.weighting = weighting;
    }

    /**
     * @param round in which some jobs are granted sizes that may change
     * @param starting those that would start beside them
     */
    static ClusterOptimum of(Round round, List<JobView> starting, Weighting weighting) {
        ClusterOptimum optimum = new ClusterOptimum(round, weighting);
        ResourceVector freed = ResourceVector.ZERO;
        for (Grant grant : round.grants()) {
            freed = freed.plus(optimum.addGranted(round.ledger(), grant));
        }
        ResourceVector left = left(round.ledger(), freed);
        Map<TaskGroup, List<NodeView>> kinds = new HashMap<>();
        for (JobView job : starting) {
            left = left.minus(optimum.addStarting(round.ledger(), job, kinds));
        }
        optimum.solve(left.max(ResourceVector.ZERO));
        return optimum;
    }

    /** Beyond what is charged when this is given back. */
    private static ResourceVector left(Ledger ledger, ResourceVector freed) {
        ResourceVector left = ResourceVector.ZERO;
        for (int node = 0; node < ledger.nodes().size(); node++) {
            left = left.plus(
                    ledger.free(node).minus(ledger.node(node).keptFree()).max(ResourceVector.ZERO));
        }
        return left.min(ledger.queueFree().minus(ledger.keptFree())).plus(freed);
    }

    /** @return what its tasks hold beyond their least */
    private ResourceVector addGranted(Ledger ledger, Grant grant) {
        if (grant.level() == Grant.Level.ASK || grant.level() == Grant.Level.PROFILING) {
            return ResourceVector.ZERO;
        }
        for (TaskGroup group : grant.job().groups()) {
            List<Grant.Task> tasks = grant.tasks().stream()
                    .filter(task -> task.group().equals(group))
                    .toList();
            if (Sizes.isProfiled(grant.job(), group) && !tasks.isEmpty()) {
                NodeView node = ledger.node(tasks.get(0).node());
                ResourceVector least = sizes.least(grant.job(), group, node);
                ResourceVector held = ResourceVector.ZERO;
                for (Grant.Task task : tasks) {
                    least = least.min(task.size());
                    held = held.plus(task.size());
                }
                add(grant.job(), group, tasks.size(), List.of(node), least);
                return held.minus(least.times(tasks.size()));
            }
        }
        return ResourceVector.ZERO;
    }

    /** @return what its tasks take at least */
    private ResourceVector addStarting(Ledger ledger, JobView job, Map<TaskGroup, List<NodeView>> kinds) {
        for (TaskGroup group : job.groups()) {
            int tasks = job.missing(group);
            List<NodeView> nodes = kinds.computeIfAbsent(group, key -> nodes(ledger, group));
            if (Sizes.isProfiled(job, group) && tasks > 0 && !nodes.isEmpty() && !job.running()) {
                ResourceVector least = nodes.stream()
                        .map(node -> sizes.least(job, group, node))
                        .reduce(ResourceVector::min)
                        .orElseThrow();
                add(job, group, tasks, nodes, least);
                return least.times(tasks);
            }
        }
        return ResourceVector.ZERO;
    }

    /** One of each kind that is open to tasks of the group, those with most GPUs first. */
    private static List<NodeView> nodes(Ledger ledger, TaskGroup group) {
        Map<Integer, NodeView> kinds = new LinkedHashMap<>();
        for (int i = 0; i < ledger.nodes().size(); i++) {
            NodeView node = ledger.node(i);
            if (node.open() && node.available().gpus() >= group.ask().gpus()) {
                kinds.putIfAbsent(ledger.kind(i), node);
            }
        }
        List<NodeView> nodes = new ArrayList<>(kinds.values());
        nodes.sort((a, b) -> Long.compare(b.capacity().gpus(), a.capacity().gpus()));
        return nodes;
    }

    private void add(JobView job, TaskGroup group, int tasks, List<NodeView> nodes, ResourceVector least) {
        double atShare = sizes.speed(job, nodes.get(0), sizes.share(job, group, nodes.get(0)));
        if (atShare > 0) {
            members.put(job.id(), new Member(job, group, tasks, nodes, least, atShare));
        }
    }

    private void solve(ResourceVector left) {
        Map<Alike, List<Member>> alike = new LinkedHashMap<>();
        for (Member member : members.values()) {
            alike.computeIfAbsent(alike(member), key -> new ArrayList<>()).add(member);
        }
        List<Choices.Kind> kinds = new ArrayList<>();
        for (List<Member> all : alike.values()) {
            kinds.add(new Choices.Kind(all.size(), options(all.get(0))));
        }
        Chosen chosen = new Choices(kinds, left.vcores(), left.memoryMiB(), left.storageMBps()).solve();
        int kind = 0;
        for (List<Member> all : alike.values()) {
            int[] counts = chosen.counts(kind++);
            List<Points.Point> points = points(all.get(0));
            int next = 0;
            for (int o = 1; o < counts.length; o++) {
                for (int i = counts[o]; i > 0; i--) {
                    targets.put(all.get(next++).job().id(), points.get(o).size());
                }
            }
            for (Member member : all.subList(next, all.size())) {
                targets.put(member.job().id(), member.least());
            }
            atLeast += all.size() * value(all.get(0), points.get(0));
        }
        bound = chosen.bound();
    }

    private Alike alike(Member member) {
        List<ResourceVector> shares = new ArrayList<>(member.nodes().size());
        member.nodes().forEach(node -> shares.add(sizes.share(member.job(), member.group(), node)));
        return new Alike(
                member.job().profile().orElseThrow(), member.job().groups(), member.tasks(), member.least(), shares);
    }

    private List<Points.Point> points(Member member) {
        ResourceVector most = member.least();
        for (NodeView node : member.nodes()) {
            most = most.max(sizes.reach(member.job(), member.group(), node));
        }
        return sizes.points().of(member.job(), member.group(), member.nodes(), member.least(), most, false);
    }

    private List<Choices.Option> options(Member member) {
        List<Choices.Option> options = new ArrayList<>();
        List<Points.Point> points = points(member);
        for (Points.Point point : points) {
            ResourceVector more = point.size().minus(member.least()).times(member.tasks());
            options.add(new Choices.Option(
                    value(member, point) - value(member, points.get(0)),
                    more.vcores(),
                    more.memoryMiB(),
                    more.storageMBps()));
        }
        return options;
    }

    private double value(Member member, Points.Point point) {
        return weighting.of(member.tasks() * member.group().ask().gpus()) * point.speed() / member.atShare();
    }

    /** What a task of a job would best have; empty where nothing is known of it. */
    Optional<ResourceVector> target(JobView job) {
        return Optional.ofNullable(targets.get(job.id()));
    }

    /** How near the round comes to the bound; it has granted these jobs and no others. */
    Throughput throughput(Round round) {
        double planned = 0;
        double others = 0;
        for (Grant grant : round.grants()) {
            Member member = members.get(grant.job().id());
            if (member == null) {
                others += weighting.of(grant.held().gpus());
            } else {
                ResourceVector size = grant.tasks().stream()
                        .filter(task -> task.group().equals(member.group()))
                        .map(Grant.Task::size)
                        .reduce(ResourceVector::min)
                        .orElseThrow();
                planned += value(
                        member,
                        new Points.Point(
                                size, sizes.speed(member.job(), member.nodes().get(0), size)));
            }
        }
        return new Throughput(others + planned, others + Math.max(planned, atLeast + bound));
    }
}
