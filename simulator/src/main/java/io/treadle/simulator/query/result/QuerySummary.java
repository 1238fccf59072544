// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.query.result;

import io.treadle.simulator.query.engine.Finished;
import io.treadle.simulator.query.engine.QueryRun;
import io.treadle.simulator.query.engine.WorkerFigures;
import io.treadle.simulator.result.Quantile;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One object of {@code summary.json} of simulated queries (docs/spec/simulator-output.md). Latencies are of the requests
 * after the first, which warm the workers up, in ms; all else is of the whole run.
 *
 * @param requests how many the latencies are of
 * @param meanSlowdown latency in what the workflow takes at best
 * @param cacheHitRate of all models that tasks needed, how many were there or on their way; null where none was needed
 * @param workersUsed workers that ran anything
 * @param energyKwh null where no power model is given
 * @param meanBusy part of the run that workers ran tasks, on average
 */
public record QuerySummary(
        String policy,
        int requests,
        double meanLatencyMs,
        double p50LatencyMs,
        double p95LatencyMs,
        double p99LatencyMs,
        double meanSlowdown,
        @Nullable Double cacheHitRate,
        long workersUsed,
        double wallSeconds,
        @Nullable Double energyKwh,
        double meanBusy,
        long evictions) {
    private static final double JOULES_PER_KWH = 3.6e6;

    /** @param warmup so many of the first requests are left out of latencies; fewer than there are */
    public static QuerySummary of(QueryRun run, int warmup, Optional<WorkerPower> power) {
        List<Finished> measured = run.finished().subList(warmup, run.finished().size());
        double[] latencies = Latencies.sorted(measured);
        long hits = run.workers().stream().mapToLong(WorkerFigures::hits).sum();
        long misses = run.workers().stream().mapToLong(WorkerFigures::misses).sum();
        return new QuerySummary(
                run.policy(),
                measured.size(),
                measured.stream().mapToDouble(Finished::latencyMs).average().orElseThrow(),
                Quantile.of(latencies, 0.5),
                Quantile.of(latencies, 0.95),
                Quantile.of(latencies, 0.99),
                measured.stream().mapToDouble(Finished::slowdown).average().orElseThrow(),
                hits + misses == 0 ? null : (double) hits / (hits + misses),
                run.workers().stream().filter(worker -> worker.tasks() > 0).count(),
                run.wallSeconds(),
                power.map(watts -> joules(run, watts) / JOULES_PER_KWH).orElse(null),
                run.endMs() == 0
                        ? 0
                        : run.workers().stream()
                                        .mapToDouble(WorkerFigures::busyMs)
                                        .sum()
                                / run.endMs()
                                / run.workers().size(),
                run.workers().stream().mapToLong(WorkerFigures::evictions).sum());
    }

    private static double joules(QueryRun run, WorkerPower power) {
        return run.workers().stream()
                .mapToDouble(worker -> power.joules(run.endMs(), worker.busyMs()))
                .sum();
    }
}
