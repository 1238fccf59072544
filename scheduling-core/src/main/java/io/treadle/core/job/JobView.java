// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.job;

import io.treadle.core.model.SensitivityMatrix;
import io.treadle.core.model.energy.EnergyProfile;
import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * What a policy knows of a job.
 *
 * @param id application id in a live cluster
 * @param submitMs when it was submitted, ms on the snapshot's clock
 * @param groups its task groups
 * @param tasks its running tasks; empty while it waits. A job with fewer tasks than its groups' minima has lost some
 *     and is completed, not started anew
 * @param profile its speed over CPU and memory, where measured
 * @param profiling whether its ApplicationMaster is measuring it now and so resizes it itself
 * @param progress how far it is
 * @param avoidedNodes nodes on which it does not want to run
 * @param foretoldSeconds its whole run time as history foretells it; empty where nothing is known
 * @param priority jobs of higher priority are served first, whatever their queue's order; 0 where nobody gave one
 * @param energy its speed and draw over GPUs and their power caps, where known
 * @param sizing what its end is worth, and how fast it is with which numbers of workers and parameter servers
 */
public record JobView(
        String id,
        long submitMs,
        List<TaskGroup> groups,
        List<RunningTask> tasks,
        Optional<SensitivityMatrix> profile,
        boolean profiling,
        Progress progress,
        Set<String> avoidedNodes,
        OptionalDouble foretoldSeconds,
        int priority,
        Optional<EnergyProfile> energy,
        Sizing sizing) {
    public JobView {
        groups = List.copyOf(groups);
        tasks = List.copyOf(tasks);
        avoidedNodes = Set.copyOf(avoidedNodes);
    }

    /** A job of which nobody says what its end is worth, without a model of workers and servers. */
    public JobView(
            String id,
            long submitMs,
            List<TaskGroup> groups,
            List<RunningTask> tasks,
            Optional<SensitivityMatrix> profile,
            boolean profiling,
            Progress progress,
            Set<String> avoidedNodes,
            OptionalDouble foretoldSeconds,
            int priority,
            Optional<EnergyProfile> energy) {
        this(
                id,
                submitMs,
                groups,
                tasks,
                profile,
                profiling,
                progress,
                avoidedNodes,
                foretoldSeconds,
                priority,
                energy,
                Sizing.UNKNOWN);
    }

    /** A job of whose draw nothing is known. */
    public JobView(
            String id,
            long submitMs,
            List<TaskGroup> groups,
            List<RunningTask> tasks,
            Optional<SensitivityMatrix> profile,
            boolean profiling,
            Progress progress,
            Set<String> avoidedNodes,
            OptionalDouble foretoldSeconds,
            int priority) {
        this(
                id,
                submitMs,
                groups,
                tasks,
                profile,
                profiling,
                progress,
                avoidedNodes,
                foretoldSeconds,
                priority,
                Optional.empty());
    }

    /** A job to which nobody gave a priority. */
    public JobView(
            String id,
            long submitMs,
            List<TaskGroup> groups,
            List<RunningTask> tasks,
            Optional<SensitivityMatrix> profile,
            boolean profiling,
            Progress progress,
            Set<String> avoidedNodes,
            OptionalDouble foretoldSeconds) {
        this(id, submitMs, groups, tasks, profile, profiling, progress, avoidedNodes, foretoldSeconds, 0);
    }

    /** A job of which history foretells nothing, and to which nobody gave a priority. */
    public JobView(
            String id,
            long submitMs,
            List<TaskGroup> groups,
            List<RunningTask> tasks,
            Optional<SensitivityMatrix> profile,
            boolean profiling,
            Progress progress,
            Set<String> avoidedNodes) {
        this(id, submitMs, groups, tasks, profile, profiling, progress, avoidedNodes, OptionalDouble.empty());
    }

    public boolean running() {
        return !tasks.isEmpty();
    }

    /** Whether it can use more tasks than it must have. */
    public boolean isElastic() {
        for (TaskGroup group : groups) {
            if (group.max() > group.min()) {
                return true;
            }
        }
        return false;
    }

    /** The same job with other tasks running. */
    public JobView withTasks(List<RunningTask> running) {
        return new JobView(
                id,
                submitMs,
                groups,
                running,
                profile,
                profiling,
                progress,
                avoidedNodes,
                foretoldSeconds,
                priority,
                energy,
                sizing);
    }

    /** The same job, content with the tasks that it must have. */
    public JobView atMinima() {
        if (!isElastic()) {
            return this;
        }
        return new JobView(
                id,
                submitMs,
                groups.stream()
                        .map(g -> new TaskGroup(g.name(), g.min(), g.min(), g.ask(), g.gpuModels()))
                        .toList(),
                tasks,
                profile,
                profiling,
                progress,
                avoidedNodes,
                foretoldSeconds,
                priority,
                energy,
                sizing);
    }

    /** The same job as if it took so many seconds less at its share, and had had them less. */
    public JobView shorterBy(double seconds) {
        return seconds == 0
                ? this
                : new JobView(
                        id,
                        submitMs,
                        groups,
                        tasks,
                        profile,
                        profiling,
                        progress.shorterBy(seconds, gpus()),
                        avoidedNodes,
                        foretoldSeconds.isPresent()
                                ? OptionalDouble.of(foretoldSeconds.getAsDouble() - seconds)
                                : foretoldSeconds,
                        priority,
                        energy,
                        sizing);
    }

    /** The same job, served before all of lower priority. */
    public JobView withPriority(int other) {
        return new JobView(
                id,
                submitMs,
                groups,
                tasks,
                profile,
                profiling,
                progress,
                avoidedNodes,
                foretoldSeconds,
                other,
                energy,
                sizing);
    }

    /** The same job, of which this is known of its worth and sizes. */
    public JobView withSizing(Sizing known) {
        return new JobView(
                id,
                submitMs,
                groups,
                tasks,
                profile,
                profiling,
                progress,
                avoidedNodes,
                foretoldSeconds,
                priority,
                energy,
                known);
    }

    /** GPUs of the whole gang at its minima. */
    public long gpus() {
        long gpus = 0;
        for (TaskGroup group : groups) {
            gpus += group.min() * group.ask().gpus();
        }
        return gpus;
    }

    /** GPUs of its running tasks: an elastic job may hold more than it needs. */
    public long heldGpus() {
        long gpus = 0;
        for (RunningTask task : tasks) {
            gpus += task.size().gpus();
        }
        return gpus;
    }

    /** What the whole gang needs at least. */
    public ResourceVector ask() {
        return groups.stream().map(g -> g.ask().times(g.min())).reduce(ResourceVector.ZERO, ResourceVector::plus);
    }

    public TaskGroup group(String name) {
        for (TaskGroup group : groups) {
            if (group.name().equals(name)) {
                return group;
            }
        }
        throw new IllegalArgumentException("job " + id + " has no task group '" + name + "', it has "
                + groups.stream().map(TaskGroup::name).toList());
    }

    /** Tasks of the group that are still to start. */
    public int missing(TaskGroup group) {
        int missing = group.min();
        for (RunningTask task : tasks) {
            missing -= task.group().equals(group.name()) ? 1 : 0;
        }
        return Math.max(0, missing);
    }
}
