// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import io.treadle.am.process.Outcome;
import io.treadle.am.protocol.ReportMessage;
import java.util.Optional;

/** How far the job is: which start of the gang it is at, and how it ended. Guarded by the {@link JobMaster}. */
final class Course {
    private JobPhase phase = JobPhase.GATHERING;
    private int epoch = 1;
    private Rendezvous rendezvous = new Rendezvous("", 0);
    private long startedMs;
    private Optional<Outcome> outcome = Optional.empty();

    /** Goes on where an earlier ApplicationMaster was. */
    void restore(SavedState saved) {
        epoch = saved.epoch();
        rendezvous = new Rendezvous(saved.masterAddress(), saved.masterPort());
        startedMs = saved.startedMs();
        outcome = saved.outcome();
        phase = outcome.isPresent()
                ? JobPhase.ENDED
                : saved.running() ? JobPhase.RUNNING : startedMs > 0 ? JobPhase.FORMING : JobPhase.GATHERING;
    }

    JobPhase phase() {
        return phase;
    }

    boolean runs() {
        return phase == JobPhase.RUNNING;
    }

    boolean isOver() {
        return phase == JobPhase.ENDED;
    }

    /** Whether workers are not running yet, or not again. */
    boolean isForming() {
        return phase == JobPhase.GATHERING || phase == JobPhase.FORMING;
    }

    /** Number of the start that is being formed, or runs. */
    int epoch() {
        return epoch;
    }

    /** Where the workers of this start meet. */
    Rendezvous rendezvous() {
        return rendezvous;
    }

    /** Wall-clock time of the first start, ms since the epoch; 0 before it. */
    long startedMs() {
        return startedMs;
    }

    /** Empty until the end. */
    Optional<Outcome> outcome() {
        return outcome;
    }

    /** Whether a runner has heard more of an earlier ApplicationMaster than that could store. */
    boolean isBehind(ReportMessage.State state, int reportedEpoch) {
        boolean notYetGiven = isForming() && reportedEpoch == epoch && state != ReportMessage.State.WAITING;
        return !isOver() && (reportedEpoch > epoch || notYetGiven);
    }

    /** Runners know this start already: the next one is after it. */
    void catchUp(int reportedEpoch) {
        epoch = reportedEpoch;
    }

    void form() {
        epoch++;
        phase = JobPhase.FORMING;
    }

    void run(Rendezvous where, long nowMs) {
        rendezvous = where;
        phase = JobPhase.RUNNING;
        startedMs = startedMs == 0 ? nowMs : startedMs;
    }

    void end(Outcome how) {
        phase = JobPhase.ENDED;
        outcome = Optional.of(how);
    }
}
