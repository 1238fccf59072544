// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.query.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.query.WorkflowGraph;
import io.treadle.simulator.engine.Reference;
import io.treadle.simulator.input.Table;
import io.treadle.simulator.query.input.Mix;
import io.treadle.simulator.query.input.PublishedWorkflows;
import io.treadle.simulator.query.input.RequestsFile;
import io.treadle.simulator.query.input.WorkflowsFile;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each request's latency and placement, as a reference simulator found them. */
class PublishedLatenciesTest {
    /** What the reference's files round to. */
    private static final double DIGIT = 1e-6;

    @ParameterizedTest
    @CsvSource({
        "8000, compass",
        "8000, jit",
        "8000, heft",
        "8000, hash",
        "4000, compass",
        "4000, jit",
        "4000, heft",
        "4000, hash",
        "2000, compass",
        "2000, jit",
        "2000, heft",
        "2000, hash"
    })
    void agreesToTheDigit(int gapMs, String policy) {
        List<WorkflowGraph> graphs = WorkflowsFile.read(Reference.file("smd-compass/workload4.json"));
        List<Request> requests = RequestsFile.read(
                Reference.file("smd-compass/traces/poisson_" + gapMs + ".csv"), graphs, Mix.even(graphs), 5, 0);
        Map<String, Finished> ours = new HashMap<>();
        QuerySimulation.run(requests, policy, QuerySettings.published(5), ended -> {})
                .finished()
                .forEach(each -> ours.put(each.request().id(), each));
        assertEquals(1000, ours.size());
        Table.withHeader(Reference.file("smd-compass/latencies/poisson_" + gapMs + "_" + policy + ".csv"))
                .forEach(row -> {
                    Finished each = java.util.Objects.requireNonNull(ours.remove(row.text("job_id")));
                    assertEquals(row.number("latency_ms", 0, 1e9), each.latencyMs(), DIGIT);
                    assertEquals(
                            row.text("placement"),
                            each.workers().stream().map(String::valueOf).collect(Collectors.joining(" ")));
                });
        assertEquals(Map.of(), ours);
    }

    /** The workflows that are built in are those that the reference ran. */
    @org.junit.jupiter.api.Test
    void theBuiltInWorkflowsAreThose() {
        List<WorkflowGraph> read = WorkflowsFile.read(Reference.file("smd-compass/workload4.json"));
        List<WorkflowGraph> built = PublishedWorkflows.all();
        assertEquals(read.size(), built.size());
        for (int i = 0; i < read.size(); i++) {
            assertEquals(read.get(i).name(), built.get(i).name());
            assertEquals(read.get(i).bestMs(), built.get(i).bestMs(), 1e-9);
            for (int task = 0; task < read.get(i).size(); task++) {
                var one = read.get(i).task(task);
                var other = built.get(i).task(task);
                assertEquals(one.models(), other.models());
                assertEquals(one.runMs(), other.runMs());
                assertEquals(one.inputKb(), other.inputKb());
                assertEquals(one.outputKb(), other.outputKb());
                assertEquals(one.predecessors(), other.predecessors());
            }
        }
    }
}
