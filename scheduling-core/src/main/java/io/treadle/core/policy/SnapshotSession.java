// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

import io.treadle.core.cluster.DeviceView;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.QueueView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.DeviceShare;
import io.treadle.core.job.JobView;
import io.treadle.core.job.RunningTask;
import io.treadle.core.plan.Decision;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

/** A snapshot of everything for each decision. */
final class SnapshotSession implements SharedSession {
    private final Function<Snapshot, List<Decision.Move>> moves;
    private final Function<Snapshot, List<Decision>> changes;
    private Snapshot cluster;
    /** In order of submission. */
    private final Map<String, JobView> jobs = new LinkedHashMap<>();

    /** Whether a job has gone since the last decision. */
    private boolean hasEnded;

    /** @param changes what is to change, by a snapshot */
    SnapshotSession(Snapshot cluster, Function<Snapshot, List<Decision>> changes) {
        this(cluster, snapshot -> List.of(), changes);
    }

    /** @param moves which jobs move once a job has gone, before anything else changes */
    SnapshotSession(
            Snapshot cluster,
            Function<Snapshot, List<Decision.Move>> moves,
            Function<Snapshot, List<Decision>> changes) {
        this.cluster = cluster;
        this.moves = moves;
        this.changes = changes;
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
    public List<Decision> decide(long nowMs) {
        return decide(nowMs, job -> true);
    }

    private List<Decision> decide(long nowMs, Predicate<JobView> isKnown) {
        List<JobView> known = jobs.values().stream().filter(isKnown).toList();
        List<Decision.Move> moving = hasEnded ? moves.apply(cluster.at(nowMs, known)) : List.of();
        hasEnded = false;
        List<Decision> all = new ArrayList<>(moving);
        all.addAll(changes.apply(cluster.at(nowMs, Moved.all(known, moving))));
        return all;
    }

    @Override
    public List<Decision> decideFirst(long nowMs) {
        return withFirstStart(decide(nowMs));
    }

    @Override
    public List<Decision> decideOnly(String jobId, long nowMs) {
        return withFirstStart(decide(nowMs, job -> job.running() || job.id().equals(jobId)));
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
    public void othersTook(List<RunningTask> tasks) {
        charge(tasks, 1);
    }

    @Override
    public void othersGaveBack(List<RunningTask> tasks) {
        charge(tasks, -1);
    }

    @Override
    public void limit(ResourceVector limit) {
        QueueView queue = cluster.queue();
        cluster = with(cluster.nodes(), new QueueView(queue.name(), limit, queue.othersUse(), queue.users()));
    }

    private void charge(List<RunningTask> tasks, int sign) {
        List<NodeView> nodes = new ArrayList<>(cluster.nodes());
        for (RunningTask task : tasks) {
            nodes.replaceAll(node -> node.id().equals(task.nodeId()) ? charged(node, task, sign) : node);
        }
        cluster = with(nodes, cluster.queue());
    }

    private static NodeView charged(NodeView node, RunningTask task, int sign) {
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
                node.keptFree(),
                devices,
                node.open());
    }

    private Snapshot with(List<NodeView> nodes, QueueView queue) {
        return new Snapshot(cluster.nowMs(), nodes, queue, List.of(), cluster.largestTask(), cluster.memoryShared());
    }
}
