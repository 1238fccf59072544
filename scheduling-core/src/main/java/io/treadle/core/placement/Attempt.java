// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.job.DeviceShare;
import io.treadle.core.job.JobView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One try to place a job: what it has charged so far can be taken back as a whole. */
final class Attempt {
    private final JobView job;
    private final TaskSizer sizer;
    private final Ledger ledger;
    private final List<TaskPlacement> taken = new ArrayList<>();

    Attempt(JobView job, TaskSizer sizer, Ledger ledger) {
        this.job = job;
        this.sizer = sizer;
        this.ledger = ledger;
    }

    /** Whether the node is open to the job at all. */
    boolean allows(int node) {
        NodeView view = ledger.node(node);
        return view.open()
                && (job.avoidedNodes().isEmpty() || !job.avoidedNodes().contains(view.id()));
    }

    /** Whether a task of this size would fit on the node. */
    boolean fitsOn(int node, TaskGroup group, ResourceVector size) {
        return allows(node)
                && ledger.fits(job.id(), node, size, group.ask())
                && ledger.chooseDevices(node, group).isPresent();
    }

    /** Charges one task to the node if it fits there. */
    boolean tryOn(int node, TaskGroup group) {
        // Most nodes are full: their sizes need not be known.
        if (ledger.free(node).gpus() < group.ask().gpus() || !allows(node)) {
            return false;
        }
        ResourceVector size = sizer.size(group, ledger.node(node));
        return ledger.fits(job.id(), node, size, group.ask())
                && charge(node, group, size, ledger.chooseDevices(node, group));
    }

    /** Charges one task with these devices, if there are such, to the node if it fits there. */
    boolean tryOn(int node, TaskGroup group, Optional<List<DeviceShare>> devices) {
        ResourceVector size = sizer.size(group, ledger.node(node));
        return allows(node) && ledger.fits(job.id(), node, size, group.ask()) && charge(node, group, size, devices);
    }

    private boolean charge(int node, TaskGroup group, ResourceVector size, Optional<List<DeviceShare>> devices) {
        if (devices.isEmpty()) {
            return false;
        }
        ledger.take(job.id(), node, size, devices.get());
        taken.add(new TaskPlacement(group.name(), ledger.node(node).id(), size, devices.get()));
        return true;
    }

    /** Charges every task to one node, or none. */
    boolean tryAllOn(int node, List<TaskGroup> tasks) {
        int before = taken.size();
        for (TaskGroup group : tasks) {
            if (!tryOn(node, group)) {
                takeBack(before);
                return false;
            }
        }
        return true;
    }

    Optional<List<TaskPlacement>> undo() {
        takeBack(0);
        return Optional.empty();
    }

    private void takeBack(int kept) {
        while (taken.size() > kept) {
            TaskPlacement task = taken.remove(taken.size() - 1);
            ledger.giveBack(job.id(), ledger.indexOf(task.nodeId()).orElseThrow(), task.size(), task.devices());
        }
    }

    String jobId() {
        return job.id();
    }

    /** What it has charged so far, in the order of its tasks. */
    List<TaskPlacement> placed() {
        return List.copyOf(taken);
    }

    /** Charges what was charged before and taken back since. */
    void take(List<TaskPlacement> tasks) {
        for (TaskPlacement task : tasks) {
            ledger.take(job.id(), ledger.indexOf(task.nodeId()).orElseThrow(), task.size(), task.devices());
            taken.add(task);
        }
    }

    Optional<List<TaskPlacement>> result() {
        return Optional.of(placed());
    }
}
