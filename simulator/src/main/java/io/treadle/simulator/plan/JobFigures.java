// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.plan;

import io.treadle.simulator.engine.JobRun;
import io.treadle.simulator.result.Quantile;
import io.treadle.simulator.result.Slowdown;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/**
 * The statistics of some jobs' measures; infinite for jobs that never end though they should.
 *
 * @param values by measure and statistic
 */
record JobFigures(Map<Measure, Map<Statistic, Double>> values) {
    JobFigures {
        values = Map.copyOf(values);
    }

    /** @param jobs at least one; those whose work has no end are left out before */
    static JobFigures of(List<JobRun> jobs) {
        return new JobFigures(Map.of(
                Measure.WAIT, statistics(jobs, job -> job.waitedMs() / 1000.0),
                Measure.JCT, statistics(jobs, JobFigures::jctSeconds),
                Measure.SLOWDOWN,
                        statistics(
                                jobs,
                                job -> Slowdown.of(
                                        jctSeconds(job), job.job().work().seconds()))));
    }

    private static double jctSeconds(JobRun job) {
        return (job.endMs() - job.job().submitMs()) / 1000.0;
    }

    private static Map<Statistic, Double> statistics(List<JobRun> jobs, ToDoubleFunction<JobRun> of) {
        double[] sorted = jobs.stream()
                .mapToDouble(job -> job.isEnded() ? of.applyAsDouble(job) : Double.POSITIVE_INFINITY)
                .sorted()
                .toArray();
        Map<Statistic, Double> figures = new EnumMap<>(Statistic.class);
        for (Statistic statistic : Statistic.values()) {
            figures.put(
                    statistic,
                    switch (statistic) {
                        case MEAN -> Arrays.stream(sorted).average().orElseThrow();
                        case P50 -> Quantile.of(sorted, .5);
                        case P95 -> Quantile.of(sorted, .95);
                        case P99 -> Quantile.of(sorted, .99);
                        case MAX -> sorted[sorted.length - 1];
                    });
        }
        return figures;
    }

    double of(Statistic statistic, Measure measure) {
        return Objects.requireNonNull(
                Objects.requireNonNull(values.get(measure)).get(statistic));
    }
}
