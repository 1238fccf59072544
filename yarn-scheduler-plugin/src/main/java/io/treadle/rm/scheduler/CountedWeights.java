// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.explain.Reason;
import io.treadle.core.job.JobView;
import io.treadle.core.plan.Decision;
import io.treadle.rm.conf.QueueSettings;
import io.treadle.rm.gang.Gang;
import java.math.BigDecimal;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Tells a job that is not admitted that it counts for less than it says. */
final class CountedWeights {
    private final Map<String, Double> counted;

    CountedWeights(Snapshot snapshot) {
        counted = snapshot.jobs().stream()
                .collect(Collectors.toMap(
                        JobView::id, job -> job.sizing().utility().weight(), (one, other) -> one));
    }

    /** What is added to the reason; empty where there is nothing to say. */
    String note(Gang gang, Decision decision) {
        OptionalDouble said = gang.spec().sizing().weight();
        double counts = counted.getOrDefault(decision.jobId(), Double.POSITIVE_INFINITY);
        boolean isLess = said.isPresent() && counts < said.getAsDouble();
        return isLess && decision.reason() instanceof Reason.NotAdmitted
                ? "; its weight of " + text(said.getAsDouble()) + " counts as " + text(counts) + ", the most in queue "
                        + gang.queue() + " (" + QueueSettings.MOST_WEIGHT + ")"
                : "";
    }

    private static String text(double weight) {
        return BigDecimal.valueOf(weight).stripTrailingZeros().toPlainString();
    }
}
