// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.compass;

import io.treadle.simulator.query.engine.QueryRun;
import io.treadle.simulator.query.engine.QuerySimulation;
import io.treadle.simulator.query.engine.Request;
import io.treadle.simulator.query.input.Mix;
import io.treadle.simulator.query.input.PoissonRequests;
import io.treadle.simulator.query.input.PublishedWorkflows;
import io.treadle.simulator.query.result.QuerySummary;
import java.util.List;
import java.util.Optional;

/**
 * What came of queries.
 *
 * @param meanMs latency
 * @param p95Ms likewise
 * @param hits of all models that tasks needed, how many were there
 */
record QueryFigures(double meanMs, double p95Ms, double meanSlowdown, double hits) {
    static QueryFigures of(Variant variant, QueryWork work, long seed) {
        List<Request> requests = PoissonRequests.draw(
                Mix.even(PublishedWorkflows.all()),
                work.perSecond(),
                work.requests() + QueryWork.WARMUP,
                work.workers(),
                seed);
        QueryRun run = QuerySimulation.run(requests, variant.policy(), variant.settings(work.workers()), ended -> {});
        QuerySummary summary = QuerySummary.of(run, QueryWork.WARMUP, Optional.empty());
        Double hits = summary.cacheHitRate();
        return new QueryFigures(
                summary.meanLatencyMs(), summary.p95LatencyMs(), summary.meanSlowdown(), hits == null ? 1 : hits);
    }
}
