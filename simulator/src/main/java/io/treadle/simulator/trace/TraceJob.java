// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.core.job.Sizing;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.model.SensitivityMatrix;
import io.treadle.core.model.energy.EnergyProfile;
import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A job of a trace.
 *
 * @param id the trace's own
 * @param queue the queue, virtual cluster or partition; empty where the trace has none
 * @param user whose it is; empty where the trace does not say
 * @param submitMs ms since the trace's zero
 * @param groups its task groups
 * @param work what it has to do
 * @param profile its speed over CPU, memory and storage bandwidth of a task, where the trace knows it: 1 at the share, or,
 *     where its work tells what that depends on, at which it takes its run time
 * @param foretoldSeconds its run time as history foretells it
 * @param training what the trace says of what it trains; empty where it says nothing
 * @param history when it really ran, where the trace knows it
 * @param attributes what its owner wants of it, and how it ended
 * @param sizing what its end is worth, and how fast it is with which numbers of workers and parameter servers
 */
public record TraceJob(
        String id,
        String queue,
        String user,
        long submitMs,
        List<TaskGroup> groups,
        Work work,
        Optional<SensitivityMatrix> profile,
        OptionalDouble foretoldSeconds,
        Optional<Training> training,
        Optional<History> history,
        Attributes attributes,
        Sizing sizing) {
    public TraceJob {
        groups = List.copyOf(groups);
    }

    /** The same job under another name, submitted at another time. */
    TraceJob named(String newId, long newSubmitMs) {
        return new TraceJob(
                newId,
                queue,
                user,
                newSubmitMs,
                groups,
                work,
                profile,
                foretoldSeconds,
                training,
                history,
                attributes,
                sizing);
    }

    /** One of which no user and no history is known. */
    public TraceJob(
            String id,
            String queue,
            long submitMs,
            List<TaskGroup> groups,
            Work work,
            Optional<SensitivityMatrix> profile,
            OptionalDouble foretoldSeconds) {
        this(
                id,
                queue,
                "",
                submitMs,
                groups,
                work,
                profile,
                foretoldSeconds,
                Optional.empty(),
                Optional.empty(),
                Attributes.NONE,
                Sizing.UNKNOWN);
    }

    /** One that is no more than its size and its work. */
    static TraceJob of(String id, String queue, long submitMs, List<TaskGroup> groups, Work work) {
        return new TraceJob(id, queue, submitMs, groups, work, Optional.empty(), OptionalDouble.empty());
    }

    TraceJob called(String newId, String newQueue, String newUser) {
        return new TraceJob(
                newId,
                newQueue,
                newUser,
                submitMs,
                groups,
                work,
                profile,
                foretoldSeconds,
                training,
                history,
                attributes,
                sizing);
    }

    TraceJob ofUser(String newUser) {
        return new TraceJob(
                id,
                queue,
                newUser,
                submitMs,
                groups,
                work,
                profile,
                foretoldSeconds,
                training,
                history,
                attributes,
                sizing);
    }

    TraceJob foretold(OptionalDouble seconds) {
        return new TraceJob(
                id, queue, user, submitMs, groups, work, profile, seconds, training, history, attributes, sizing);
    }

    TraceJob that(Optional<History> ran) {
        return new TraceJob(
                id, queue, user, submitMs, groups, work, profile, foretoldSeconds, training, ran, attributes, sizing);
    }

    /** The same job of which other things are wanted. */
    public TraceJob with(Attributes others) {
        return new TraceJob(
                id, queue, user, submitMs, groups, work, profile, foretoldSeconds, training, history, others, sizing);
    }

    /** The same on a clock whose zero is so much later. */
    TraceJob earlier(long ms) {
        return new TraceJob(
                id,
                queue,
                user,
                submitMs - ms,
                groups,
                work,
                profile,
                foretoldSeconds,
                training,
                history.map(ran -> ran.earlier(ms)),
                attributes,
                sizing);
    }

    /** The same job, of which this is known of its worth and sizes. */
    public TraceJob with(Sizing known) {
        return new TraceJob(
                id,
                queue,
                user,
                submitMs,
                groups,
                work,
                profile,
                foretoldSeconds,
                training,
                history,
                attributes,
                known);
    }

    /** Whether it is said by when it should end. */
    public boolean hasWorth() {
        return sizing.utility().targetHours().isPresent();
    }

    /**
     * What it is worth that it ends then; empty where nobody says by when it should.
     *
     * @param endMs ms since the trace's zero
     */
    public OptionalDouble worth(long endMs) {
        return hasWorth()
                ? OptionalDouble.of(sizing.utility().at((endMs - submitMs) / 1000.0))
                : OptionalDouble.empty();
    }

    /** Whether it starts in the same time whatever its size. */
    public boolean startsAlike() {
        return energy().isPresent() || sizing.model().isPresent();
    }

    public long gpus() {
        long gpus = 0;
        for (TaskGroup group : groups) {
            gpus += group.min() * group.ask().gpus();
        }
        return gpus;
    }

    /** Its speed and draw over GPUs and power caps, where known. */
    public Optional<EnergyProfile> energy() {
        return training.flatMap(Training::energy);
    }

    /**
     * The same job for whoever chooses its number of GPUs, where it is known how fast it is with others: each of its tasks
     * has one GPU and its part of all else.
     */
    public TraceJob scalable() {
        if (energy().isEmpty() || groups.size() != 1) {
            return this;
        }
        EnergyProfile energy = energy().get();
        TaskGroup group = groups.get(0);
        ResourceVector ask = group.ask().times(group.min()).share(1, gpus());
        TaskGroup scalable =
                new TaskGroup(group.name(), energy.gpus(0), energy.gpus(energy.sizes() - 1), ask, group.gpuModels());
        return withGroups(List.of(scalable))
                .withWork(new Work(training.orElseThrow().iterations(), energy.seconds(0, energy.caps() - 1)));
    }

    public TraceJob training(Training newTraining) {
        return new TraceJob(
                id,
                queue,
                user,
                submitMs,
                groups,
                work,
                profile,
                foretoldSeconds,
                Optional.of(newTraining),
                history,
                attributes,
                sizing);
    }

    /** Tasks without which it does not start. */
    public int tasks() {
        return groups.stream().mapToInt(TaskGroup::min).sum();
    }

    /** Whether it can use more tasks than it needs. */
    public boolean isElastic() {
        return groups.stream().anyMatch(group -> group.max() > group.min());
    }

    /** The same job with the tasks that it needs and no more. */
    public TraceJob rigid() {
        return !isElastic()
                ? this
                : withGroups(groups.stream()
                        .map(group ->
                                new TaskGroup(group.name(), group.min(), group.min(), group.ask(), group.gpuModels()))
                        .toList());
    }

    /** The same job with other work. */
    public TraceJob withWork(Work newWork) {
        return new TraceJob(
                id,
                queue,
                user,
                submitMs,
                groups,
                newWork,
                profile,
                foretoldSeconds,
                training,
                history,
                attributes,
                sizing);
    }

    /** The same job of which is known how fast it is with what. */
    public TraceJob withProfile(SensitivityMatrix speed) {
        return new TraceJob(
                id,
                queue,
                user,
                submitMs,
                groups,
                work,
                Optional.of(speed),
                foretoldSeconds,
                training,
                history,
                attributes,
                sizing);
    }

    /** The same job in other task groups. */
    public TraceJob withGroups(List<TaskGroup> newGroups) {
        return new TraceJob(
                id,
                queue,
                user,
                submitMs,
                newGroups,
                work,
                profile,
                foretoldSeconds,
                training,
                history,
                attributes,
                sizing);
    }

    /** Submission and run time cut to whole seconds. */
    public TraceJob inWholeSeconds() {
        Work whole = work.ends() ? Work.ofSeconds(Math.floor(work.seconds())).dependingOn(work.sensitivity()) : work;
        return submittedAt(submitMs / 1000 * 1000).withWork(whole);
    }

    /** The same job, come at another time. */
    public TraceJob submittedAt(long ms) {
        return new TraceJob(
                id, queue, user, ms, groups, work, profile, foretoldSeconds, training, history, attributes, sizing);
    }
}
