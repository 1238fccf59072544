// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import io.treadle.am.protocol.ReportMessage;
import io.treadle.am.spec.JobSpec;
import io.treadle.am.yarn.RmGateway;
import io.treadle.core.wire.WorkerCommand;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tasks of groups that say {@code joins} come to a start that runs, and leave it, while the others train on. Guarded by the
 * {@link JobMaster}.
 */
final class Turnover {
    private static final Logger LOG = LoggerFactory.getLogger(Turnover.class);

    private final List<JobSpec.TaskGroup> groups;
    private final Gang gang;
    private final RmGateway rm;
    private final JobClock clock;
    private final CommandNumbers numbers;
    private final double patienceSeconds;
    private boolean left;

    /** @param patienceSeconds how long a task may take to leave */
    Turnover(
            List<JobSpec.TaskGroup> groups,
            Gang gang,
            RmGateway rm,
            JobClock clock,
            CommandNumbers numbers,
            double patienceSeconds) {
        this.groups = List.copyOf(groups);
        this.gang = gang;
        this.rm = rm;
        this.clock = clock;
        this.numbers = numbers;
        this.patienceSeconds = patienceSeconds;
    }

    /**
     * Who may join the start that runs, and is ready, does so.
     *
     * @param mayJoin whether nothing else is just asked of those who run
     * @return whether anybody has come, or has left since the last call
     */
    boolean comeAndGo(boolean mayJoin, int epoch) {
        boolean changed = left;
        left = false;
        return (mayJoin && !gang.isEnding() && join(epoch)) || changed;
    }

    private boolean join(int epoch) {
        boolean starting = gang.members().stream()
                .anyMatch(m -> m.gangEpoch == epoch && !m.done && m.state == ReportMessage.State.WAITING);
        if (starting) {
            // All of a start are told of the same others.
            return false;
        }
        boolean joined = false;
        for (Gang.Slot slot : gang.slots()) {
            Member member = slot.member;
            boolean comes = member != null && groups.get(slot.group).joins() && member.gangEpoch != epoch;
            if (member != null && comes && member.readyFor(epoch)) {
                member.joinStart(epoch);
                member.joinedAfter = slot.samples;
                joined = true;
                LOG.info("{} joins start {} as rank {}", member.id(), epoch, gang.rank(slot));
            }
        }
        return joined;
    }

    /** Whether all that train without these containers can go on. */
    boolean mayLeave(Collection<String> containers, int epoch) {
        for (String container : containers) {
            Optional<Gang.Slot> slot = gang.slotOf(container);
            if (slot.isPresent() && !groups.get(slot.get().group).joins()) {
                return false;
            }
        }
        for (int group = 0; group < groups.size(); group++) {
            long stay = gang.startedOf(group, epoch).stream()
                    .filter(m -> trains(m) && m.leave.isEmpty() && !containers.contains(m.id()))
                    .count();
            if (groups.get(group).joins() && stay < groups.get(group).min()) {
                return false;
            }
        }
        return true;
    }

    /** Whether others can leave the work to it: who has only just come may not have found them yet. */
    private static boolean trains(Member member) {
        return !member.done && (member.joinedAfter < 0 || !member.series.isEmpty());
    }

    /** Asks the workers of these containers to leave; those that do not train are given back at once. */
    void leave(Collection<String> containers, int epoch) {
        long deadlineMs = clock.wallMs() + Math.round(patienceSeconds * 1e3);
        for (String container : containers) {
            Optional<Gang.Slot> slot = gang.slotOf(container);
            Member member = slot.isEmpty() ? null : slot.get().member;
            if (member == null || member.done || member.leave.isPresent()) {
                continue;
            }
            if (member.gangEpoch == epoch) {
                member.leave = Optional.of(
                        new WorkerCommand(numbers.next(gang.members()), WorkerCommand.Command.STOP, deadlineMs));
                LOG.info("the ResourceManager wants {} back: its worker is asked to leave", container);
            } else {
                giveBack(slot.get(), member);
            }
        }
    }

    /** Gives back what has left. Returns who has not in time, for people; then the others cannot go on without a new start. */
    Optional<String> takeLeft() {
        List<String> late = new ArrayList<>();
        for (Gang.Slot slot : gang.slots()) {
            Member member = slot.member;
            if (member == null || member.leave.isEmpty() || member.done) {
                continue;
            }
            if (hasLeft(member)) {
                giveBack(slot, member);
            } else if (!gang.isEnding() && clock.wallMs() >= member.leave.get().deadlineMs()) {
                giveBack(slot, member);
                late.add(member.id());
            }
        }
        return late.isEmpty() ? Optional.empty() : Optional.of(late + " did not leave when asked to");
    }

    /** All are to start again: those that were leaving are gone before that. */
    void letGo() {
        for (Gang.Slot slot : gang.slots()) {
            Member member = slot.member;
            if (member != null && member.leave.isPresent() && !member.done) {
                giveBack(slot, member);
            }
        }
    }

    /** Of those that an earlier ApplicationMaster had asked to leave. */
    void restore(SavedState saved) {
        List<String> leaving = saved.slots().stream()
                .filter(SavedState.Slot::leaving)
                .map(SavedState.Slot::containerId)
                .toList();
        leave(leaving, saved.epoch());
    }

    /** An earlier ApplicationMaster let it join the start that runs, and could not store that. */
    void adopt(Gang.Slot slot, int epoch) {
        Member member = slot.member;
        if (member != null && groups.get(slot.group).joins() && member.gangEpoch != epoch) {
            member.joinStart(epoch);
            member.joinedAfter = slot.samples;
        }
    }

    /** Whether it joined others who were just ending, and found nobody. */
    boolean cameTooLate(Member member) {
        return gang.isEnding() && hasJustCome(member);
    }

    /** Whether nobody has met it yet. */
    static boolean hasJustCome(Member member) {
        return member.joinedAfter >= 0 && member.series.isEmpty();
    }

    /** Whether it has ended as it was asked to, so that nobody misses it. */
    static boolean hasLeft(Member member) {
        return member.leave.isPresent() && member.state == ReportMessage.State.ENDED;
    }

    private void giveBack(Gang.Slot slot, Member member) {
        slot.member = null;
        left = true;
        rm.release(member.id());
        if (!gang.isEnding()) {
            rm.ask(slot.group, 1);
        }
    }
}
