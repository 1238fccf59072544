// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import io.treadle.am.profile.Observation;
import io.treadle.am.profile.Profiler;
import io.treadle.am.protocol.Directive;
import io.treadle.am.protocol.FinishedMessage;
import io.treadle.am.protocol.RegisterMessage;
import io.treadle.am.protocol.ReportMessage;
import io.treadle.am.protocol.RunnerProtocol;
import io.treadle.am.spec.JobSpec;
import io.treadle.am.web.JobStatus;
import io.treadle.am.web.RunnerCalls;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.WorkerCommand;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The job's state machine. It gathers the gang's containers, forms the gang (every runner waits for the same start, so
 * that rank 0's port is known), runs it, forms it anew after a loss, and ends. Runners ask and are told what should be
 * so; nothing is pushed. Events come from any thread; no call blocks.
 */
final class JobMaster implements RunnerCalls {
    private static final Logger LOG = LoggerFactory.getLogger(JobMaster.class);

    private enum Phase {
        /** The gang has not been complete yet. */
        GATHERING,
        /** Workers are stopped, and started when all wait for the same start. */
        FORMING,
        RUNNING,
        ENDED
    }

    private final JobSpec spec;
    private final MasterSettings settings;
    private final JobClock clock;
    private final RmGateway rm;
    private final NmGateway nm;
    private final RunnerGateway runners;
    private final StateStore store;
    private final Gang gang;
    private final RestartPolicy restarts;
    private final Profiler profiler;
    private final ResizeDriver driver;
    private final ResizeLog resizes = new ResizeLog();
    private final JobPublisher publisher;
    private final JobViews views;
    private final int profiledGroup;

    private Phase phase = Phase.GATHERING;
    private int epoch = 1;
    private String masterAddress = "";
    private int masterPort;
    private long startedMs;
    private double lastGrantSeconds;
    private double announcedSeconds = Double.NEGATIVE_INFINITY;
    private double samplesPerSecond;
    private boolean knownProfileAwaited = true;
    private Optional<WorkerCommand> command = Optional.empty();
    private boolean reformAfterCommand;
    private Optional<Outcome> outcome = Optional.empty();

    JobMaster(
            JobIdentity identity,
            JobSpec spec,
            MasterSettings settings,
            JobClock clock,
            RmGateway rm,
            NmGateway nm,
            RunnerGateway runners,
            StateStore store,
            JobNode node) {
        this.spec = spec;
        this.settings = settings;
        this.clock = clock;
        this.rm = rm;
        this.nm = nm;
        this.runners = runners;
        this.store = store;
        this.gang = new Gang(spec.groups());
        this.restarts = new RestartPolicy(spec.maxRestarts());
        this.profiler = new Profiler(settings.profile());
        this.driver = new ResizeDriver(rm);
        this.publisher = new JobPublisher(node, identity, spec, clock);
        this.views = new JobViews(identity, spec);
        this.profiledGroup = views.groupWithGpus();
    }

    /** Begins, or goes on where an earlier ApplicationMaster was, with the containers that are left of it. */
    synchronized void start(Optional<SavedState> saved, List<GrantedContainer> inherited) {
        Map<String, GrantedContainer> left = new HashMap<>();
        inherited.forEach(c -> left.put(c.id(), c));
        boolean lost = false;
        if (saved.isPresent()) {
            lost = restore(saved.get(), left);
        }
        left.keySet().forEach(rm::release);
        for (int g = 0; g < spec.groups().size(); g++) {
            if (gang.missing(g) > 0) {
                rm.ask(g, gang.missing(g));
            }
        }
        if (lost) {
            LOG.warn("containers were lost while no ApplicationMaster ran");
            form("containers were lost while no ApplicationMaster ran");
        }
        save();
    }

    private boolean restore(SavedState saved, Map<String, GrantedContainer> left) {
        epoch = saved.epoch();
        masterAddress = saved.masterAddress();
        masterPort = saved.masterPort();
        startedMs = saved.startedMs();
        restarts.restore(saved.restarts(), saved.failures());
        resizes.restore(saved.resizes());
        saved.profile().ifPresent(p -> {
            knownProfileAwaited = false;
            profiler.resume(p);
        });
        boolean lost = false;
        for (SavedState.Slot old : saved.slots()) {
            Optional<Gang.Slot> slot = gang.slotAt(old.requestId(), old.index());
            GrantedContainer container = left.remove(old.containerId());
            if (container == null || slot.isEmpty()) {
                lost |= old.member();
                continue;
            }
            Member member = new Member(container, clock.seconds());
            member.runnerHost = old.runnerHost();
            member.runnerPort = old.runnerPort();
            member.gangEpoch = old.member() ? epoch : 0;
            slot.get().member = member;
            slot.get().samples = old.samples();
            driver.restore(member.id(), old.originalVcores());
        }
        phase = saved.running() ? Phase.RUNNING : startedMs > 0 ? Phase.FORMING : Phase.GATHERING;
        LOG.info(
                "going on at start {} with {} containers", epoch, gang.members().size());
        return lost;
    }

    synchronized void onGranted(List<GrantedContainer> containers) {
        for (GrantedContainer container : containers) {
            Optional<Gang.Slot> slot = gang.freeSlot(container.requestId());
            if (slot.isEmpty() || phase == Phase.ENDED) {
                LOG.info("container {} is not needed, released", container.id());
                rm.release(container.id());
                continue;
            }
            slot.get().member = new Member(container, clock.seconds());
            lastGrantSeconds = clock.seconds();
            LOG.info(
                    "container {} on {}: {} vcores, {} MiB, for place {} of group {}",
                    container.id(),
                    container.host(),
                    container.vcores(),
                    container.memoryMiB(),
                    slot.get().index,
                    spec.groups().get(slot.get().group).name());
            nm.start(container);
            if (phase == Phase.RUNNING) {
                command(WorkerCommand.Command.RESCALE);
                reformAfterCommand = true;
            }
        }
        save();
    }

    /** Containers of an earlier attempt: those that the registration has told of already, and maybe late ones. */
    synchronized void onInherited(List<GrantedContainer> containers) {
        for (GrantedContainer container : containers) {
            if (gang.slotOf(container.id()).isEmpty()) {
                LOG.info("container {} of an earlier attempt came late, released", container.id());
                rm.release(container.id());
            }
        }
    }

    synchronized void onStartFailed(String containerId, String cause) {
        lost(new LostContainer(containerId, 1, false, "its runner could not be started: " + cause), true);
    }

    synchronized void onLost(List<LostContainer> containers) {
        containers.forEach(c -> lost(c, false));
    }

    private void lost(LostContainer container, boolean release) {
        Optional<Gang.Slot> slot = gang.slotOf(container.id());
        if (slot.isEmpty() || phase == Phase.ENDED) {
            return;
        }
        Member member = slot.get().member;
        if (member != null && member.done && !release) {
            // Its worker has done its part; the container is missed only if the gang starts again.
            member.gone = true;
            return;
        }
        boolean inGang = member != null && member.gangEpoch == epoch;
        slot.get().member = null;
        if (release) {
            rm.release(container.id());
        }
        String what = "container " + container.id() + " was lost (exit status " + container.exitStatus() + "): "
                + container.diagnostics();
        LOG.warn("{}", what);
        rm.ask(slot.get().group, 1);
        if (!container.blameless()) {
            if (!mayRestart(what, false, List.of())) {
                return;
            }
        } else if (inGang) {
            restarts.restartWithoutBlame();
        }
        if (inGang && phase == Phase.RUNNING) {
            form(what);
        }
        save();
    }

    /** The size of a container has changed, by whatever hand. */
    synchronized void onResized(String containerId, long vcores, long memoryMiB, int version) {
        gang.slotOf(containerId).map(s -> s.member).ifPresent(m -> resized(m, vcores, memoryMiB, version));
    }

    private static void resized(Member member, long vcores, long memoryMiB, int version) {
        if (version >= member.version) {
            member.version = version;
            member.vcores = vcores;
            member.memoryMiB = memoryMiB;
        }
    }

    /** The ResourceManager will take containers: workers get the chance to keep what they have done. */
    synchronized void onPreemptionMessage() {
        if (phase == Phase.RUNNING && command.isEmpty()) {
            command(WorkerCommand.Command.CHECKPOINT);
        }
    }

    synchronized void onKnownProfile(Optional<ProfileRecord> known) {
        if (knownProfileAwaited) {
            knownProfileAwaited = false;
            known.ifPresent(p -> profiler.skip(p.points()));
        }
    }

    @Override
    public synchronized Directive register(RegisterMessage message) throws RefusedException {
        Member member = member(message.containerId());
        member.registered = true;
        member.runnerHost = message.host();
        member.runnerPort = message.port();
        member.lastCallSeconds = clock.seconds();
        save();
        return directive(member);
    }

    @Override
    public synchronized Directive report(ReportMessage message) throws RefusedException {
        Member member = registered(message.containerId());
        Gang.Slot slot = gang.slotOf(member.id()).orElseThrow();
        double now = clock.seconds();
        if (member.state == ReportMessage.State.RUNNING) {
            member.vcoreSeconds += member.vcoresSeen * (now - member.lastCallSeconds);
        }
        member.lastCallSeconds = now;
        member.state = message.state();
        member.reportedEpoch = message.epoch();
        member.masterPort = message.masterPort();
        member.cpuSeconds = message.cpuSeconds();
        member.batchSize = Math.max(member.batchSize, message.batchSize());
        member.answeredCommand = message.answeredEpoch();
        if (message.samples() >= 0 && message.epoch() == epoch) {
            slot.samples = message.samples();
            member.series.add(now - message.progressAgeSeconds(), (double) message.samples());
            restarts.progressed();
        }
        message.sizes()
                .ifPresent(sizes -> WorkerSizes.seen(member, sizes, size -> {
                    String by = driver.askedFor(member.id(), size) && profiler.phase() == ProfileRecord.Phase.PROFILING
                            ? "profiler"
                            : "scheduler";
                    double at = startedMs == 0 ? 0 : (double) (clock.wallMs() - startedMs) / 1e3;
                    resizes.add(member.id(), at, member.vcoresSeen, size, by, now, JobViews.series(gang.members()));
                    LOG.info("{} went from {} to {} vcores, by the {}", member.id(), member.vcoresSeen, size, by);
                }));
        WorkerSizes.complain(member, message.problems(), LOG);
        Directive directive = directive(member);
        return message.controlled() ? directive : directive.withSizes(Optional.of(member.sizes()));
    }

    @Override
    public synchronized Directive finished(FinishedMessage message) throws RefusedException {
        Member member = registered(message.containerId());
        Gang.Slot slot = gang.slotOf(member.id()).orElseThrow();
        if (phase == Phase.RUNNING && message.epoch() == epoch && member.gangEpoch == epoch && !member.done) {
            member.state = ReportMessage.State.ENDED;
            if (message.samples() >= 0) {
                slot.samples = message.samples();
                restarts.progressed();
            }
            if (message.exitCode() == 0) {
                member.done = true;
                if (gang.members().stream().allMatch(m -> m.done || m.gangEpoch != epoch)) {
                    end(new Outcome(true, ""));
                }
            } else {
                workerFailed(message, slot);
            }
        }
        return directive(member);
    }

    private void workerFailed(FinishedMessage message, Gang.Slot slot) {
        String what = "worker " + slot.index + " of group '"
                + spec.groups().get(slot.group).name() + "' ("
                + message.containerId() + ") ended with exit code " + message.exitCode() + " after "
                + Math.round(message.ranSeconds()) + " s";
        LOG.warn("{}; its stderr ends with:\n{}", what, String.join("\n", message.stderrTail()));
        boolean atOnce = message.ranSeconds() < RestartPolicy.AT_ONCE_SECONDS && !message.progressed();
        if (mayRestart(what, atOnce, message.stderrTail())) {
            form(what);
        }
    }

    /** Counts the failure against the job; ends the job where it may not go on. */
    private boolean mayRestart(String what, boolean atOnce, List<String> stderrTail) {
        Optional<String> reason = restarts.failed(atOnce);
        reason.ifPresent(r -> end(new Outcome(
                false,
                what + ": " + r
                        + (stderrTail.isEmpty() ? "" : "\nIts stderr ends with:\n" + String.join("\n", stderrTail)))));
        return reason.isEmpty();
    }

    /** Stops all workers; they start again when all of them wait for the new start. */
    private void form(String why) {
        epoch++;
        phase = Phase.FORMING;
        command = Optional.empty();
        reformAfterCommand = false;
        for (Gang.Slot slot : gang.slots()) {
            if (slot.member != null && slot.member.gone) {
                slot.member = null;
                rm.ask(slot.group, 1);
            }
        }
        for (Member member : gang.members()) {
            member.done = false;
            member.gangEpoch = 0;
            member.series.clear();
            member.samplesPerSecond = 0;
        }
        LOG.info("start {} is formed: {}", epoch, why);
        save();
    }

    /** Looks at what time brings; call it a few times a second. */
    synchronized void tick() {
        if (phase == Phase.ENDED) {
            return;
        }
        double now = clock.seconds();
        announce(now);
        loseTheSilent(now);
        obeyCommand();
        if (phase == Phase.GATHERING || phase == Phase.FORMING) {
            runWhenReady(now);
        }
        watch(now);
    }

    private void announce(double now) {
        if (now - announcedSeconds >= 2) {
            announcedSeconds = now;
            for (Member member : gang.members()) {
                if (!member.registered && member.runnerPort > 0) {
                    runners.announce(member.runnerHost, member.runnerPort);
                }
            }
        }
    }

    private void loseTheSilent(double now) {
        for (Member member : gang.members()) {
            if (member.gone) {
                continue;
            }
            double patience = member.registered ? settings.silenceSeconds() : settings.registerSeconds();
            if (now - member.lastCallSeconds > patience) {
                String what = member.registered ? "its runner has been silent for " : "its runner did not register in ";
                lost(new LostContainer(member.id(), 1, false, what + Math.round(patience) + " s"), true);
                if (phase == Phase.ENDED) {
                    return;
                }
            }
        }
    }

    private void obeyCommand() {
        if (command.isEmpty()) {
            return;
        }
        WorkerCommand current = command.get();
        boolean answered = gang.members().stream()
                .allMatch(m -> m.gangEpoch != epoch || m.done || m.answeredCommand >= current.epoch());
        if (answered || clock.wallMs() >= current.deadlineMs()) {
            command = Optional.empty();
            if (reformAfterCommand) {
                restarts.restartWithoutBlame();
                form("the job goes on with " + gang.members().size() + " workers");
            }
        }
    }

    private void command(WorkerCommand.Command what) {
        long wall = clock.wallMs();
        // The wall clock grows over restarts of the ApplicationMaster too.
        command = Optional.of(new WorkerCommand(wall, what, wall + Math.round(settings.commandSeconds() * 1e3)));
    }

    private void runWhenReady(double now) {
        boolean gathered = gang.complete() || (gang.enough() && now - lastGrantSeconds > settings.gatherSeconds());
        List<Member> members = gang.members();
        if (!gathered || !members.stream().allMatch(m -> m.readyFor(epoch))) {
            return;
        }
        masterAddress = members.get(0).runnerHost;
        masterPort = members.get(0).masterPort;
        members.forEach(m -> m.gangEpoch = epoch);
        phase = Phase.RUNNING;
        if (startedMs == 0) {
            startedMs = clock.wallMs();
        }
        LOG.info("start {}: {} workers, rank 0 at {}:{}", epoch, members.size(), masterAddress, masterPort);
        save();
    }

    private void watch(double now) {
        List<Member> members = gang.members();
        members.forEach(m -> m.samplesPerSecond = JobViews.speed(m.series, now));
        samplesPerSecond = members.stream().mapToDouble(m -> m.samplesPerSecond).sum();
        resizes.observe(now, JobViews.series(members));
        List<Member> profiled = gang.membersOf(profiledGroup);
        boolean running = phase == Phase.RUNNING
                && !knownProfileAwaited
                && profiled.stream().allMatch(m -> m.state == ReportMessage.State.RUNNING && !m.done);
        profiler.observe(new Observation(
                now,
                running,
                epoch,
                profiled.stream().mapToLong(m -> m.vcoresSeen).min().orElse(0),
                profiled.stream()
                        .mapToLong(m -> driver.originalOf(m.id()) > 0 ? driver.originalOf(m.id()) : m.vcoresSeen)
                        .min()
                        .orElse(0),
                driver.reached(profiled),
                profiled.stream().mapToLong(m -> m.memoryMiB).min().orElse(0),
                profiled.stream().map(m -> m.series).toList()));
        boolean asked = driver.drive(running ? profiler.wanted() : OptionalLong.empty(), profiled, now);
        boolean published = !knownProfileAwaited
                && publisher.profile(
                        profiler,
                        profiled.size(),
                        profiled.stream().mapToLong(m -> m.batchSize).max().orElse(0));
        if (asked || published) {
            save();
        }
        publisher.progress(samples(), samplesPerSecond, restarts.restarts(), note());
    }

    private Directive directive(Member member) {
        if (phase == Phase.ENDED) {
            return Directive.exit(epoch);
        }
        if (phase != Phase.RUNNING || member.gangEpoch != epoch) {
            return Directive.waitFor(epoch);
        }
        return Directive.run(epoch, views.assignment(gang, member, epoch, new Rendezvous(masterAddress, masterPort)))
                .withCommand(command);
    }

    private Member member(String containerId) throws RefusedException {
        Optional<Member> member = gang.slotOf(containerId).map(s -> s.member);
        if (member.isEmpty()) {
            throw new RefusedException(
                    RunnerProtocol.STATUS_GONE, "container " + containerId + " is none of this job's");
        }
        return member.get();
    }

    private Member registered(String containerId) throws RefusedException {
        Member member = member(containerId);
        if (!member.registered) {
            throw new RefusedException(RunnerProtocol.STATUS_REGISTER_FIRST, "register first");
        }
        return member;
    }

    private void end(Outcome how) {
        phase = Phase.ENDED;
        outcome = Optional.of(how);
        LOG.info("the job has ended: {}", how);
    }

    /** Ends the job from outside, for a reason that no restart can mend. */
    synchronized void fail(String diagnostics) {
        if (phase != Phase.ENDED) {
            end(new Outcome(false, diagnostics));
        }
    }

    synchronized Optional<Outcome> outcome() {
        return outcome;
    }

    private long samples() {
        return gang.slots().stream().mapToLong(s -> s.samples).sum();
    }

    /** Share of the samples that are done, 0 to 1; 0 where the total is unknown. */
    synchronized float progress() {
        return spec.totalSamples() > 0 ? Math.min(1f, (float) samples() / spec.totalSamples()) : 0;
    }

    private String note() {
        return switch (phase) {
            case GATHERING, FORMING ->
                gang.complete()
                        ? "starting " + gang.members().size() + " workers"
                        : "has " + gang.members().size() + " of " + gang.slots().size() + " containers";
            case RUNNING -> profiler.describe();
            case ENDED ->
                outcome.map(o -> o.succeeded()
                                ? "done"
                                : o.diagnostics().lines().findFirst().orElse(""))
                        .orElse("");
        };
    }

    private String state() {
        return switch (phase) {
            case GATHERING -> "gathering";
            case FORMING -> "starting";
            case RUNNING -> "running";
            case ENDED -> outcome.isPresent() && outcome.get().succeeded() ? "succeeded" : "failed";
        };
    }

    synchronized JobStatus status() {
        return views.status(
                gang,
                state(),
                samplesPerSecond,
                restarts.restarts(),
                startedMs,
                clock.wallMs(),
                resizes,
                profiler,
                note());
    }

    private void save() {
        store.save(new SavedState(
                epoch,
                phase == Phase.RUNNING,
                masterAddress,
                masterPort,
                restarts.restarts(),
                restarts.failures(),
                startedMs,
                JobViews.saved(gang, epoch, driver),
                publisher.published(),
                resizes.entries()));
    }
}
