// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.result;

import io.treadle.simulator.engine.JobRun;
import io.treadle.simulator.engine.Outcome;
import java.util.Arrays;
import java.util.List;

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
        long failures,
        long events,
        double wallSeconds,
        double peakHeapMb) {

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
                null,
                outcome.jobs().stream().mapToLong(JobRun::preemptions).sum(),
                outcome.jobs().stream().mapToLong(JobRun::migrations).sum(),
                outcome.jobs().stream().mapToLong(JobRun::failures).sum(),
                outcome.events(),
                outcome.wallSeconds(),
                peakHeapMb);
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
