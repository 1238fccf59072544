// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.plan;

import io.treadle.core.cluster.DeviceView;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.SharedStorage;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.cluster.UserView;
import io.treadle.core.job.DeviceShare;
import io.treadle.core.job.JobView;
import io.treadle.core.job.RunningTask;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks a plan against the snapshot that it was made for. The ResourceManager carries out no plan that breaks one of
 * these rules, whoever wrote its policy.
 */
public final class PlanVerifier {
    private final Snapshot snapshot;
    private final Plan plan;
    /** Whether jobs may stop, and go on elsewhere. */
    private final boolean mayStop;

    private final Map<String, Decision> decisions = new LinkedHashMap<>();
    private final List<Violation> broken = new ArrayList<>();
    private final Map<String, ResourceVector> runningOnNode = new HashMap<>();
    private final Map<OnNode, Long> runningOnDevice = new HashMap<>();
    private final Map<String, ResourceVector> heldOnNode = new HashMap<>();
    private final Map<OnNode, Long> heldOnDevice = new HashMap<>();
    private final Map<String, NodeView> nodes = new HashMap<>();
    private final Set<String> takers = new LinkedHashSet<>();
    private final Map<String, Set<String>> takersOnNode = new HashMap<>();
    private ResourceVector runningInQueue = ResourceVector.ZERO;
    private ResourceVector heldInQueue = ResourceVector.ZERO;

    /** A device; an administrator who names devices by hand may name those of two nodes alike. */
    private record OnNode(String nodeId, String uuid) {}

    /**
     * A rule that the plan breaks.
     *
     * @param jobIds the jobs whose decisions break it: where room is short, those that start or grow there
     * @param text the rule, with numbers
     */
    record Violation(Set<String> jobIds, String text) {}

    private PlanVerifier(Snapshot snapshot, Plan plan, boolean mayStop) {
        this.snapshot = snapshot;
        this.plan = plan;
        this.mayStop = mayStop;
        snapshot.nodes().forEach(n -> nodes.put(n.id(), n));
    }

    /** Every rule that the plan breaks, with numbers; empty for a good plan. */
    public static List<String> problems(Snapshot snapshot, Plan plan) {
        return violations(snapshot, plan, false).stream().map(Violation::text).toList();
    }

    /** The same for whoever stops jobs, and lets them go on elsewhere with other tasks. */
    public static List<String> problemsWithStops(Snapshot snapshot, Plan plan) {
        return violations(snapshot, plan, true).stream().map(Violation::text).toList();
    }

    static List<Violation> violations(Snapshot snapshot, Plan plan, boolean mayStop) {
        return new PlanVerifier(snapshot, plan, mayStop).verify();
    }

    private List<Violation> verify() {
        for (Decision decision : plan.decisions()) {
            if (decisions.putIfAbsent(decision.jobId(), decision) != null) {
                broken(decision.jobId(), "job " + decision.jobId() + " is decided twice");
            }
        }
        for (JobView job : snapshot.jobs()) {
            Decision decision = decisions.get(job.id());
            if (decision == null) {
                broken(job.id(), "job " + job.id() + " is not decided");
            } else {
                check(job, decision);
            }
        }
        // What runs already is not the plan's fault, even where others have taken the room since.
        heldOnNode.forEach((id, held) -> {
            NodeView node = nodes.get(id);
            ResourceVector running = runningOnNode.getOrDefault(id, ResourceVector.ZERO);
            if (node != null && !held.fitsIn(node.available().max(running))) {
                broken.add(new Violation(
                        takersOn(id),
                        "node " + id + " has " + node.available().describe() + ", the plan hands out "
                                + held.describe()));
            }
        });
        snapshot.nodes().forEach(this::checkDevices);
        snapshot.sharedStorage().ifPresent(this::checkShared);
        ResourceVector queue = snapshot.queue().available();
        if (!heldInQueue.fitsIn(queue.max(runningInQueue))) {
            broken.add(new Violation(
                    takers,
                    "queue " + snapshot.queue().name() + " may hold " + queue.describe() + ", the plan hands out "
                            + heldInQueue.describe()));
        }
        snapshot.queue().users().forEach(this::checkUser);
        return broken;
    }

    private void checkShared(SharedStorage shared) {
        long available = shared.availableMBps(snapshot.nodes());
        long running = storage(runningOnNode);
        long held = storage(heldOnNode);
        if (held > Math.max(available, running)) {
            broken.add(new Violation(
                    takers,
                    "the shared file system has " + available + " MB/s for these jobs, the plan hands out " + held
                            + " MB/s"));
        }
    }

    /** On the nodes that the snapshot has. */
    private long storage(Map<String, ResourceVector> byNode) {
        return nodes.keySet().stream()
                .mapToLong(id -> byNode.getOrDefault(id, ResourceVector.ZERO).storageMBps())
                .sum();
    }

    private void checkDevices(NodeView node) {
        for (DeviceView device : node.devices()) {
            long held = heldOnDevice.getOrDefault(new OnNode(node.id(), device.uuid()), 0L);
            long left = Math.max(
                    device.memoryMiB() - device.usedMiB(),
                    runningOnDevice.getOrDefault(new OnNode(node.id(), device.uuid()), 0L));
            if (held > left) {
                broken.add(new Violation(
                        takersOn(node.id()),
                        "device " + device.uuid() + " has " + left + " MiB left, the plan hands out " + held));
            }
        }
    }

    private void broken(String jobId, String text) {
        broken.add(new Violation(Set.of(jobId), text));
    }

    private Set<String> takersOn(String nodeId) {
        return takersOnNode.getOrDefault(nodeId, Set.of());
    }

    /** As {@link UserView} says: only the last task that starts may go above the limit, and none grows above it. */
    private void checkUser(UserView user) {
        ResourceVector held = ResourceVector.ZERO;
        ResourceVector running = ResourceVector.ZERO;
        ResourceVector last = ResourceVector.ZERO;
        boolean starts = false;
        for (JobView job : snapshot.jobs()) {
            Decision decision = decisions.get(job.id());
            if (decision == null || !user.jobIds().contains(job.id())) {
                continue;
            }
            for (RunningTask task : job.tasks()) {
                if (!isElsewhere(task.nodeId())) {
                    running = running.plus(task.size());
                    held = leaves(decision) ? held : held.plus(decision.sizes().getOrDefault(task.id(), task.size()));
                }
            }
            for (TaskPlacement task : starting(decision)) {
                starts = true;
                held = held.plus(task.size());
                last = last.max(task.size());
            }
        }
        ResourceVector most =
                starts ? user.available().plus(last) : user.available().max(running);
        if (!held.fitsIn(most)) {
            Set<String> theirs = new LinkedHashSet<>(takers);
            theirs.retainAll(user.jobIds());
            broken.add(new Violation(
                    theirs,
                    "user " + user.name() + " may hold " + user.available().describe() + " of queue "
                            + snapshot.queue().name() + " for these jobs, the plan hands out " + held.describe()));
        }
    }

    private void check(JobView job, Decision decision) {
        Map<String, ResourceVector> sizes = decision.sizes();
        boolean isMove = decision instanceof Decision.Move;
        List<TaskPlacement> starting = starting(decision);
        if (decision instanceof Decision.Wait && job.running()) {
            broken(job.id(), "job " + job.id() + " runs and is told to wait");
        }
        if (leaves(decision) && !job.running()) {
            broken(job.id(), "job " + job.id() + " does not run and is stopped or moved");
        }
        if (decision instanceof Decision.Stop && !mayStop) {
            broken(job.id(), "job " + job.id() + " is stopped, which the policy does not do");
        }
        if (isMove && !mayStop) {
            broken(job.id(), "job " + job.id() + " is moved, which the policy does not do");
        }
        for (RunningTask task : job.tasks()) {
            ResourceVector size = sizes.getOrDefault(task.id(), task.size());
            if (size.gpus() != task.size().gpus()) {
                broken(
                        job.id(),
                        "task " + task.id() + " holds " + task.size().gpus() + " GPUs and is resized to "
                                + size.gpus());
            }
            if (leaves(decision)) {
                continue;
            }
            running(task);
            hold(task.nodeId(), size, task.devices());
            if (!size.fitsIn(task.size())) {
                takes(job, task.nodeId());
            }
        }
        for (String id : sizes.keySet()) {
            if (job.tasks().stream().noneMatch(t -> t.id().equals(id))) {
                broken(job.id(), "job " + job.id() + " has no running task " + id);
            }
        }
        for (TaskGroup group : job.groups()) {
            long started = starting.stream()
                    .filter(t -> t.group().equals(group.name()))
                    .count();
            int lacks = isMove ? group.min() : job.missing(group);
            // An elastic job may start with more than it must have.
            long most = job.running() && !isMove ? lacks : Math.max(lacks, group.max());
            if ((decision instanceof Decision.Run || (isMove && mayStop)) && (started < lacks || started > most)) {
                broken(
                        job.id(),
                        "job " + job.id() + " starts " + started + " tasks of group " + group.name()
                                + ", its gang lacks " + lacks + (most > lacks ? " and can use " + most : ""));
            }
        }
        starting.forEach(task -> checkStart(job, task));
    }

    /** Whether the job's running tasks hold nothing from then on. */
    private boolean leaves(Decision decision) {
        return mayStop && (decision instanceof Decision.Stop || decision instanceof Decision.Move);
    }

    private List<TaskPlacement> starting(Decision decision) {
        if (decision instanceof Decision.Run run) {
            return run.tasks();
        }
        return mayStop && decision instanceof Decision.Move move ? move.tasks() : List.of();
    }

    private void checkStart(JobView job, TaskPlacement task) {
        TaskGroup group = job.group(task.group());
        NodeView node = nodes.get(task.nodeId());
        if (node == null || !node.open() || job.avoidedNodes().contains(task.nodeId())) {
            broken(job.id(), "job " + job.id() + " starts on node " + task.nodeId() + ", which is not open to it");
            return;
        }
        if (!group.ask().fitsIn(task.size())) {
            broken(
                    job.id(),
                    "job " + job.id() + " asks for " + group.ask().describe() + " and gets "
                            + task.size().describe());
        }
        if (!node.devices().isEmpty() || group.choosesDevices()) {
            long whole = task.devices().stream().filter(DeviceShare::whole).count();
            long slices = task.devices().stream()
                    .filter(d -> !d.whole())
                    .mapToLong(DeviceShare::memoryMiB)
                    .sum();
            if (whole != group.ask().gpus() || slices != group.ask().gpuMemoryMiB()) {
                broken(
                        job.id(),
                        "job " + job.id() + " asks for " + group.ask().describe() + " and gets devices "
                                + task.devices());
            }
        }
        for (DeviceShare share : task.devices()) {
            boolean good = node.devices().stream()
                    .anyMatch(d -> d.uuid().equals(share.uuid())
                            && d.usable()
                            && group.accepts(d.model())
                            && (!share.whole() || share.memoryMiB() == d.memoryMiB()));
            if (!good) {
                broken(
                        job.id(),
                        "job " + job.id() + " gets device " + share + " on " + node.id() + ", which it cannot use");
            }
        }
        hold(task.nodeId(), task.size(), task.devices());
        takes(job, task.nodeId());
    }

    private void takes(JobView job, String nodeId) {
        takers.add(job.id());
        takersOnNode.computeIfAbsent(nodeId, id -> new LinkedHashSet<>()).add(job.id());
    }

    private void running(RunningTask task) {
        if (isElsewhere(task.nodeId())) {
            return;
        }
        runningOnNode.merge(task.nodeId(), task.size(), ResourceVector::plus);
        runningInQueue = runningInQueue.plus(task.size());
        task.devices()
                .forEach(d -> runningOnDevice.merge(new OnNode(task.nodeId(), d.uuid()), d.memoryMiB(), Long::sum));
    }

    /** Whether the snapshot does not have the node: a task there holds nothing of what the queue may have on these nodes. */
    private boolean isElsewhere(String nodeId) {
        return !nodes.containsKey(nodeId);
    }

    private void hold(String nodeId, ResourceVector size, List<DeviceShare> devices) {
        if (isElsewhere(nodeId)) {
            return;
        }
        heldOnNode.merge(nodeId, size, ResourceVector::plus);
        heldInQueue = heldInQueue.plus(size);
        devices.forEach(d -> heldOnDevice.merge(new OnNode(nodeId, d.uuid()), d.memoryMiB(), Long::sum));
    }
}
