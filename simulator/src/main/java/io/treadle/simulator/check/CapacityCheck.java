// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.check;

import io.treadle.core.cluster.DeviceView;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.job.DeviceShare;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.engine.JobRun;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** No node gives out more than it has, and no device more than its memory: a whole one goes to one task. */
final class CapacityCheck implements Check {
    private static final class Node {
        final NodeView view;
        final Map<String, Long> heldOnDevice = new HashMap<>();
        ResourceVector held = ResourceVector.ZERO;

        Node(NodeView view) {
            this.view = view;
        }
    }

    private final Map<String, Node> nodes = new HashMap<>();
    /** Nodes that gained something at this moment, with the job that came last. */
    private final Map<Node, JobRun> gained = new LinkedHashMap<>();

    CapacityCheck(SimCluster cluster) {
        cluster.partitions()
                .forEach(partition -> partition.nodes().forEach(node -> nodes.put(node.id(), new Node(node))));
    }

    @Override
    public void gaveBack(JobRun job, List<TaskPlacement> tasks) {
        tasks.forEach(task -> charge(job, task, -1));
    }

    @Override
    public void took(JobRun job, List<TaskPlacement> tasks) {
        tasks.forEach(task -> gained.put(charge(job, task, 1), job));
    }

    private Node charge(JobRun job, TaskPlacement task, int sign) {
        Node node = nodes.get(task.nodeId());
        if (node == null) {
            throw new IllegalArgumentException("job " + job + " is on node " + task.nodeId() + ", which there is not");
        }
        node.held = node.held.plus(task.size().times(sign));
        for (DeviceShare share : task.devices()) {
            node.heldOnDevice.merge(share.uuid(), sign * share.memoryMiB(), Long::sum);
        }
        return node;
    }

    @Override
    public void settled(long nowMs) {
        gained.forEach((node, job) -> check(node, job, nowMs));
        gained.clear();
    }

    private static void check(Node node, JobRun job, long nowMs) {
        NodeView view = node.view;
        if (!node.held.fitsIn(view.capacity())) {
            throw new BrokenRuleException(
                    nowMs,
                    "node " + view.id() + " has " + view.capacity().describe() + " and gives out "
                            + node.held.describe() + ", the last of it to job " + job);
        }
        Map<String, Long> left = new HashMap<>(node.heldOnDevice);
        for (DeviceView device : view.devices()) {
            Long held = left.remove(device.uuid());
            if (held != null && held > device.memoryMiB()) {
                throw new BrokenRuleException(
                        nowMs,
                        "device " + device.uuid() + " of node " + view.id() + " has " + device.memoryMiB()
                                + " MiB and gives out " + held + ", the last of it to job " + job);
            }
        }
        if (!left.isEmpty()) {
            throw new BrokenRuleException(
                    nowMs, "job " + job + " holds devices " + left.keySet() + ", which node " + view.id() + " has not");
        }
    }

    @Override
    public String words() {
        return String.format(Locale.ROOT, "capacity of %,d nodes", nodes.size());
    }
}
