// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import io.treadle.am.profile.BatchAnswer;
import io.treadle.core.wire.WorkerCommand;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Has the workers train with batches that the profiler wants, by commands to all of them. Guarded by the {@link JobMaster}. */
final class BatchDriver {
    private final JobClock clock;
    private final CommandNumbers numbers;
    private final double patienceSeconds;
    private Optional<WorkerCommand> command = Optional.empty();
    private BatchAnswer answer = BatchAnswer.OBEYED;
    /** The gang's start that the command is for. */
    private int start;
    /** Whether workers may train with another batch than their own. */
    private boolean mayBeOther;
    /** Whether a command of another kind has hidden this one before all had answered it. */
    private boolean hidden;

    /** @param patienceSeconds how long workers may take to obey */
    BatchDriver(JobClock clock, CommandNumbers numbers, double patienceSeconds) {
        this.clock = clock;
        this.numbers = numbers;
        this.patienceSeconds = patienceSeconds;
    }

    /** An earlier ApplicationMaster may have given a command. */
    void restored() {
        mayBeOther = true;
    }

    /**
     * @param wanted samples of each worker's pass, 0 for as many as it takes by itself; empty where that is not to say
     * @param newStart of the gang: each begins with the workers' own batches
     * @param otherCommand whether workers are asked for something else: that goes first
     */
    void drive(OptionalLong wanted, List<Member> members, int newStart, boolean otherCommand) {
        if (newStart != start) {
            mayBeOther &= start == 0;
            start = newStart;
            command = Optional.empty();
            hidden = false;
        }
        boolean able = members.stream().allMatch(m -> m.passes > 0);
        mayBeOther &= able || wanted.isEmpty();
        // They were asked for their own and did not answer: nobody asks for anything else any more.
        mayBeOther &= !(wanted.isEmpty() && answer == BatchAnswer.IGNORED);
        if (wanted.isEmpty() || !able || (wanted.getAsLong() == 0 && !mayBeOther)) {
            command = Optional.empty();
            answer = wanted.orElse(0) == 0 ? BatchAnswer.OBEYED : BatchAnswer.IGNORED;
        } else {
            ask(wanted.getAsLong(), members, otherCommand);
        }
        members.forEach(m -> m.triesBatch = mayBeOther);
    }

    private void ask(long size, List<Member> members, boolean otherCommand) {
        boolean asked = command.filter(c -> c.batchSize() == size).isPresent();
        if (!asked || hidden) {
            answer = BatchAnswer.AWAITED;
            if (!otherCommand) {
                long deadlineMs = clock.wallMs() + Math.round(patienceSeconds * 1e3);
                command = Optional.of(
                        new WorkerCommand(numbers.next(members), WorkerCommand.Command.BATCH, deadlineMs, size));
                mayBeOther = true;
                hidden = false;
            }
        } else if (answer == BatchAnswer.AWAITED) {
            hidden = otherCommand;
            answer = answer(command.orElseThrow(), members);
            mayBeOther = size > 0 || answer != BatchAnswer.OBEYED;
        }
    }

    private BatchAnswer answer(WorkerCommand given, List<Member> members) {
        if (members.stream().anyMatch(m -> m.answeredCommand >= given.epoch() && !m.refused.isEmpty())) {
            return BatchAnswer.REFUSED;
        }
        // An answer alone is not enough: to some workers every command is one for a checkpoint.
        boolean obeyed = members.stream()
                .allMatch(m -> m.answeredCommand >= given.epoch()
                        && (given.batchSize() == 0 || m.batchSize == given.batchSize()));
        if (obeyed) {
            return BatchAnswer.OBEYED;
        }
        return clock.wallMs() < given.deadlineMs() ? BatchAnswer.AWAITED : BatchAnswer.IGNORED;
    }

    /** Whether workers may have another batch than their own. */
    boolean mayBeOther() {
        return mayBeOther;
    }

    /** What came of the last wish. */
    BatchAnswer answer() {
        return answer;
    }

    /** The command that workers are to find where there is no other. */
    Optional<WorkerCommand> command() {
        return command;
    }
}
