// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Known answers of a reference implementation, which lie beside the checkout and are not part of it. */
class PublishedVectorsTest {
    private static final double GPU_MEMORY_KB = 14e6;
    private static final DelayModel DELAYS = new PublishedDelays();
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<String, WorkflowGraph> graphs = new HashMap<>();
    private final Map<Integer, Model> models = new HashMap<>();

    private static JsonNode file(String name) throws IOException {
        Path file = Path.of(System.getProperty("treadle.checkout", ".."))
                .resolve("../shared/data/smd-compass")
                .resolve(name);
        assumeTrue(Files.exists(file), () -> "the reference vectors are not beside this checkout: " + file);
        return JSON.readTree(file.toFile());
    }

    private static List<Integer> ints(JsonNode list) {
        List<Integer> ints = new ArrayList<>();
        list.forEach(each -> ints.add(each.intValue()));
        return ints;
    }

    private void read() throws IOException {
        for (JsonNode workflow : file("workload4.json").get("workflows")) {
            List<QueryTask> tasks = new ArrayList<>();
            for (JsonNode task : workflow.get("tasks")) {
                int id = task.get("model").intValue();
                List<Model> needed = id < 0
                        ? List.of()
                        : List.of(models.computeIfAbsent(
                                id,
                                key -> new Model(
                                        key,
                                        task.get("name").textValue(),
                                        task.get("model_kb").doubleValue())));
                tasks.add(new QueryTask(
                        tasks.size(),
                        task.get("name").textValue(),
                        needed,
                        task.get("ms").doubleValue(),
                        task.get("in_kb").doubleValue(),
                        task.get("out_kb").doubleValue(),
                        ints(task.get("pred"))));
            }
            String name = workflow.get("name").textValue();
            graphs.put(name, new WorkflowGraph(name, tasks));
            assertEquals(workflow.get("best_ms").doubleValue(), graphs.get(name).bestMs(), 1e-9);
        }
    }

    @TestFactory
    Stream<DynamicTest> agreesWithEach() throws IOException {
        read();
        List<DynamicTest> tests = new ArrayList<>();
        file("testcases.json").fields().forEachRemaining(entry -> {
            String name = entry.getKey();
            JsonNode expected = entry.getValue();
            if (name.equals("CMP-rank")) {
                tests.add(dynamicTest(name, () -> ranks(expected)));
            } else if (name.equals("CMP-const")) {
                tests.add(dynamicTest(name, () -> delays(expected)));
            } else if (name.startsWith("CMP-plan")) {
                tests.add(dynamicTest(name, () -> plan(expected)));
            } else if (name.startsWith("CMP-adj")) {
                tests.add(dynamicTest(name, () -> adjust(expected)));
            } else if (name.startsWith("CMP-evict")) {
                tests.add(dynamicTest(name, () -> evict(expected)));
            }
        });
        assertEquals(17, tests.size());
        return tests.stream();
    }

    private Model model(int id) {
        return Objects.requireNonNull(models.get(id));
    }

    private WorkflowGraph graph(String name) {
        return Objects.requireNonNull(graphs.get(name));
    }

    private void ranks(JsonNode expected) {
        graphs.forEach((name, graph) -> {
            UpwardRank rank = UpwardRank.of(graph, DELAYS);
            assertEquals(ints(expected.get(name).get("order")), rank.order());
            graph.tasks()
                    .forEach(task -> assertEquals(
                            expected.get(name)
                                    .get("rank")
                                    .get(String.valueOf(task.id()))
                                    .doubleValue(),
                            rank.of(task.id()),
                            1e-9));
        });
    }

    private static void delays(JsonNode expected) {
        expected.get("td_net")
                .fields()
                .forEachRemaining(each -> assertEquals(
                        each.getValue().doubleValue(), DELAYS.networkMs(Double.parseDouble(each.getKey())), 1e-12));
        assertEquals(0.8303170583369, DELAYS.transferMs(3000), 1e-12);
        assertEquals(562.3707505860, DELAYS.linkMs(5_720_000), 1e-9);
    }

    private List<Known.Worker> workers(JsonNode spec) {
        List<Known.Worker> workers = new ArrayList<>();
        for (JsonNode worker : spec) {
            List<Integer> held = ints(worker.get(1));
            double taken = held.stream().mapToDouble(id -> model(id).kb()).sum();
            workers.add(Known.worker(
                    worker.get(0).doubleValue(),
                    GPU_MEMORY_KB - taken,
                    held.stream().mapToInt(id -> id).toArray()));
        }
        return workers;
    }

    private void plan(JsonNode expected) {
        WorkflowGraph graph = graph(expected.get("workflow").textValue());
        Query query = Known.query(graph, DELAYS, expected.get("ingress").intValue());
        QueryPlan plan = Dispatchers.of("compass", Costs.of(DELAYS), Adjustment.PUBLISHED)
                .plan(query, Known.view(workers(expected.get("spec"))), 0);
        assertEquals(
                ints(expected.get("placement")),
                java.util.Arrays.stream(plan.workers()).boxed().toList());
        for (int task = 0; task < graph.size(); task++) {
            assertEquals(expected.get("aft").get(task).doubleValue(), plan.finishMs(task), 1e-9);
        }
        assertEquals(expected.get("makespan").doubleValue(), plan.finishMs(), 1e-9);
    }

    private void adjust(JsonNode expected) {
        String[] named = expected.get("task").textValue().split("/");
        QueryTask task = graph(named[0]).task(Integer.parseInt(named[1]));
        int result = new CompassAdjuster(Costs.of(DELAYS), Adjustment.PUBLISHED)
                .adjust(
                        task,
                        expected.get("assigned").intValue(),
                        expected.get("here").intValue(),
                        Known.view(workers(expected.get("spec"))));
        assertEquals(expected.get("result").intValue(), result);
    }

    private void evict(JsonNode expected) {
        String policy = expected.get("policy").textValue();
        GpuModelCache cache =
                new GpuModelCache(GPU_MEMORY_KB, policy.equals("FIFO") ? Eviction.FIFO : Eviction.LOOK_AHEAD);
        ints(expected.get("cache")).forEach(id -> cache.add(model(id)));
        List<List<Model>> queue = ints(expected.get("queue")).stream()
                .map(id -> List.of(model(id)))
                .toList();
        Model wanted = model(expected.get("fetch").intValue());
        assertEquals(
                ints(expected.get("evicted")),
                cache.makeRoom(wanted.kb(), List.of(), queue).orElseThrow().stream()
                        .map(Model::id)
                        .toList());
    }
}
