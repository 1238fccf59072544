// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import io.treadle.am.profile.Conditions;
import io.treadle.am.profile.EnergyProfiler;
import io.treadle.am.profile.Observation;
import io.treadle.am.profile.Profiler;
import io.treadle.am.protocol.ReportMessage;
import io.treadle.am.spec.JobSpec;
import io.treadle.am.web.JobEnergy;
import io.treadle.am.yarn.RmGateway;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.ProfileServers;
import io.treadle.core.wire.WorkerCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Watches how fast the job is at which size: profiles it, logs its resizes, tells the scheduler. Guarded by the job. */
final class SpeedWatch {
    private static final Logger LOG = LoggerFactory.getLogger(SpeedWatch.class);

    private final JobClock clock;
    private final RmGateway rm;
    private final JobPublisher publisher;
    private final Profiler profiler;
    private final ResizeDriver driver;
    private final EnergyWatch energy;
    private final ServerWatch servers;
    private final ResizeLog resizes = new ResizeLog();
    private final int profiledGroup;
    private final Disobedience disobedience = new Disobedience();
    /** On workers that do not do as they should. */
    private List<String> remarks = List.of();

    private boolean knownProfileAwaited = true;
    private double samplesPerSecond;

    private SpeedWatch(
            JobClock clock,
            RmGateway rm,
            JobPublisher publisher,
            Profiler profiler,
            ResizeDriver driver,
            EnergyWatch energy,
            ServerWatch servers,
            int profiledGroup) {
        this.clock = clock;
        this.rm = rm;
        this.publisher = publisher;
        this.profiler = profiler;
        this.driver = driver;
        this.energy = energy;
        this.servers = servers;
        this.profiledGroup = profiledGroup;
    }

    static SpeedWatch of(
            JobClock clock,
            CommandNumbers numbers,
            JobPublisher publisher,
            JobSpec spec,
            MasterSettings settings,
            RmGateway rm) {
        int group = JobViews.groupWithGpus(spec);
        return new SpeedWatch(
                clock,
                rm,
                publisher,
                new Profiler(settings.profile()),
                new ResizeDriver(rm),
                new EnergyWatch(
                        new EnergyProfiler(settings.energy()),
                        new PowerDriver(rm, spec.groups().get(group).watts()),
                        new BatchDriver(clock, numbers, settings.commandSeconds())),
                ServerWatch.of(spec, settings.serverSeconds()),
                group);
    }

    void restore(SavedState saved) {
        resizes.restore(saved.resizes());
        saved.slots().stream()
                .filter(s -> !s.containerId().isEmpty())
                .forEach(s -> driver.restore(s.containerId(), s.originalVcores()));
        saved.profile().ifPresent(p -> {
            // An empty profile is published before a known one is read. Of a job that has run, an empty one was begun
            // from scratch, because there was none or the job contradicted it.
            knownProfileAwaited = saved.startedMs() == 0 && p.points().isEmpty();
            profiler.resume(p);
            energy.resume(p);
            servers.resume(p.servers());
        });
    }

    /** The profile of an earlier job of the model has been found, or there is none. */
    void onKnownProfile(Optional<ProfileRecord> known) {
        if (knownProfileAwaited) {
            knownProfileAwaited = false;
            known.ifPresent(profiler::skip);
            known.ifPresent(energy::onKnownProfile);
            servers.know(known.flatMap(ProfileRecord::servers));
        }
    }

    /** A worker has seen another size; the member still has the old one. */
    void resized(Gang gang, Member member, long vcores, long startedMs) {
        boolean ours = driver.askedFor(member.id(), vcores) && profiler.phase() == ProfileRecord.Phase.PROFILING;
        String by = ours ? "profiler" : "scheduler";
        double at = atSeconds(startedMs);
        resizes.add(
                new ResizeLog.Entry(member.id(), ResizeLog.VCORES, at, member.vcoresSeen, vcores, by),
                clock.seconds(),
                JobViews.series(gang.members()));
        LOG.info("{} went from {} to {} vcores, by the {}", member.id(), member.vcoresSeen, vcores, by);
    }

    /** The same of memory. */
    void resizedMemory(Gang gang, Member member, long memoryMiB, long startedMs) {
        resizes.add(
                new ResizeLog.Entry(
                        member.id(),
                        ResizeLog.MEMORY,
                        atSeconds(startedMs),
                        member.memorySeenMiB,
                        memoryMiB,
                        "scheduler"),
                clock.seconds(),
                JobViews.series(gang.members()));
        LOG.info("{} went from {} to {} MiB", member.id(), member.memorySeenMiB, memoryMiB);
    }

    private double atSeconds(long startedMs) {
        return startedMs == 0 ? 0 : (double) (clock.wallMs() - startedMs) / 1e3;
    }

    /**
     * Looks at the job; returns whether there is something that the next ApplicationMaster has to know.
     *
     * @param commanded whether workers are asked for something, by a command that does not come from here
     */
    boolean observe(Gang gang, boolean gangRuns, int epoch, boolean commanded) {
        double now = clock.seconds();
        List<Member> members = gang.members();
        members.forEach(m -> m.samplesPerSecond = JobViews.speed(m.series, now));
        samplesPerSecond = members.stream().mapToDouble(m -> m.samplesPerSecond).sum();
        resizes.observe(now, JobViews.series(members));
        List<Member> profiled = gang.membersOf(profiledGroup);
        remarks = remarks(members, now);
        boolean up = gangRuns && profiled.stream().allMatch(m -> m.state == ReportMessage.State.RUNNING && !m.done);
        boolean running = up && !knownProfileAwaited;
        ProfileRecord.Phase before = profiler.phase();
        boolean ready = before == ProfileRecord.Phase.READY;
        boolean asProfiled = !ready || (energy.leavesSpeedAlone() && !servers.haveMore(gang));
        profiler.observe(observation(profiled, running && asProfiled, epoch, now));
        if (before == ProfileRecord.Phase.READY && profiler.phase() == ProfileRecord.Phase.PROFILING) {
            LOG.info("the job contradicts its profile for longer than noise explains: it is profiled again");
            driver.beginAgain();
            energy.beginAgain();
        }
        boolean asked = driver.drive(running ? profiler.wanted() : OptionalLong.empty(), profiled, now);
        energy.observe(profiled, up, epoch, !knownProfileAwaited && ready(profiler), commanded, now);
        boolean settled = running && phase() == ProfileRecord.Phase.READY && energy.leavesSpeedAlone();
        servers.observe(gang, settled && !commanded, epoch, now);
        boolean published = publisher.profile(profiler, energy, servers, phase(), profiled, asked);
        return asked || published;
    }

    private List<String> remarks(List<Member> members, double now) {
        List<String> lines = new ArrayList<>(disobedience.of(members, now));
        for (int rank = 0; rank < members.size(); rank++) {
            members.get(rank).badLines.said(rank, now).ifPresent(lines::add);
            members.get(rank).hiddenControl(rank).ifPresent(lines::add);
        }
        return lines;
    }

    private Observation observation(List<Member> profiled, boolean running, int epoch, double now) {
        return new Observation(
                now,
                running,
                epoch,
                conditions(profiled),
                profiled.stream()
                        .mapToLong(m -> driver.originalOf(m.id()) > 0 ? driver.originalOf(m.id()) : m.vcoresSeen)
                        .min()
                        .orElse(0),
                driver.reached(profiled),
                rm.hears(),
                JobViews.series(profiled));
    }

    private static Conditions conditions(List<Member> profiled) {
        return new Conditions(
                profiled.stream().mapToLong(m -> m.vcoresSeen).min().orElse(0),
                profiled.stream().mapToLong(MemoryDesk::usedMiB).min().orElse(0),
                profiled.stream()
                        .mapToLong(m -> m.storageMBps)
                        .filter(grant -> grant > 0)
                        .min()
                        .orElse(0),
                profiled.stream().anyMatch(m -> m.data.isPresent()));
    }

    double samplesPerSecond() {
        return samplesPerSecond;
    }

    String describe() {
        List<String> lines = new ArrayList<>();
        // While energy is measured the speed is known, and there is nothing more to say of it.
        lines.add(energy.describe().isEmpty() || !ready(profiler) ? profiler.describe() : energy.describe());
        lines.add(servers.describe());
        lines.removeIf(String::isEmpty);
        lines.addAll(remarks);
        return String.join("; ", lines);
    }

    List<ProfileRecord.Point> points() {
        return profiler.points();
    }

    /** Whether the job may be resized by its ApplicationMaster. */
    ProfileRecord.Phase phase() {
        return energy.isMeasuring() ? ProfileRecord.Phase.PROFILING : profiler.phase();
    }

    private static boolean ready(Profiler profiler) {
        return profiler.phase() == ProfileRecord.Phase.READY;
    }

    /** What was spent; empty where no node says. */
    Optional<JobEnergy> energy() {
        return energy.energy();
    }

    /** A task has failed; returns whether it was with numbers of workers and servers that were only tried. */
    boolean wasTried() {
        return servers.failed();
    }

    /** Its speed over numbers of workers and parameter servers; empty where nothing is known or asked. */
    Optional<ProfileServers> servers() {
        return servers.profile();
    }

    /** What workers are asked where nothing else is. */
    Optional<WorkerCommand> command() {
        return energy.command();
    }

    List<ResizeLog.Entry> resizes() {
        return resizes.entries();
    }

    /** What the container had before it was profiled; 0 where it was not. */
    long originalOf(String containerId) {
        return driver.originalOf(containerId);
    }
}
