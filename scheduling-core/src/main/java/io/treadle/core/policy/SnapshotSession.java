// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

import io.treadle.core.cluster.DeviceView;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.PowerView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.DeviceShare;
import io.treadle.core.job.JobView;
import io.treadle.core.job.RunningTask;
import io.treadle.core.plan.BrokenPlanException;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.Plan;
import io.treadle.core.plan.PlanVerifier;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A snapshot of everything for each decision. */
final class SnapshotSession implements SharedSession {
    private final Function<Snapshot, List<Decision.Move>> moves;
    private final Function<Snapshot, List<Decision>> changes;
    private Snapshot cluster;
    /** In order of submission. */
    private final Map<String, JobView> jobs = new LinkedHashMap<>();

    /** Whether a job has gone since the last decision. */
    private boolean hasEnded;

    private final long intervalMs;
    private long decidedMs;

    /** @param changes what is to change, by a snapshot */
    SnapshotSession(Snapshot cluster, Function<Snapshot, List<Decision>> changes) {
        this(cluster, changes, NEVER);
    }

    /**
     * @param changes what is to change, by a snapshot
     * @param intervalMs how long after a decision the next is due though nothing came or went, ms
     */
    SnapshotSession(Snapshot cluster, Function<Snapshot, List<Decision>> changes, long intervalMs) {
        this(cluster, snapshot -> List.of(), changes, intervalMs);
    }

    /** @param moves which jobs move once a job has gone, before anything else changes */
    SnapshotSession(
            Snapshot cluster,
            Function<Snapshot, List<Decision.Move>> moves,
            Function<Snapshot, List<Decision>> changes) {
        this(cluster, moves, changes, NEVER);
    }

    private SnapshotSession(
            Snapshot cluster,
            Function<Snapshot, List<Decision.Move>> moves,
            Function<Snapshot, List<Decision>> changes,
            long intervalMs) {
        this.cluster = cluster;
        this.moves = moves;
        this.changes = changes;
        this.intervalMs = intervalMs;
    }

    /** What a policy's plan changes; it throws {@link BrokenPlanException} where the plan breaks a rule. */
    static Function<Snapshot, List<Decision>> checked(Policy policy) {
        return snapshot -> {
            Plan plan = policy.plan(snapshot);
            List<String> problems = policy.stopsJobs()
                    ? PlanVerifier.problemsWithStops(snapshot, plan)
                    : PlanVerifier.problems(snapshot, plan);
            if (!problems.isEmpty()) {
                throw new BrokenPlanException(policy.name(), problems);
            }
            return plan.changes(snapshot);
        };
    }

    @Override
    public void waits(JobView job) {
        jobs.put(job.id(), job);
    }

    @Override
    public void runs(JobView job) {
        jobs.put(job.id(), job);
    }

    @Override
    public void ended(String jobId) {
        jobs.remove(jobId);
        hasEnded = true;
    }

    @Override
    public void nodeOpens(String nodeId, boolean isOpen) {
        cluster = cluster.withOpen(nodeId, isOpen);
    }

    @Override
    public void power(PowerView power) {
        cluster = cluster.with(power);
    }

    @Override
    public List<Decision> decide(long nowMs) {
        List<JobView> all = List.copyOf(jobs.values());
        List<Decision.Move> moving = hasEnded ? moves.apply(cluster.at(nowMs, all)) : List.of();
        hasEnded = false;
        List<Decision> decisions = new ArrayList<>(moving);
        decisions.addAll(changes(nowMs, Moved.all(all, moving)));
        return decisions;
    }

    @Override
    public List<Decision> settle(long nowMs, boolean mayMove) {
        List<JobView> running = jobs.values().stream().filter(JobView::running).toList();
        List<Decision.Move> moving = mayMove ? moves.apply(cluster.at(nowMs, running)) : List.of();
        List<Decision> decisions = new ArrayList<>(moving);
        decisions.addAll(changes(nowMs, Moved.all(running, moving)));
        return decisions;
    }

    @Override
    public long wakesMs() {
        return intervalMs == NEVER || jobs.isEmpty() ? NEVER : decidedMs + intervalMs;
    }

    private List<Decision> changes(long nowMs, List<JobView> known) {
        decidedMs = nowMs;
        return changes.apply(cluster.at(nowMs, known));
    }

    @Override
    public List<Decision> decideFirst(long nowMs) {
        return withFirstStart(changes(nowMs, List.copyOf(jobs.values())));
    }

    @Override
    public List<Decision> decideOnly(String jobId, long nowMs) {
        return withFirstStart(changes(
                nowMs,
                jobs.values().stream()
                        .filter(job -> job.running() || job.id().equals(jobId))
                        .toList()));
    }

    private static List<Decision> withFirstStart(List<Decision> all) {
        List<Decision> first = new ArrayList<>();
        boolean starts = false;
        for (Decision decision : all) {
            boolean isStart = decision instanceof Decision.Run;
            if (!isStart || !starts) {
                first.add(decision);
            }
            starts |= isStart;
        }
        return first;
    }

    @Override
    public void withdraw(String jobId) {
        // A job runs here only once that is told.
    }

    @Override
    public void othersTook(JobView job) {
        charge(job, 1);
    }

    @Override
    public void othersGaveBack(JobView job) {
        charge(job, -1);
    }

    @Override
    public void limit(ResourceVector limit) {
        cluster = cluster.with(cluster.nodes(), cluster.queue().withLimit(limit));
    }

    @Override
    public void othersWait(boolean wait) {
        cluster = cluster.with(cluster.nodes(), cluster.queue().withOthersWaiting(wait));
    }

    private void charge(JobView job, int sign) {
        List<NodeView> nodes = new ArrayList<>(cluster.nodes());
        for (RunningTask task : job.tasks()) {
            ResourceVector ask = job.group(task.group()).ask();
            nodes.replaceAll(node -> node.id().equals(task.nodeId()) ? charged(node, ask, task, sign) : node);
        }
        cluster = cluster.with(nodes, cluster.queue());
    }

    private static NodeView charged(NodeView node, ResourceVector ask, RunningTask task, int sign) {
        List<DeviceView> devices = new ArrayList<>(node.devices());
        for (DeviceShare share : task.devices()) {
            devices.replaceAll(device -> device.uuid().equals(share.uuid())
                    ? new DeviceView(
                            device.uuid(),
                            device.model(),
                            device.memoryMiB(),
                            device.usedMiB() + sign * share.memoryMiB(),
                            device.usable())
                    : device);
        }
        return new NodeView(
                node.id(),
                node.rack(),
                node.capacity(),
                node.othersUse().plus(task.size().times(sign)),
                node.othersTasks().plus(node.asShare(ask, task.size()).times(sign)),
                node.keptFree(),
                devices,
                node.open());
    }
}
