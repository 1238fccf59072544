// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.RunningTask;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.placement.Ledger;
import io.treadle.core.placement.TaskSizer;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What running jobs keep before anything is handed out, charged to a ledger: their GPUs and their asks for certain, then
 * what they have of their shares, then what they lack of them, each as far as there is room. What a job has of its share
 * comes before what another lacks, so that nobody's share grows out of somebody else's.
 */
final class Floors {
    private final Sizes sizes;
    private final Ledger ledger;
    private final InPlace inPlace;
    private final Map<String, Grant> floors = new HashMap<>();

    private Floors(Sizes sizes, Ledger ledger) {
        this.sizes = sizes;
        this.ledger = ledger;
        this.inPlace = new InPlace(ledger);
    }

    static Floors of(Snapshot snapshot, Sizes sizes) {
        // Mostly there is room for what everybody has of it, for it has that: no need to look before each step.
        Floors floors = new Floors(sizes, new Ledger(snapshot));
        return floors.chargeAtOnce(running(snapshot)) ? floors : inSteps(snapshot, sizes);
    }

    /** The same, with a look at what there is before each step. */
    static Floors inSteps(Snapshot snapshot, Sizes sizes) {
        Floors floors = new Floors(sizes, new Ledger(snapshot));
        floors.chargeInSteps(running(snapshot));
        return floors;
    }

    private static List<JobView> running(Snapshot snapshot) {
        return snapshot.jobs().stream().filter(JobView::running).toList();
    }

    Ledger ledger() {
        return ledger;
    }

    /** Of a running job that was granted nothing else yet; null for others. */
    @Nullable
    Grant get(JobView job) {
        return floors.get(job.id());
    }

    void remove(JobView job) {
        floors.remove(job.id());
    }

    /** @return false if there was no room for something; then all that was charged means nothing */
    private boolean chargeAtOnce(List<JobView> running) {
        List<JobView> lacking = new ArrayList<>();
        boolean isAsSure = true;
        for (JobView job : running) {
            Grant sure = sure(job);
            TaskSizer shares = shares(job);
            List<Grant.Task> tasks = new ArrayList<>(sure.tasks().size());
            boolean lacks = false;
            int held = 0;
            for (Grant.Task task : sure.tasks()) {
                while (!job.tasks().get(held).id().equals(task.runningId().orElseThrow())) {
                    held++;
                }
                ResourceVector share = shares.size(task.group(), ledger.node(task.node()));
                ResourceVector size = share.min(job.tasks().get(held).size())
                        .max(task.group().ask())
                        .max(task.size())
                        .withGpus(task.size().gpus());
                lacks |= !share.withGpus(0).fitsIn(size);
                isAsSure &= size.equals(task.size());
                tasks.add(task.withSize(size));
            }
            Grant floor = new Grant(job, tasks, sure.level());
            charge(floor);
            floors.put(job.id(), floor);
            if (lacks) {
                lacking.add(job);
            }
        }
        if (!isAsSure && !ledger.hasRoomEverywhere()) {
            return false;
        }
        lacking.forEach(job -> raise(job, false));
        return true;
    }

    private void chargeInSteps(List<JobView> running) {
        for (JobView job : running) {
            Grant sure = sure(job);
            charge(sure);
            floors.put(job.id(), sure);
        }
        running.forEach(job -> raise(job, true));
        running.forEach(job -> raise(job, false));
    }

    /** @param toHeld whether only to what it has of its share */
    private void raise(JobView job, boolean toHeld) {
        Grant floor = Objects.requireNonNull(floors.get(job.id()));
        TaskSizer shares = shares(job);
        List<Grant.Task> raised = new ArrayList<>(floor.tasks().size());
        for (Grant.Task task : floor.tasks()) {
            ResourceVector share = shares.size(task.group(), ledger.node(task.node()));
            ResourceVector wanted = toHeld ? share.min(held(job, task)) : share;
            ResourceVector size =
                    inPlace.size(job, task, wanted.max(task.size()), true).orElseThrow();
            raised.add(inPlace.recharge(job, task, size));
        }
        floors.put(job.id(), new Grant(job, raised, floor.level()));
    }

    private static ResourceVector held(JobView job, Grant.Task task) {
        String id = task.runningId().orElseThrow();
        return job.tasks().stream()
                .filter(running -> running.id().equals(id))
                .findFirst()
                .orElseThrow()
                .size();
    }

    private TaskSizer shares(JobView job) {
        return new LastSize((group, node) -> sizes.fallback(job, group, node));
    }

    /**
     * What it keeps whatever is decided: its GPUs and its asks, or all that it has while it is profiled. A task that holds
     * less than it asks for, as profiling left it while others took the room, is promised no more.
     */
    private Grant sure(JobView job) {
        boolean isMeasured = Round.isMeasured(job);
        List<Grant.Task> tasks = new ArrayList<>(job.tasks().size());
        // Tasks of a gang come node by node.
        String nodeId = "";
        Optional<Integer> node = Optional.empty();
        for (RunningTask task : job.tasks()) {
            if (!task.nodeId().equals(nodeId)) {
                nodeId = task.nodeId();
                node = ledger.indexOf(nodeId);
            }
            if (node.isEmpty()) {
                // Its node is gone from the snapshot: nothing is held anywhere that could be planned.
                continue;
            }
            TaskGroup group = job.group(task.group());
            ResourceVector size = isMeasured
                    ? task.size()
                    : group.ask().min(task.size()).withGpus(task.size().gpus());
            tasks.add(new Grant.Task(Optional.of(task.id()), group, node.get(), size, task.devices()));
        }
        return new Grant(job, tasks, Grant.Level.PROFILING);
    }

    private void charge(Grant grant) {
        grant.tasks().forEach(t -> ledger.take(grant.job().id(), t.node(), t.size(), t.devices()));
    }
}
