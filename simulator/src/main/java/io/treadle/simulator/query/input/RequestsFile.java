// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.query.input;

import io.treadle.core.query.WorkflowGraph;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.input.Row;
import io.treadle.simulator.input.Table;
import io.treadle.simulator.query.engine.Request;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * Reads requests: tables of {@code job_id, arrival_ms} with {@code job_type} or {@code workflow} and perhaps
 * {@code ingress_worker} (docs/spec/workflows-file.md), and traces of Azure's LLM inference ({@code TIMESTAMP,
 * ContextTokens, GeneratedTokens}), which say when requests come and no more.
 */
public final class RequestsFile {
    private static final double MOST_MS = 1e13;
    private static final int MOST_WORKERS = 1_000_000;
    private static final String AZURE_TIME = "TIMESTAMP";
    private static final String ARRIVAL = "arrival_ms";

    private final Table table;
    private final List<WorkflowGraph> graphs;
    private final Mix mix;
    private final int workers;
    private final Random random;
    private final List<Request> requests = new ArrayList<>();

    private RequestsFile(Table table, List<WorkflowGraph> graphs, Mix mix, int workers, long seed) {
        this.table = table;
        this.graphs = graphs;
        this.mix = mix;
        this.workers = workers;
        this.random = new Random(seed);
    }

    /**
     * @param mix which workflows come where the file does not tell
     * @param seed what the file does not tell is drawn from it
     * @return by time of arrival, the first at 0 where the file has times of day
     * @throws InputException if the file cannot be read, or holds what cannot be
     */
    public static List<Request> read(Path file, List<WorkflowGraph> graphs, Mix mix, int workers, long seed) {
        Table table = Table.withHeader(file);
        if (!table.has(AZURE_TIME) && !table.has(ARRIVAL)) {
            throw new InputException(file + " has the columns " + String.join(", ", table.names())
                    + ", must have job_id, arrival_ms and job_type or workflow, or TIMESTAMP as Azure's traces do.");
        }
        List<Request> requests = new RequestsFile(table, graphs, mix, workers, seed).requests();
        if (requests.isEmpty()) {
            throw new InputException(file + " holds no requests, must hold one or more.");
        }
        return requests;
    }

    private List<Request> requests() {
        if (table.has(AZURE_TIME)) {
            table.forEach(row -> drawn(row, String.valueOf(requests.size()), each -> each.timeMs(AZURE_TIME)));
        } else {
            Set<String> ids = new HashSet<>();
            table.forEach(row -> {
                row.checkNoMore();
                String id = row.text("job_id");
                if (!ids.add(id)) {
                    throw row.wrong("job_id", id, "an id that no row before it has");
                }
                if (table.has("workflow") || table.has("job_type")) {
                    requests.add(new Request(id, graph(row), arrival(row), ingress(row)));
                } else {
                    drawn(row, id, RequestsFile::arrival);
                }
            });
        }
        requests.sort(Comparator.comparingDouble(Request::arrivalMs));
        return table.has(AZURE_TIME) ? fromZero() : requests;
    }

    private void drawn(Row row, String id, ToDoubleFunction<Row> arrival) {
        requests.add(new Request(id, mix.draw(random), arrival.applyAsDouble(row), ingress(row)));
    }

    private static double arrival(Row row) {
        return row.number(ARRIVAL, 0, MOST_MS);
    }

    private int ingress(Row row) {
        return row.has("ingress_worker") ? (int) row.whole("ingress_worker", 0, MOST_WORKERS) : random.nextInt(workers);
    }

    private WorkflowGraph graph(Row row) {
        if (!table.has("workflow")) {
            return graphs.get((int) row.whole("job_type", 0, graphs.size() - 1));
        }
        String name = row.text("workflow");
        return graphs.stream()
                .filter(graph -> graph.name().equals(name))
                .findFirst()
                .orElseThrow(() -> row.wrong(
                        "workflow",
                        name,
                        "a workflow: "
                                + String.join(
                                        ", ",
                                        graphs.stream().map(WorkflowGraph::name).toList())));
    }

    private List<Request> fromZero() {
        double zero = requests.isEmpty() ? 0 : requests.get(0).arrivalMs();
        return requests.stream()
                .map(each -> new Request(each.id(), each.graph(), each.arrivalMs() - zero, each.ingress()))
                .toList();
    }
}
