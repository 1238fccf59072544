// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import io.treadle.am.process.ExpiredToken;
import io.treadle.am.process.Outcome;
import io.treadle.am.protocol.FinishedMessage;
import io.treadle.am.spec.JobSpec;
import io.treadle.am.yarn.LostContainer;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a job goes on after a worker has failed or a container was lost. What fails together is one failure: the workers of
 * one start die of each other, and containers that were launched together fail alike. Guarded by the {@link JobMaster}.
 */
final class Failures {
    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

    private final JobSpec spec;
    private final Gang gang;
    private final RestartPolicy restarts;
    private final SpeedWatch watch;

    /**
     * @param what has happened, for people
     * @param end how the job ends by it; empty where it goes on
     */
    record Verdict(String what, Optional<Outcome> end) {}

    Failures(JobSpec spec, Gang gang, RestartPolicy restarts, SpeedWatch watch) {
        this.spec = spec;
        this.gang = gang;
        this.restarts = restarts;
        this.watch = watch;
    }

    /** @param missed whether it belonged to the start that runs */
    Verdict lost(LostContainer container, Member member, boolean missed) {
        String what = container.describe();
        LOG.warn("{}", what);
        if (ExpiredToken.isNamedBy(container.diagnostics())) {
            // The next containers would fail alike, all of them within a second.
            return new Verdict(what, Optional.of(Outcome.failure(what + ".\n" + ExpiredToken.ADVICE, List.of())));
        }
        // YARN may report the containers of one start in several heartbeats.
        if (container.blameless() || member.failureJudged) {
            return goOn(what, missed);
        }
        // The loss of a member that has left, or that the others have not met yet, says nothing of the others.
        if (missed || member.gangEpoch == 0) {
            judge(member);
        }
        return missed && watch.wasTried() ? goOn(what, true) : blame(what, false, List.of());
    }

    /** @param slot the member's place */
    Verdict failed(FinishedMessage message, Member member, Gang.Slot slot) {
        String what = WorkerReports.describe(
                message, slot.index, spec.groups().get(slot.group).name());
        LOG.warn("{}; its stderr ends with:\n{}", what, String.join("\n", message.stderrTail()));
        judge(member);
        if (member.triesBatch) {
            return goOn(what + ", when it was asked for another batch size", true);
        }
        if (watch.wasTried()) {
            return goOn(what + ", with numbers of workers and servers that were tried", true);
        }
        boolean atOnce = message.ranSeconds() < RestartPolicy.AT_ONCE_SECONDS && !message.progressed();
        return blame(what, atOnce, message.stderrTail());
    }

    /**
     * The losses of other members of the same start belong to the same failure, until they are part of another start. The same
     * holds for members that wait for a start.
     */
    private void judge(Member failed) {
        failed.failureJudged = true;
        gang.members().stream()
                .filter(member -> member.gangEpoch == failed.gangEpoch)
                .forEach(member -> member.failureJudged = true);
    }

    private Verdict goOn(String what, boolean started) {
        restarts.restartWithoutBlame(started);
        return new Verdict(what, Optional.empty());
    }

    /** Counts the failure against the job. */
    private Verdict blame(String what, boolean atOnce, List<String> stderrTail) {
        return new Verdict(
                what, restarts.failed(atOnce).map(reason -> Outcome.failure(what + ": " + reason, stderrTail)));
    }
}
