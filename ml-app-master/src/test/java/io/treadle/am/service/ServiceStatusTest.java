// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.am.query.master.DeskFigures;
import io.treadle.am.query.master.DeskFigures.TaskFigures;
import io.treadle.am.query.master.DeskFigures.WorkflowFigures;
import io.treadle.am.query.master.ModelFacts;
import io.treadle.am.spec.ServiceSpec;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class ServiceStatusTest {
    private static ServiceStatus status(DeskFigures figures) {
        return status(ServiceSpec.Mode.CENTRAL, figures);
    }

    private static ServiceStatus status(ServiceSpec.Mode mode, DeskFigures figures) {
        return status(mode, Optional.empty(), figures);
    }

    private static ServiceStatus status(ServiceSpec.Mode mode, Optional<String> refusal, DeskFigures figures) {
        return new ServiceStatus(
                "digits <1>",
                "application_1_0001",
                "ann",
                mode,
                "compass",
                "ready",
                refusal,
                "node7:4000",
                1,
                12,
                3,
                List.of(
                        new MemberView("container_1", "ready", "node1", "node1:8042", "node1", 7001),
                        new MemberView("container_2", "starting", "node2", "node2:8042", "", 0)),
                List.of(new ModelFacts("encoder", 2097.152, 40, 0, List.of(), List.of())),
                figures);
    }

    private static DeskFigures.Worker worker(long tasks, long loads) {
        return new DeskFigures.Worker(
                "node1", 7001, 4711, 15, 2, List.of(0), 4194.304, 2097.152, tasks, loads, 500, false);
    }

    private static WorkflowFigures workflow() {
        List<Double> latencies =
                DoubleStream.iterate(1, ms -> ms + 1).limit(100).boxed().toList();
        return new WorkflowFigures("recognise", 100, 2, 1, latencies, List.of(task()));
    }

    private static TaskFigures task() {
        return new TaskFigures("embed", 3.5, 0.5, true, 7, 24.5, List.of(1.0, 3.0, 9.0));
    }

    private static DeskFigures figures() {
        return new DeskFigures(
                4, 1000, List.of(worker(20, 1)), List.of(workflow()), List.of(new DeskFigures.LoadFigures(0, 1, 44)));
    }

    @Test
    void saysWhatTheDeskKnows() throws Exception {
        JsonNode json = new ObjectMapper().readTree(status(figures()).toJson());
        assertEquals("service", json.path("kind").asText());
        assertEquals("node7:4000", json.path("address").asText());
        assertEquals(0.95, json.path("hitRate").asDouble(), 1e-9);
        assertEquals(
                "1 of 3 workers, 100 queries, p95 95 ms, 95 % hits",
                json.path("note").asText());
        JsonNode first = json.path("workers").path(0);
        assertEquals("encoder", first.path("models").path(0).asText());
        assertEquals(2, first.path("queued").asInt());
        assertFalse(json.path("workers").path(1).has("models"));
        JsonNode workflow = json.path("workflows").path(0);
        assertEquals(50.5, workflow.path("meanMs").asDouble(), 1e-9);
        assertEquals(50, workflow.path("p50Ms").asDouble());
        assertEquals(95, workflow.path("p95Ms").asDouble());
        assertEquals(99, workflow.path("p99Ms").asDouble());
        assertEquals(
                9, workflow.path("tasks").path(0).path("runQuantilesMs").path(2).asDouble());
    }

    @Test
    void percentilesOfNothingAreNothing() {
        assertEquals(0, ServiceStatus.percentile(List.of(), 0.5));
        assertEquals(7, ServiceStatus.percentile(List.of(7.0), 0.01));
        assertEquals(
                1,
                status(new DeskFigures(0, 0, List.of(), List.of(), List.of())).hitRate());
    }

    @Test
    void thePageShowsWorkersModelsAndLatencies() {
        String page = ServicePage.render(status(figures()));
        assertTrue(page.contains("digits &lt;1&gt;"), page);
        assertTrue(page.contains("1 of 3"), page);
        assertTrue(page.contains("95 %"), page);
        assertTrue(page.contains("embed 3.5 ms"), page);
        assertTrue(page.contains("http://node1:8042/node/containerlogs/container_1/ann"), page);
        assertFalse(page.contains("<script"), page);
        assertTrue(page.contains("node1:7001"), page);
        assertFalse(page.contains("node1:4711"), page);
    }

    @Test
    void ofPeersItSaysWhereTheyAnswer() throws Exception {
        ServiceStatus peers = status(ServiceSpec.Mode.PEER, figures());
        String page = ServicePage.render(peers);
        assertTrue(page.contains("answers at node7:4000, and each worker"), page);
        assertTrue(page.contains("node1:4711"), page);
        JsonNode json = new ObjectMapper().readTree(peers.toJson());
        assertEquals("peer", json.path("mode").asText());
        assertEquals("node1:4711", json.path("workers").path(0).path("address").asText());
    }

    @Test
    void saysWhyYarnRefusesItsWorkers() throws Exception {
        ServiceStatus waiting = status(
                ServiceSpec.Mode.CENTRAL,
                Optional.of("YARN refuses the containers that are asked for now: <memory:9>"),
                figures());
        String note = new ObjectMapper().readTree(waiting.toJson()).path("note").asText();
        assertTrue(note.endsWith("; YARN refuses the containers that are asked for now: <memory:9>"), note);
        String page = ServicePage.render(waiting);
        assertTrue(page.contains("are asked for now: &lt;memory:9&gt;"), page);
    }

    /** The client's tests read the same file. */
    @Test
    void saysWhatItsReadersExpect() throws Exception {
        ObjectMapper mapper = new ObjectMapper();
        try (InputStream expected = ServiceStatusTest.class.getResourceAsStream("/service-status.json")) {
            assertEquals(
                    mapper.readTree(expected),
                    mapper.readTree(status(ServiceSpec.Mode.PEER, figures()).toJson()));
        }
    }
}
