// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.master;

import io.treadle.am.query.master.DeskFigures.WorkflowFigures;
import io.treadle.am.query.wire.Message.Answered;
import io.treadle.am.query.wire.Message.Tally;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What workers that are ingresses themselves have answered; of those that are gone the counts stay. Guarded by the {@link QueryDesk}. */
final class PeerTallies {
    private record Counts(long answered, long failed, long late) {
        private Counts plus(Tally tally) {
            return new Counts(answered + tally.answered(), failed + tally.failed(), late + tally.late());
        }
    }

    private static final Counts NONE = new Counts(0, 0, 0);

    /** By worker. */
    private final Map<Integer, Answered> told = new HashMap<>();
    /** By workflow. */
    private final Map<String, Counts> gone = new HashMap<>();

    void told(int worker, Answered answered) {
        told.put(worker, answered);
    }

    void gone(int worker) {
        Answered last = told.remove(worker);
        if (last != null) {
            for (Tally tally : last.workflows()) {
                gone.merge(tally.workflow(), NONE.plus(tally), (all, one) -> all.plus(tally));
            }
        }
    }

    /** Queries on their way. */
    int active() {
        return told.values().stream().mapToInt(Answered::active).sum();
    }

    /** A workflow's figures with theirs. */
    WorkflowFigures with(WorkflowFigures own) {
        Counts counts = gone.getOrDefault(own.name(), NONE);
        List<Double> latencies = new ArrayList<>(own.latenciesMs());
        for (Answered each : told.values()) {
            for (Tally tally : each.workflows()) {
                if (tally.workflow().equals(own.name())) {
                    counts = counts.plus(tally);
                    latencies.addAll(tally.latenciesMs());
                }
            }
        }
        return new WorkflowFigures(
                own.name(),
                own.answered() + counts.answered(),
                own.failed() + counts.failed(),
                own.late() + counts.late(),
                latencies,
                own.tasks());
    }
}
