// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.treadle.simulator.engine.JobRun;
import io.treadle.simulator.engine.Outcome;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/**
 * One object of {@code summary.json} (docs/spec/simulator-output.md). Times in seconds; null where there is no value.
 */
public record Summary(
        String policy,
        int jobs,
        @org.jspecify.annotations.Nullable Double avgJctSeconds,
        @org.jspecify.annotations.Nullable Double p50JctSeconds,
        @org.jspecify.annotations.Nullable Double p95JctSeconds,
        @org.jspecify.annotations.Nullable Double p99JctSeconds,
        @org.jspecify.annotations.Nullable Double makespanSeconds,
        @org.jspecify.annotations.Nullable Double avgQueueSeconds,
        double gpuUtilization,
        double fragmentation,
        @org.jspecify.annotations.Nullable Double energyKwh,
        long preemptions,
        long migrations,
        long events,
        double wallSeconds,
        double peakHeapMb,
        long failures,
        double lostGpuSeconds,
        @org.jspecify.annotations.Nullable Double effectiveGpuUtilization,
        @org.jspecify.annotations.Nullable Double deadlineMisses,
        @org.jspecify.annotations.Nullable Double avgFinishTimeFairness,
        @org.jspecify.annotations.Nullable Double maxFinishTimeFairness,
        @org.jspecify.annotations.Nullable Double peakWatts,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<QueueDraw> queueDraws,
        @org.jspecify.annotations.Nullable Double totalUtility) {
    /**
     * What the GPUs of the jobs of a queue drew.
     *
     * @param queue its path
     * @param budgetWatts what they may draw, W; null where it has no budget of its own
     * @param meanWatts over the run, W
     * @param mostWatts at any moment, W
     * @param energyKwh in all, kWh
     */
    public record QueueDraw(
            String queue,
            @org.jspecify.annotations.Nullable Double budgetWatts,
            double meanWatts,
            double mostWatts,
            double energyKwh) {}

    public Summary {
        // Results that were kept before there were budgets of queues say nothing of them.
        queueDraws = queueDraws == null ? List.of() : List.copyOf(queueDraws);
    }

    private static final double JOULES_PER_KWH = 3.6e6;

    public static Summary of(Outcome outcome, double peakHeapMb) {
        List<JobRun> ended = outcome.measured().stream().filter(JobRun::isEnded).toList();
        double[] jct = ended.stream().mapToDouble(Summary::jct).toArray();
        double sum = 0;
        // In order of submission, so that the digits do not depend on how the sum is split.
        for (double one : jct) {
            sum += one;
        }
        Arrays.sort(jct);
        long first = outcome.jobs().get(0).job().submitMs();
        JobGoals goals = goals(outcome);
        double[] fairness = outcome.measured().stream()
                .map(job -> goals.fairness(job.index()))
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .toArray();
        return new Summary(
                outcome.policy(),
                outcome.measured().size(),
                jct.length == 0 ? null : sum / jct.length,
                quantile(jct, 0.5),
                quantile(jct, 0.95),
                quantile(jct, 0.99),
                jct.length == 0
                        ? null
                        : (ended.stream().mapToLong(JobRun::endMs).max().orElse(first) - first) / 1000.0,
                jct.length == 0
                        ? null
                        : ended.stream().mapToLong(JobRun::waitedMs).sum() / 1000.0 / jct.length,
                outcome.gpuUtilization(),
                outcome.fragmentation(),
                outcome.drawn().map(drawn -> drawn.joules() / JOULES_PER_KWH).orElse(null),
                outcome.jobs().stream().mapToLong(JobRun::preemptions).sum(),
                outcome.jobs().stream().mapToLong(JobRun::migrations).sum(),
                outcome.events(),
                outcome.wallSeconds(),
                peakHeapMb,
                outcome.jobs().stream().mapToLong(JobRun::failures).sum(),
                outcome.jobs().stream().mapToDouble(JobRun::lostGpuSeconds).sum(),
                effective(outcome),
                misses(outcome, goals),
                boxed(Arrays.stream(fairness).average()),
                boxed(Arrays.stream(fairness).max()),
                outcome.drawn().map(Outcome.Drawn::mostWatts).orElse(null),
                outcome.drawn()
                        .map(drawn ->
                                drawn.queues().stream().map(Summary::queue).toList())
                        .orElse(List.of()),
                utility(outcome));
    }

    /** Null where of no job that counts it is said by when it should end. */
    private static @org.jspecify.annotations.Nullable Double utility(Outcome outcome) {
        if (outcome.measured().stream().noneMatch(job -> job.job().hasWorth())) {
            return null;
        }
        double sum = 0;
        // In order of submission, as above.
        for (JobRun job : outcome.measured()) {
            sum += job.worth().orElse(0);
        }
        return sum;
    }

    private static QueueDraw queue(Outcome.QueueDrawn drawn) {
        return new QueueDraw(
                drawn.queue(),
                drawn.budgetWatts().orElse(null),
                drawn.meanWatts(),
                drawn.mostWatts(),
                drawn.joules() / JOULES_PER_KWH);
    }

    private static JobGoals goals(Outcome outcome) {
        return new JobGoals(
                outcome.cluster(),
                outcome.jobs().stream().map(JobRun::job).toList(),
                outcome.jobs().stream()
                        .mapToLong(job -> job.isEnded() ? job.endMs() : Long.MAX_VALUE)
                        .toArray(),
                outcome.lastMs());
    }

    private static @org.jspecify.annotations.Nullable Double misses(Outcome outcome, JobGoals goals) {
        long known = outcome.measured().stream()
                .filter(job -> goals.hasDeadline(job.index()))
                .count();
        long missed = outcome.measured().stream()
                .filter(job -> goals.isMissed(job.index()))
                .count();
        return known == 0 ? null : (double) missed / known;
    }

    /** Null where jobs never end: nobody knows what their work is. */
    private static @org.jspecify.annotations.Nullable Double effective(Outcome outcome) {
        double all = outcome.cluster().capacity().gpus() * outcome.spanSeconds();
        boolean isKnown =
                outcome.jobs().stream().allMatch(job -> job.job().work().ends());
        return all == 0 || !isKnown
                ? null
                : outcome.jobs().stream()
                                .mapToDouble(job -> job.usefulGpuSeconds(outcome.lastMs()))
                                .sum()
                        / all;
    }

    private static @org.jspecify.annotations.Nullable Double boxed(OptionalDouble value) {
        return value.isPresent() ? value.getAsDouble() : null;
    }

    private static double jct(JobRun job) {
        return (job.endMs() - job.job().submitMs()) / 1000.0;
    }

    static @org.jspecify.annotations.Nullable Double quantile(double[] sorted, double q) {
        if (sorted.length == 0) {
            return null;
        }
        return Quantile.of(sorted, q);
    }
}
