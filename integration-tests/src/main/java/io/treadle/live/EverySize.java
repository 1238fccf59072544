// SPDX-License-Identifier: Apache-2.0
package io.treadle.live;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.explain.Reason;
import io.treadle.core.job.JobView;
import io.treadle.core.job.RunningTask;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.placement.Ledger;
import io.treadle.core.placement.Placement;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.Plan;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.policy.Policy;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Gives every task of its queue the same number of vcores, which the bench changes from outside: the ResourceManager runs
 * in its JVM. So a worker is measured at sizes that no policy would choose.
 */
final class EverySize implements Policy {
    static final String NAME = "every-size";

    private static final AtomicLong VCORES = new AtomicLong(1);
    private static final Reason REASON = new Reason.Told("is measured at every size");

    private final Placement placement;

    EverySize(Placement placement) {
        this.placement = placement;
    }

    /** From the next round on. */
    static void set(long vcores) {
        VCORES.set(vcores);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Plan plan(Snapshot snapshot) {
        Ledger ledger = new Ledger(snapshot);
        snapshot.jobs().forEach(job -> job.tasks().forEach(task -> ledger.indexOf(task.nodeId())
                .ifPresent(node -> ledger.take(job.id(), node, task.size(), task.devices()))));
        long vcores = VCORES.get();
        List<Decision> decisions = new ArrayList<>();
        for (JobView job : snapshot.jobs()) {
            decisions.add(decision(job, vcores, ledger));
        }
        return new Plan(decisions);
    }

    private Decision decision(JobView job, long vcores, Ledger ledger) {
        List<TaskGroup> missing = job.groups().stream()
                .flatMap(group -> Collections.nCopies(job.missing(group), group).stream())
                .toList();
        Optional<List<TaskPlacement>> tasks = missing.isEmpty()
                ? Optional.empty()
                : placement.place(job, missing, (group, node) -> group.ask().withVcores(vcores), ledger);
        if (tasks.isPresent()) {
            return new Decision.Run(job.id(), tasks.get(), Map.of(), REASON);
        }
        if (!job.running()) {
            return new Decision.Wait(job.id(), new Reason.Told("no node has " + vcores + " vcores and the GPUs free"));
        }
        Map<String, ResourceVector> sizes = new LinkedHashMap<>();
        for (RunningTask task : job.tasks()) {
            sizes.put(task.id(), task.size().withVcores(vcores));
        }
        return new Decision.Resize(job.id(), sizes, REASON);
    }
}
