// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import io.treadle.core.job.JobView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.model.SensitivityMatrix;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;

/**
 * Waiting jobs in their order, but of the first few the one that fits best goes first, if it came at most a quarter of an
 * hour after the first and needs no fewer GPUs. Where GPUs become free one by one, this is what keeps nodes in
 * proportion without moving jobs; and nobody starves: only jobs that came up to then can go before one.
 */
final class NearLine {
    static final long NEAR_MS = 15 * 60_000;
    static final int LOOKED_AT = 16;

    /** Jobs that fit alike. */
    private record Shape(
            List<TaskGroup> groups, Optional<SensitivityMatrix> profile, Set<String> avoidedNodes, String user) {}

    private final Round round;
    private final Function<JobView, OptionalDouble> misfit;
    private final List<JobView> line;
    /** Until something is granted. */
    private final Map<Shape, OptionalDouble> known = new HashMap<>();

    /** @param misfit how badly a job fits where it fits best; empty where it fits nowhere */
    NearLine(Round round, List<JobView> line, Function<JobView, OptionalDouble> misfit) {
        this.round = round;
        this.line = new ArrayList<>(line);
        this.misfit = misfit;
    }

    boolean isEmpty() {
        return line.isEmpty();
    }

    /** Takes the one that came first out of the line. */
    JobView first() {
        return line.remove(0);
    }

    /** Takes the one that is served next out of the line. */
    JobView next() {
        JobView first = line.get(0);
        int best = 0;
        double least = misfit(first).orElse(Double.MAX_VALUE);
        for (int i = 1; i < Math.min(LOOKED_AT, line.size()) && !first.running(); i++) {
            JobView job = line.get(i);
            if (isNear(first, job)) {
                double here = misfit(job).orElse(Double.MAX_VALUE);
                if (here < least) {
                    least = here;
                    best = i;
                }
            }
        }
        return line.remove(best);
    }

    /** Whether the job may go before the other. A smaller one may not: it would break the node that a gang has waited for. */
    private static boolean isNear(JobView first, JobView job) {
        return job.priority() == first.priority()
                && !job.running()
                && job.gpus() >= first.gpus()
                && job.submitMs() <= first.submitMs() + NEAR_MS;
    }

    /** Room has changed: what fitted may fit no longer. */
    void granted() {
        known.clear();
    }

    private OptionalDouble misfit(JobView job) {
        if (!round.hasGpusFor(job)) {
            return OptionalDouble.empty();
        }
        Shape shape = new Shape(
                job.groups(),
                job.profile(),
                job.avoidedNodes(),
                round.ledger().userOf(job.id()).map(user -> user.name()).orElse(""));
        OptionalDouble before = known.get(shape);
        if (before == null) {
            before = misfit.apply(job);
            known.put(shape, before);
        }
        return before;
    }
}
