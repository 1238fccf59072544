// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.smd;

import io.treadle.simulator.result.SeedMean;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToDoubleFunction;

/**
 * Jobs that come over time, under each policy, at one load.
 *
 * @param perHour jobs that come in an hour
 * @param byPolicy runs, one for each seed
 */
record Online(double perHour, Map<String, List<OnlineRun>> byPolicy) {
    static final String BASELINE = "optimus";
    static final List<String> OURS = List.of("smd", "smd-plain", "smd-menu");
    static final List<String> POLICIES = List.of(BASELINE, "esw", "smd-plain", "smd", "smd-menu");

    Online {
        byPolicy = new LinkedHashMap<>(byPolicy);
    }

    /** For each load. */
    static List<Online> run(SmdSizes sizes, List<Long> seeds, int threads, Runnable done) {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Map<String, List<Future<OnlineRun>>>> submitted = new ArrayList<>();
            for (double load : sizes.loads()) {
                Map<String, List<Future<OnlineRun>>> runs = new LinkedHashMap<>();
                for (String policy : POLICIES) {
                    runs.put(
                            policy,
                            seeds.stream()
                                    .map(seed -> pool.submit(() -> OnlineRun.of(policy, seed, sizes.jobs(), load)))
                                    .toList());
                }
                submitted.add(runs);
            }
            List<Online> all = new ArrayList<>();
            for (int i = 0; i < submitted.size(); i++) {
                Map<String, List<OnlineRun>> reached = new LinkedHashMap<>();
                for (Map.Entry<String, List<Future<OnlineRun>>> runs :
                        submitted.get(i).entrySet()) {
                    List<OnlineRun> here = new ArrayList<>();
                    for (Future<OnlineRun> run : runs.getValue()) {
                        here.add(run.get());
                        done.run();
                    }
                    reached.put(runs.getKey(), here);
                }
                all.add(new Online(sizes.loads().get(i), reached));
            }
            return all;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a run failed: " + e.getCause(), e);
        } finally {
            pool.shutdownNow();
        }
    }

    List<OnlineRun> of(String policy) {
        return Objects.requireNonNull(byPolicy.get(policy));
    }

    double mean(String policy, ToDoubleFunction<OnlineRun> figure) {
        return of(policy).stream().mapToDouble(figure).average().orElseThrow();
    }

    /** Logarithms of a figure in that of Optimus, seed by seed. */
    List<Double> logRatios(String policy, ToDoubleFunction<OnlineRun> figure) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < of(policy).size(); i++) {
            ratios.add(Math.log(figure.applyAsDouble(of(policy).get(i))
                    / figure.applyAsDouble(of(BASELINE).get(i))));
        }
        return ratios;
    }

    /** Geometric mean of a figure in that of Optimus. */
    SeedMean logRatio(String policy, ToDoubleFunction<OnlineRun> figure) {
        return SeedMean.of(List.copyOf(logRatios(policy, figure))).orElseThrow();
    }
}
