// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.explain.Reason;
import io.treadle.core.job.JobView;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.Plan;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.policy.Policy;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A policy that gives jobs the GPUs and the caps that a test names, and stops the others. */
final class ScriptedPolicy implements Policy {
    /** @param watts cap of each task, W; 0 for none */
    record Wish(List<TaskPlacement> tasks, long watts) {}

    private final Map<String, Wish> wishes = new HashMap<>();

    synchronized void wish(String job, Wish wish) {
        wishes.put(job, wish);
    }

    @Override
    public String name() {
        return "scripted";
    }

    @Override
    public boolean stopsJobs() {
        return true;
    }

    @Override
    public long intervalMs() {
        return 100;
    }

    @Override
    public synchronized Plan plan(Snapshot snapshot) {
        List<Decision> decisions = new ArrayList<>();
        for (JobView job : snapshot.jobs()) {
            decisions.add(decide(job, wishes.get(job.id())));
        }
        return new Plan(decisions);
    }

    private static Decision decide(JobView job, @Nullable Wish wish) {
        Reason reason = new Reason.Told("as the test says");
        if (wish == null) {
            return job.running() ? new Decision.Stop(job.id(), reason) : new Decision.Wait(job.id(), reason);
        }
        List<TaskPlacement> tasks = wish.tasks().stream()
                .map(t -> new TaskPlacement(t.group(), t.nodeId(), t.size().withWatts(wish.watts()), t.devices()))
                .toList();
        if (!job.running()) {
            return new Decision.Run(job.id(), tasks, Map.of(), reason);
        }
        if (job.tasks().size() != tasks.size()) {
            return new Decision.Move(job.id(), tasks, reason);
        }
        Map<String, ResourceVector> sizes = new HashMap<>();
        job.tasks().forEach(t -> sizes.put(t.id(), t.size().withWatts(wish.watts())));
        return new Decision.Resize(job.id(), sizes, reason);
    }

    synchronized void stop(String job) {
        wishes.remove(job);
    }
}
