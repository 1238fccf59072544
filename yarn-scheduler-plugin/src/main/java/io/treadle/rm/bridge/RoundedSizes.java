// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.RunningTask;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.Plan;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.Resource;

/**
 * The sizes that containers may have. YARN rounds each size that an application asks for up to a multiple of its smallest
 * container, resource by resource. The sizes of a gang never pass through that code, so this class applies the same rule:
 * asks are rounded up before they are planned, and what a plan gives beyond the asks is rounded down. A container that is
 * sized so is not changed by YARN's own rounding, and the sizes on a node never exceed the plan.
 */
public final class RoundedSizes {
    private final SchedulerAccess scheduler;

    public RoundedSizes(SchedulerAccess scheduler) {
        this.scheduler = scheduler;
    }

    /**
     * The job with the asks of its tasks as YARN rounds them.
     *
     * @param most the largest container of the job's queue; YARN rounds nothing up beyond it
     * @throws IllegalArgumentException if the rounded job breaks a limit of its own; the message names it
     */
    public GangSpec asked(GangSpec spec, Resource most) {
        List<GangSpec.Group> groups = new ArrayList<>();
        for (GangSpec.Group group : spec.groups()) {
            groups.add(new GangSpec.Group(
                    group.name(), group.min(), group.max(), up(group.resources(), most), group.gpuModels()));
        }
        return groups.equals(spec.groups()) ? spec : spec.withGroups(groups);
    }

    /** The size rounded up, where the largest container allows it. Nothing becomes smaller. */
    ResourceVector up(ResourceVector size, Resource most) {
        return size.max(YarnResources.vector(scheduler.normalized(YarnResources.resource(size), most)));
    }

    /** The size rounded down, but to no less than the ask in any resource. Nothing becomes larger, where it holds the ask. */
    ResourceVector down(ResourceVector size, ResourceVector ask) {
        ResourceVector step = YarnResources.vector(scheduler.smallestContainer());
        return new ResourceVector(
                        down(size.gpus(), step.gpus()),
                        down(size.vcores(), step.vcores()),
                        down(size.memoryMiB(), step.memoryMiB()),
                        down(size.gpuMemoryMiB(), step.gpuMemoryMiB()),
                        down(size.storageMBps(), step.storageMBps()),
                        down(size.watts(), step.watts()))
                .max(ask.min(size));
    }

    private static long down(long amount, long step) {
        return step <= 1 ? amount : amount - amount % step;
    }

    /**
     * The same plan with every size that it hands out rounded down.
     *
     * @param snapshot what the plan was made for; its jobs' asks are rounded up already
     */
    public Plan fitted(Plan plan, Snapshot snapshot) {
        Map<String, JobView> jobs = new HashMap<>();
        snapshot.jobs().forEach(job -> jobs.put(job.id(), job));
        List<Decision> decisions = new ArrayList<>();
        for (Decision decision : plan.decisions()) {
            JobView job = jobs.get(decision.jobId());
            decisions.add(job == null ? decision : fitted(decision, job));
        }
        return new Plan(decisions, plan.throughput(), plan.certificate());
    }

    private Decision fitted(Decision decision, JobView job) {
        if (decision instanceof Decision.Run run) {
            return new Decision.Run(run.jobId(), starts(run.tasks(), job), sizes(run.sizes(), job), run.reason());
        }
        if (decision instanceof Decision.Resize resize) {
            return new Decision.Resize(resize.jobId(), sizes(resize.sizes(), job), resize.reason());
        }
        if (decision instanceof Decision.Move move) {
            return new Decision.Move(move.jobId(), starts(move.tasks(), job), move.reason());
        }
        return decision;
    }

    private List<TaskPlacement> starts(List<TaskPlacement> tasks, JobView job) {
        return tasks.stream()
                .map(task -> new TaskPlacement(
                        task.group(),
                        task.nodeId(),
                        down(task.size(), job.group(task.group()).ask()),
                        task.devices()))
                .toList();
    }

    /** A task keeps the size that it has where that is planned: it may be older than the cluster's settings. */
    private Map<String, ResourceVector> sizes(Map<String, ResourceVector> planned, JobView job) {
        Map<String, ResourceVector> fitted = new HashMap<>(planned);
        for (RunningTask task : job.tasks()) {
            fitted.computeIfPresent(
                    task.id(),
                    (id, size) -> size.equals(task.size())
                            ? size
                            : down(size, job.group(task.group()).ask()));
        }
        return fitted;
    }
}
