// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import io.treadle.am.process.Outcome;
import io.treadle.am.profile.RateEstimate;
import io.treadle.am.profile.SampleSeries;
import io.treadle.am.protocol.Assignment;
import io.treadle.am.protocol.ReportMessage;
import io.treadle.am.spec.JobSpec;
import io.treadle.am.web.JobStatus;
import io.treadle.core.wire.GangSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What others see of a gang: its workers, its readers, its next ApplicationMaster. Guarded by the {@link JobMaster}. */
final class JobViews {
    /** A variable with all addresses of more would be longer than a process may be given. */
    private static final int MOST_LISTED = 2000;

    private static final double SPEED_SECONDS = 10;
    /** For workers whose steps are long. */
    private static final double SLOW_SPEED_SECONDS = 60;

    private final JobIdentity identity;
    private final JobSpec spec;

    JobViews(JobIdentity identity, JobSpec spec) {
        this.identity = identity;
        this.spec = spec;
    }

    /** The group whose size matters to the job's speed: the first with GPUs, else the first. */
    static int groupWithGpus(JobSpec spec) {
        for (int g = 0; g < spec.groups().size(); g++) {
            JobSpec.TaskGroup group = spec.groups().get(g);
            if (group.gpusPerWorker() > 0 || group.gpuMemoryMiB() > 0) {
                return g;
            }
        }
        return 0;
    }

    Assignment assignment(Gang gang, Member member, Course course) {
        int epoch = course.epoch();
        Rendezvous rendezvous = course.rendezvous();
        Gang.Slot slot = gang.slotOf(member.id()).orElseThrow();
        long all = gang.members().stream().filter(m -> m.gangEpoch == epoch).count();
        JobSpec.TaskGroup task = spec.groups().get(slot.group);
        Map<String, String> variables = new HashMap<>(spec.env());
        variables.putAll(task.env());
        return new Assignment(
                gang.rank(slot),
                (int) all,
                task.name(),
                gang.groupRank(slot),
                gang.startedOf(slot.group, epoch).size(),
                rendezvous.host(),
                rendezvous.port(),
                epoch - 1,
                spec.maxRestarts(),
                identity.applicationId(),
                task.command(),
                identity.checkpointDir(),
                variables,
                member.state == ReportMessage.State.WAITING && all <= MOST_LISTED ? addresses(gang, epoch) : Map.of(),
                member.joinedAfter);
    }

    /** Where all members of a start listen, by group. */
    private Map<String, List<String>> addresses(Gang gang, int epoch) {
        Map<String, List<String>> groups = new LinkedHashMap<>();
        for (int g = 0; g < spec.groups().size(); g++) {
            groups.put(
                    spec.groups().get(g).name(),
                    gang.startedOf(g, epoch).stream()
                            .map(member -> member.runnerHost + ":" + member.masterPort)
                            .toList());
        }
        return groups;
    }

    /** @param refusal why the ResourceManager refuses what it is asked for; empty while it does not */
    JobStatus status(Gang gang, Course course, SpeedWatch watch, int restarts, Optional<String> refusal, long nowMs) {
        List<JobStatus.Worker> workers = new ArrayList<>();
        for (Gang.Slot slot : gang.ranked()) {
            Member member = slot.member;
            if (member != null && member.isKnown()) {
                workers.add(WorkerReports.status(
                        member, slot, spec.groups().get(slot.group).name(), gang.rank(slot), identity.user()));
            }
        }
        return new JobStatus(
                identity.applicationId(),
                spec.name(),
                identity.user(),
                state(gang, course),
                gang.samples(),
                spec.totalSamples(),
                watch.samplesPerSecond(),
                restarts,
                course.startedMs(),
                nowMs,
                workers,
                watch.resizes().stream().map(ResizeLog.Entry::toNode).toList(),
                watch.points(),
                watch.phase(),
                watch.energy(),
                watch.servers(),
                note(gang, course, watch, refusal));
    }

    private static String state(Gang gang, Course course) {
        return switch (course.phase()) {
            case GATHERING -> gang.complete() ? "starting" : "gathering";
            case FORMING -> "starting";
            case RUNNING -> "running";
            case ENDED -> course.outcome().filter(Outcome::succeeded).isPresent() ? "succeeded" : "failed";
        };
    }

    /**
     * What the job is doing, one line for people.
     *
     * @param refusal why the ResourceManager refuses what it is asked for; empty while it does not
     */
    static String note(Gang gang, Course course, SpeedWatch watch, Optional<String> refusal) {
        String doing = doing(gang, course, watch);
        return refusal.filter(why -> !course.isOver())
                .map(why -> doing + "; " + why)
                .orElse(doing);
    }

    private static String doing(Gang gang, Course course, SpeedWatch watch) {
        int containers = gang.members().size();
        return switch (course.phase()) {
            case GATHERING, FORMING ->
                gang.complete()
                        ? "starting " + containers + (containers == 1 ? " worker" : " workers")
                        : "has " + containers + " of " + gang.slots().size() + " containers";
            case RUNNING -> watch.describe();
            case ENDED ->
                course.outcome()
                        .map(o -> o.succeeded()
                                ? "done"
                                : o.diagnostics().lines().findFirst().orElse(""))
                        .orElse("");
        };
    }

    /** Share of the samples that are done, 0 to 1; 0 where the total is unknown. */
    float progress(Gang gang) {
        return spec.totalSamples() > 0 ? Math.max(0f, Math.min(1f, (float) gang.samples() / spec.totalSamples())) : 0;
    }

    /** What the next ApplicationMaster has to know. */
    static SavedState saved(
            Gang gang,
            Course course,
            RestartPolicy restarts,
            JobPublisher publisher,
            SpeedWatch watch,
            CommandNumbers numbers) {
        return new SavedState(
                course.epoch(),
                course.runs(),
                course.rendezvous().host(),
                course.rendezvous().port(),
                restarts.restarts(),
                restarts.failures(),
                course.startedMs(),
                slots(gang, course.epoch(), watch),
                publisher.published(),
                watch.resizes(),
                course.outcome(),
                numbers.last());
    }

    private static List<SavedState.Slot> slots(Gang gang, int epoch, SpeedWatch watch) {
        List<SavedState.Slot> slots = new ArrayList<>();
        for (Gang.Slot slot : gang.ranked()) {
            Member m = slot.member;
            if (m == null) {
                slots.add(new SavedState.Slot(
                        GangSpec.requestIdOf(slot.group),
                        slot.index,
                        "",
                        "",
                        0,
                        false,
                        slot.samples,
                        0,
                        false,
                        -1,
                        false));
            } else {
                slots.add(new SavedState.Slot(
                        GangSpec.requestIdOf(slot.group),
                        slot.index,
                        m.id(),
                        m.runnerHost,
                        m.runnerPort,
                        m.gangEpoch == epoch,
                        slot.samples,
                        watch.originalOf(m.id()),
                        m.leave.isPresent(),
                        m.joinedAfter,
                        m.done));
            }
        }
        return slots;
    }

    /** Samples per second of one worker now; 0 where it cannot be told. */
    static double speed(SampleSeries series, double now) {
        return RateEstimate.over(List.of(series), now - SPEED_SECONDS)
                .or(() -> RateEstimate.over(List.of(series), now - SLOW_SPEED_SECONDS))
                .map(RateEstimate::samplesPerSecond)
                .orElse(0.0);
    }

    static List<SampleSeries> series(List<Member> members) {
        return members.stream().map(m -> m.series).toList();
    }
}
