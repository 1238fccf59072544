// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import io.treadle.am.process.Outcome;
import io.treadle.am.protocol.Directive;
import io.treadle.am.protocol.FinishedMessage;
import io.treadle.am.protocol.RegisterMessage;
import io.treadle.am.protocol.ReportMessage;
import io.treadle.am.spec.JobSpec;
import io.treadle.am.web.JobStatus;
import io.treadle.am.web.RunnerCalls;
import io.treadle.am.yarn.ContainerEvents;
import io.treadle.am.yarn.GrantedContainer;
import io.treadle.am.yarn.LostContainer;
import io.treadle.am.yarn.NmGateway;
import io.treadle.am.yarn.RmGateway;
import io.treadle.core.wire.MemoryRecord;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.WorkerCommand;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The job's state machine. It gathers the gang's containers, forms the gang (every runner waits for the same start, so
 * that rank 0's port is known), runs it, forms it anew after a loss, and ends. Runners ask and are told what should be
 * so; nothing is pushed. Events come from any thread; no call blocks.
 */
final class JobMaster implements RunnerCalls, ContainerEvents {
    private static final Logger LOG = LoggerFactory.getLogger(JobMaster.class);

    private final MasterSettings settings;
    private final JobClock clock;
    private final RmGateway rm;
    private final NmGateway nm;
    private final RunnerWatch runnerWatch;
    private final StateStore store;
    private final Gang gang;
    private final RestartPolicy restarts;
    private final Failures failures;
    private final JobPublisher publisher;
    private final JobViews views;
    private final SpeedWatch watch;
    private final CommandNumbers numbers;
    private final CommandDesk commands;
    private final Preemption preemption;
    private final Turnover turnover;

    private final Course course = new Course();
    private double lastGrantSeconds;

    JobMaster(JobIdentity identity, JobSpec spec, MasterSettings settings, JobClock clock, Outside outside) {
        this.settings = settings;
        this.clock = clock;
        this.rm = outside.rm();
        this.nm = outside.nm();
        this.runnerWatch = new RunnerWatch(outside.runners(), clock, settings);
        this.store = outside.store();
        this.gang = new Gang(spec.groups());
        this.restarts = new RestartPolicy(spec.maxRestarts());
        this.publisher = new JobPublisher(outside.node(), identity, spec, clock);
        this.views = new JobViews(identity, spec);
        this.numbers = new CommandNumbers(clock);
        this.watch = SpeedWatch.of(clock, numbers, publisher, spec, settings, rm);
        this.failures = new Failures(spec, gang, restarts, watch);
        this.commands = new CommandDesk(clock, numbers, settings.commandSeconds());
        this.turnover = new Turnover(spec.groups(), gang, rm, clock, numbers, settings.commandSeconds());
        this.preemption = new Preemption(gang, commands, turnover, rm);
    }

    /** Begins, or goes on where an earlier ApplicationMaster was, with the containers that are left of it. */
    synchronized void start(Optional<SavedState> saved, List<GrantedContainer> inherited) {
        Map<String, GrantedContainer> left = new HashMap<>();
        inherited.forEach(c -> left.put(c.id(), c));
        boolean lost = saved.isPresent() && restore(saved.get(), left);
        left.keySet().forEach(container -> {
            LOG.info("container {} of an earlier attempt cannot be found, released", container);
            rm.release(container);
        });
        if (course.isOver()) {
            return;
        }
        if (!gang.isEnding()) {
            gang.missing().forEach(rm::ask);
        }
        if (lost) {
            form("containers were lost while no ApplicationMaster ran");
        }
        save();
    }

    private boolean restore(SavedState saved, Map<String, GrantedContainer> left) {
        course.restore(saved);
        restarts.restore(saved.restarts(), saved.failures());
        watch.restore(saved);
        numbers.restore(saved.lastCommand());
        boolean lost = gang.restore(saved, left, clock.seconds());
        turnover.restore(saved);
        LOG.info(
                "going on at start {} with {} containers",
                course.epoch(),
                gang.members().size());
        return lost;
    }

    @Override
    public synchronized void onGranted(List<GrantedContainer> containers) {
        for (GrantedContainer container : containers) {
            Optional<Gang.Slot> slot = gang.freeSlot(container.requestId());
            if (slot.isEmpty() || course.isOver()) {
                LOG.info("container {} is not needed, released", container.id());
                rm.release(container.id());
                continue;
            }
            slot.get().member = new Member(container, clock.seconds());
            lastGrantSeconds = clock.seconds();
            LOG.info("{} for place {}", container, slot.get().index);
            nm.start(container);
        }
        save();
    }

    synchronized boolean hasContainers() {
        return !gang.members().isEmpty();
    }

    @Override
    public synchronized boolean owns(String containerId) {
        return gang.slotOf(containerId)
                .filter(slot -> slot.member != null && !slot.member.gone)
                .isPresent();
    }

    synchronized void onStartFailed(String containerId, String cause) {
        boolean waiting = !course.isOver() && gang.slotOf(containerId).isPresent();
        lost(LostContainer.notStarted(containerId, waiting && !runnerWatch.mayBlame(), cause), true);
    }

    @Override
    public synchronized void onLost(List<LostContainer> containers) {
        containers.forEach(c -> lost(c, false));
    }

    private void lost(LostContainer container, boolean release) {
        Optional<Gang.Slot> slot = gang.slotOf(container.id());
        Member member = slot.isEmpty() ? null : slot.get().member;
        if (member == null || course.isOver()) {
            return;
        }
        if (release) {
            rm.release(container.id());
        }
        if (member.done) {
            // Its worker has done its part; the container is missed only if the gang starts again.
            member.gone = true;
            return;
        }
        boolean tooLate = turnover.cameTooLate(member);
        boolean inGang = isInGang(member) && !Turnover.hasLeft(member) && !Turnover.hasJustCome(member);
        slot.get().member = null;
        if (tooLate) {
            endWhenDone();
            save();
            return;
        }
        rm.ask(slot.get().group, 1);
        goOn(failures.lost(container, member, inGang), inGang && course.runs());
        save();
    }

    /** The size of a container has changed, by whatever hand. */
    @Override
    public synchronized void onResized(String containerId, long vcores, long memoryMiB, int version) {
        gang.slotOf(containerId).map(s -> s.member).ifPresent(m -> m.resized(vcores, memoryMiB, version));
    }

    /** The ResourceManager is about to take containers. */
    @Override
    public synchronized void onPreemptionMessage(Set<String> containers) {
        if (course.runs()) {
            preemption.wants(containers, course.epoch());
            save();
        }
    }

    synchronized void onKnownProfile(Optional<ProfileRecord> known) {
        watch.onKnownProfile(known);
    }

    /** The scheduler wants memory back, or lets the containers use all that they have again. */
    synchronized void onMemoryWanted(MemoryRecord wanted) {
        MemoryDesk.wanted(gang.members(), wanted, clock.seconds());
    }

    /** Whether its workers keep data in memory, of which some can be wanted back. */
    synchronized boolean readsData() {
        return gang.members().stream().anyMatch(m -> m.data.isPresent());
    }

    @Override
    public synchronized Directive register(RegisterMessage message) throws RefusedException {
        Member member = gang.member(message.containerId());
        member.registered = true;
        member.runnerHost = message.host();
        member.runnerPort = message.port();
        member.lastCallSeconds = clock.seconds();
        save();
        return directive(member);
    }

    @Override
    public synchronized Directive report(ReportMessage message) throws RefusedException {
        Member member = gang.registered(message.containerId());
        Gang.Slot slot = gang.slotOf(member.id()).orElseThrow();
        double now = clock.seconds();
        WorkerReports.take(member, message, now);
        formIfUnknown(message.state(), message.epoch());
        if (course.runs() && message.epoch() == course.epoch() && message.state() != ReportMessage.State.WAITING) {
            turnover.adopt(slot, course.epoch());
        }
        if (message.samples() >= 0 && message.epoch() == course.epoch()) {
            slot.samples = message.samples();
            WorkerReports.progress(member, message, now);
            restarts.progressed();
        }
        message.sizes()
                .ifPresent(sizes -> WorkerReports.seen(
                        member,
                        sizes,
                        vcores -> watch.resized(gang, member, vcores, course.startedMs()),
                        memory -> watch.resizedMemory(gang, member, memory, course.startedMs())));
        Directive directive = directive(member);
        return message.controlled() ? directive : directive.withSizes(Optional.of(member.sizes()));
    }

    @Override
    public synchronized Directive finished(FinishedMessage message) throws RefusedException {
        Member member = gang.registered(message.containerId());
        Gang.Slot slot = gang.slotOf(member.id()).orElseThrow();
        formIfUnknown(ReportMessage.State.ENDED, message.epoch());
        if (course.runs() && message.epoch() == course.epoch() && isInGang(member) && !member.done) {
            member.state = ReportMessage.State.ENDED;
            if (message.samples() >= 0) {
                slot.samples = message.samples();
                restarts.progressed();
            }
            if (message.stopAsked()) {
                if (member.leave.isEmpty()) {
                    stopped();
                }
            } else if (message.exitCode() == 0 || (turnover.cameTooLate(member) && !message.progressed())) {
                member.done = true;
                // What would come now would find the work done.
                rm.askNoMore();
                endWhenDone();
                save();
            } else {
                goOn(failures.failed(message, member, slot), true);
            }
        }
        return directive(member);
    }

    private void endWhenDone() {
        if (gang.isDone(course.epoch())) {
            end(new Outcome(true, ""));
        }
    }

    /** A worker has ended as it was told to, or because another did: the gang goes on when all of it has. */
    private void stopped() {
        if (!commands.asks(WorkerCommand.Command.STOP)) {
            // An earlier ApplicationMaster gave the command.
            formWithoutBlame("workers were asked to stop");
        }
    }

    /**
     * A runner may have heard more of an earlier ApplicationMaster than that could store. It follows no older start, so
     * the gang starts anew.
     */
    private void formIfUnknown(ReportMessage.State state, int reportedEpoch) {
        if (course.isBehind(state, reportedEpoch)) {
            course.catchUp(reportedEpoch);
            formWithoutBlame("a runner knows start " + reportedEpoch + ", which was not stored");
        }
    }

    /** @param stopsAll whether all workers have to start again after it */
    private void goOn(Failures.Verdict after, boolean stopsAll) {
        if (after.end().isPresent()) {
            end(after.end().get());
        } else if (stopsAll) {
            form(after.what());
        }
    }

    private void formWithoutBlame(String why) {
        restarts.restartWithoutBlame(true);
        form(why);
    }

    /** Stops all workers; they start again when all of them wait for the new start. */
    private void form(String why) {
        course.form();
        commands.clear();
        preemption.clear();
        turnover.letGo();
        boolean ending = gang.isEnding();
        List<Integer> missed = gang.startOver();
        if (ending) {
            rm.askNoMore();
            gang.missing().forEach(rm::ask);
        } else {
            missed.forEach(group -> rm.ask(group, 1));
        }
        LOG.info("start {} is formed: {}", course.epoch(), why);
        save();
    }

    /** Looks at what time brings; call it a few times a second. */
    synchronized void tick() {
        if (course.isOver()) {
            return;
        }
        double now = clock.seconds();
        runnerWatch.announce(gang.members());
        runnerWatch.silent(gang.members()).forEach(silent -> lost(silent, true));
        reformWhenObeyed();
        turnOver();
        // Workers train on until those that join them are there.
        if (course.runs() && commands.current().isEmpty() && gang.isJoined(course.epoch())) {
            commands.give(WorkerCommand.Command.RESCALE, gang.members());
        }
        if (course.isForming()) {
            runWhenReady(now);
        }
        boolean isAsked = commands.current().isPresent();
        boolean changed = watch.observe(gang, course.runs(), course.epoch(), isAsked);
        if (numbers.takeNews() || changed) {
            save();
        }
        publisher.memory(MemoryDesk.given(gang.members()));
        publisher.progress(
                gang.samples(),
                watch.samplesPerSecond(),
                restarts.restarts(),
                JobViews.note(gang, course, watch, rm.refusal()));
    }

    /** Tasks that come and go while the others train. */
    private void turnOver() {
        if (!course.runs()) {
            return;
        }
        Optional<String> late = turnover.takeLeft();
        if (late.isPresent()) {
            formWithoutBlame(late.get());
        } else if (turnover.comeAndGo(commands.current().isEmpty(), course.epoch())) {
            endWhenDone();
            save();
        }
    }

    private void reformWhenObeyed() {
        Optional<WorkerCommand.Command> obeyed = commands.takeObeyed(gang.members(), course.epoch());
        if (obeyed.isEmpty()) {
            return;
        }
        switch (obeyed.get()) {
            case RESCALE ->
                formWithoutBlame("the job goes on with " + gang.members().size() + " workers");
            case STOP -> formWithoutBlame(preemption.giveBack());
            case CHECKPOINT, BATCH -> {}
        }
    }

    private void runWhenReady(double now) {
        boolean gathered = gang.complete() || (gang.enough() && now - lastGrantSeconds > settings.gatherSeconds());
        List<Member> members = gang.members();
        int epoch = course.epoch();
        if (!gathered || !members.stream().allMatch(m -> m.readyFor(epoch))) {
            return;
        }
        members.forEach(m -> m.joinStart(epoch));
        gang.countByRank();
        course.run(new Rendezvous(members.get(0).runnerHost, members.get(0).masterPort), clock.wallMs());
        LOG.info("start {}: {} workers, {}", epoch, members.size(), course.rendezvous());
        save();
    }

    private Directive directive(Member member) {
        int epoch = course.epoch();
        if (course.isOver()) {
            return Directive.exit(epoch);
        }
        if (!course.runs() || !isInGang(member) || !gang.isReachedBy(member, epoch)) {
            return Directive.waitFor(epoch);
        }
        return Directive.run(epoch, views.assignment(gang, member, course))
                .withCommand(member.leave.or(commands::current).or(watch::command))
                .withMemory(MemoryDesk.limit(member));
    }

    /** Whether it belongs to the start that runs. */
    private boolean isInGang(Member member) {
        return member.gangEpoch == course.epoch();
    }

    private void end(Outcome how) {
        course.end(how);
        LOG.info("the job has ended: {}", how);
        save();
    }

    synchronized Optional<Outcome> outcome() {
        return course.outcome();
    }

    /** Share of the samples that are done, 0 to 1; 0 where the total is unknown. */
    @Override
    public synchronized float progress() {
        return views.progress(gang);
    }

    synchronized JobStatus status() {
        return views.status(gang, course, watch, restarts.restarts(), rm.refusal(), clock.wallMs());
    }

    private void save() {
        store.save(JobViews.saved(gang, course, restarts, publisher, watch, numbers));
    }
}
