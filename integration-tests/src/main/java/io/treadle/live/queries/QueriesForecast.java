// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.queries;

import io.treadle.am.query.wire.QueryIds;
import io.treadle.core.query.Model;
import io.treadle.core.query.Query;
import io.treadle.core.query.QueryTask;
import io.treadle.core.query.WorkflowGraph;
import io.treadle.simulator.query.engine.Finished;
import io.treadle.simulator.query.engine.QueryRun;
import io.treadle.simulator.query.engine.QuerySettings;
import io.treadle.simulator.query.engine.QuerySimulation;
import io.treadle.simulator.query.engine.Request;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What the simulator makes of the queries that a service gets, from the service's own profile. */
final class QueriesForecast {
    private static final long SEED = 1;

    private final ServiceProfile profile;
    private final Overheads overheads;
    private final Map<String, WorkflowGraph> graphs;

    /** @param service its specification, which says what its workflows are */
    QueriesForecast(Path service, ServiceProfile profile, Overheads overheads) {
        this.profile = profile;
        this.overheads = overheads;
        Map<String, Model> models = new LinkedHashMap<>();
        profile.models().forEach((name, loads) -> models.put(name, new Model(models.size(), name, loads.kb())));
        graphs = SpecGraphs.read(service, models, profile);
    }

    /** How long the tasks of a query run together, ms. */
    double workMs(BenchWorkflow workflow) {
        return graph(workflow).tasks().stream().mapToDouble(QueryTask::runMs).sum();
    }

    private WorkflowGraph graph(BenchWorkflow workflow) {
        return Objects.requireNonNull(graphs.get(workflow.name()), workflow.name());
    }

    /** How many queries of a mix workers can do in a second, models loaded. */
    double capacity(List<BenchWorkflow> mix, int workers) {
        double weights = 0;
        double ms = 0;
        for (BenchWorkflow each : mix) {
            weights += each.weight();
            ms += each.weight() * workMs(each);
        }
        return workers * 1e3 * weights / ms;
    }

    /**
     * @param before how many queries the service has been asked already: it names each by its number, and hashing goes by
     *     names
     * @return how long each takes, ms
     */
    List<Double> latencies(List<Arrival> arrivals, String policy, int workers, long before) {
        List<Request> requests = new ArrayList<>();
        for (Arrival arrival : arrivals) {
            requests.add(new Request(
                    QueryIds.ofMaster(1) + (before + requests.size() + 1),
                    graph(arrival.workflow()),
                    arrival.atMs(),
                    Query.OUTSIDE));
        }
        QuerySettings usual = QuerySettings.usual(workers);
        QuerySettings settings = new QuerySettings(
                workers,
                profile.memoryKb(),
                new MeasuredDelays(profile.models(), overheads.handOverMs()),
                // The master knows at once what it gives and what has ended.
                0,
                usual.adjustment(),
                usual.cacheAware(),
                usual.eviction(),
                usual.prefetcher(),
                usual.order());
        QueryRun run = QuerySimulation.run(requests, policy, settings, new DrawnRunTimes(profile, SEED), ended -> {});
        return run.finished().stream()
                .map(Finished::latencyMs)
                .map(ms -> ms + overheads.queryMs())
                .toList();
    }
}
