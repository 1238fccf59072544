// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import io.treadle.am.protocol.ReportMessage;
import io.treadle.core.wire.WorkerCommand;
import java.util.List;
import java.util.Optional;

/** The command that the gang's workers are asked to obey, one at a time. Guarded by the {@link JobMaster}. */
final class CommandDesk {
    private final JobClock clock;
    private final CommandNumbers numbers;
    private final double patienceSeconds;
    private Optional<WorkerCommand> current = Optional.empty();

    CommandDesk(JobClock clock, CommandNumbers numbers, double patienceSeconds) {
        this.clock = clock;
        this.numbers = numbers;
        this.patienceSeconds = patienceSeconds;
    }

    void give(WorkerCommand.Command what, List<Member> members) {
        long deadlineMs = clock.wallMs() + Math.round(patienceSeconds * 1e3);
        current = Optional.of(new WorkerCommand(numbers.next(members), what, deadlineMs));
    }

    boolean asks(WorkerCommand.Command what) {
        return current.isPresent() && current.get().command() == what;
    }

    Optional<WorkerCommand> current() {
        return current;
    }

    void clear() {
        current = Optional.empty();
    }

    /** The command that all members of the start have just obeyed, or that none is waited for any more. */
    Optional<WorkerCommand.Command> takeObeyed(List<Member> members, int epoch) {
        if (current.isEmpty()) {
            return Optional.empty();
        }
        WorkerCommand command = current.get();
        boolean answered = members.stream()
                .allMatch(m -> m.gangEpoch != epoch
                        || m.state == ReportMessage.State.ENDED
                        || m.answeredCommand >= command.epoch());
        if (!answered && clock.wallMs() < command.deadlineMs()) {
            return Optional.empty();
        }
        clear();
        return Optional.of(command.command());
    }
}
