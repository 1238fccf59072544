// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.plan;

import io.treadle.core.cluster.DeviceView;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.DeviceShare;
import io.treadle.core.job.JobView;
import io.treadle.core.job.RunningTask;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
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
    private final List<String> broken = new ArrayList<>();
    private final Map<String, ResourceVector> heldOnNode = new HashMap<>();
    private final Map<String, Long> heldOnDevice = new HashMap<>();
    private final Map<String, NodeView> nodes = new HashMap<>();
    private ResourceVector heldInQueue = ResourceVector.ZERO;

    private PlanVerifier(Snapshot snapshot, Plan plan) {
        this.snapshot = snapshot;
        this.plan = plan;
        snapshot.nodes().forEach(n -> nodes.put(n.id(), n));
    }

    /** Every rule that the plan breaks, with numbers; empty for a good plan. */
    public static List<String> problems(Snapshot snapshot, Plan plan) {
        return new PlanVerifier(snapshot, plan).verify();
    }

    private List<String> verify() {
        Set<String> decided = new HashSet<>();
        for (Decision decision : plan.decisions()) {
            if (!decided.add(decision.jobId())) {
                broken.add("job " + decision.jobId() + " is decided twice");
            }
        }
        for (JobView job : snapshot.jobs()) {
            plan.of(job.id())
                    .ifPresentOrElse(d -> check(job, d), () -> broken.add("job " + job.id() + " is not decided"));
        }
        heldOnNode.forEach((id, held) -> {
            NodeView node = nodes.get(id);
            if (node != null && !held.fitsIn(node.available().max(runningOn(id)))) {
                broken.add("node " + id + " has " + node.available().describe() + ", the plan hands out "
                        + held.describe());
            }
        });
        for (NodeView node : snapshot.nodes()) {
            for (DeviceView device : node.devices()) {
                long held = heldOnDevice.getOrDefault(device.uuid(), 0L);
                if (held > 0 && held > device.memoryMiB() - device.usedMiB()) {
                    broken.add("device " + device.uuid() + " has " + (device.memoryMiB() - device.usedMiB())
                            + " MiB left, the plan hands out " + held);
                }
            }
        }
        ResourceVector queue = snapshot.queue().available();
        if (!heldInQueue.fitsIn(queue.max(runningInQueue()))) {
            broken.add("queue " + snapshot.queue().name() + " may hold " + queue.describe() + ", the plan hands out "
                    + heldInQueue.describe());
        }
        return broken;
    }

    private void check(JobView job, Decision decision) {
        Map<String, ResourceVector> sizes = decision.sizes();
        List<TaskPlacement> starting = decision instanceof Decision.Run run ? run.tasks() : List.of();
        if (decision instanceof Decision.Wait && job.running()) {
            broken.add("job " + job.id() + " runs and is told to wait");
        }
        for (RunningTask task : job.tasks()) {
            ResourceVector size = sizes.getOrDefault(task.id(), task.size());
            if (size.gpus() != task.size().gpus()) {
                broken.add("task " + task.id() + " holds " + task.size().gpus() + " GPUs and is resized to "
                        + size.gpus());
            }
            hold(task.nodeId(), size, task.devices());
        }
        for (String id : sizes.keySet()) {
            if (job.tasks().stream().noneMatch(t -> t.id().equals(id))) {
                broken.add("job " + job.id() + " has no running task " + id);
            }
        }
        for (TaskGroup group : job.groups()) {
            long started = starting.stream()
                    .filter(t -> t.group().equals(group.name()))
                    .count();
            int lacks = job.missing(group);
            // An elastic job may start with more than it must have.
            long most = job.running() ? lacks : Math.max(lacks, group.max());
            if (decision instanceof Decision.Run && (started < lacks || started > most)) {
                broken.add("job " + job.id() + " starts " + started + " tasks of group " + group.name()
                        + ", its gang lacks " + lacks + (most > lacks ? " and can use " + most : ""));
            }
        }
        starting.forEach(task -> checkStart(job, task));
    }

    private void checkStart(JobView job, TaskPlacement task) {
        TaskGroup group = job.group(task.group());
        NodeView node = nodes.get(task.nodeId());
        if (node == null || !node.open() || job.avoidedNodes().contains(task.nodeId())) {
            broken.add("job " + job.id() + " starts on node " + task.nodeId() + ", which is not open to it");
            return;
        }
        if (!group.ask().fitsIn(task.size())) {
            broken.add("job " + job.id() + " asks for " + group.ask().describe() + " and gets "
                    + task.size().describe());
        }
        if (!node.devices().isEmpty()) {
            long whole = task.devices().stream().filter(DeviceShare::whole).count();
            long slices = task.devices().stream()
                    .filter(d -> !d.whole())
                    .mapToLong(DeviceShare::memoryMiB)
                    .sum();
            if (whole != group.ask().gpus() || slices != group.ask().gpuMemoryMiB()) {
                broken.add("job " + job.id() + " asks for " + group.ask().describe() + " and gets devices "
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
                broken.add("job " + job.id() + " gets device " + share + " on " + node.id() + ", which it cannot use");
            }
        }
        hold(task.nodeId(), task.size(), task.devices());
    }

    private void hold(String nodeId, ResourceVector size, List<DeviceShare> devices) {
        heldOnNode.merge(nodeId, size, ResourceVector::plus);
        heldInQueue = heldInQueue.plus(size);
        devices.forEach(d -> heldOnDevice.merge(d.uuid(), d.memoryMiB(), Long::sum));
    }

    /** What runs already is not the plan's fault, even where others have taken the room since. */
    private ResourceVector runningOn(String nodeId) {
        return snapshot.jobs().stream()
                .flatMap(j -> j.tasks().stream())
                .filter(t -> t.nodeId().equals(nodeId))
                .map(RunningTask::size)
                .reduce(ResourceVector.ZERO, ResourceVector::plus);
    }

    private ResourceVector runningInQueue() {
        return snapshot.jobs().stream()
                .flatMap(j -> j.tasks().stream())
                .map(RunningTask::size)
                .reduce(ResourceVector.ZERO, ResourceVector::plus);
    }
}
