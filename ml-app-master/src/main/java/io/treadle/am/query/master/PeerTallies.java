// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.master;

import io.treadle.am.query.master.DeskFigures.WorkflowFigures;
import io.treadle.am.query.wire.Message.Answered;
import io.treadle.am.query.wire.Message.Tally;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What workers that are ingresses themselves have answered, by their addresses: one that is connected again goes on with its own
 * counts, and of those that are gone they stay. Guarded by the {@link QueryDesk}.
 */
final class PeerTallies {
    private final Map<String, Answered> told = new LinkedHashMap<>();

    void told(String address, Answered answered) {
        told.put(address, answered);
    }

    void gone(String address) {
        told.computeIfPresent(
                address,
                (same, last) -> new Answered(
                        0,
                        last.workflows().stream()
                                .map(each -> new Tally(
                                        each.workflow(), each.answered(), each.failed(), each.late(), List.of()))
                                .toList()));
    }

    /** Queries on their way. */
    int active() {
        return told.values().stream().mapToInt(Answered::active).sum();
    }

    /** A workflow's figures with theirs. */
    WorkflowFigures with(WorkflowFigures own) {
        long answered = own.answered();
        long failed = own.failed();
        long late = own.late();
        List<Double> latencies = new ArrayList<>(own.latenciesMs());
        for (Answered each : told.values()) {
            for (Tally tally : each.workflows()) {
                if (tally.workflow().equals(own.name())) {
                    answered += tally.answered();
                    failed += tally.failed();
                    late += tally.late();
                    latencies.addAll(tally.latenciesMs());
                }
            }
        }
        return new WorkflowFigures(own.name(), answered, failed, late, latencies, own.tasks());
    }
}
