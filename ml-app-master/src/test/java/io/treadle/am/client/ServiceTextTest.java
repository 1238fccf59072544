// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.junit.jupiter.api.Test;

class ServiceTextTest {
    /** What a service says, as ServiceStatusTest holds it to what is written. */
    static String status() throws IOException {
        try (InputStream in = ServiceTextTest.class.getResourceAsStream("/service-status.json")) {
            return new String(Objects.requireNonNull(in, "service-status.json").readAllBytes(), UTF_8);
        }
    }

    private static String text(String json) {
        return ServiceText.of(JobStatus.of(
                FakeGateway.report(YarnApplicationState.RUNNING, FinalApplicationStatus.UNDEFINED, ""),
                MasterStatus.parse(json)));
    }

    @Test
    void showsLatenciesOfWorkflowsAndWhatWorkersHoldAndHaveWaiting() throws Exception {
        List<String> lines = text(status()).lines().toList();
        assertEquals("", lines.get(0));
        assertEquals(FakeGateway.ID + " mnist: 4 queries on their way", lines.get(1));
        List<String> columns = lines.stream()
                .skip(2)
                .map(line -> line.strip().replaceAll(" {2,}", "|"))
                .toList();
        assertEquals(
                List.of(
                        "workflow|answered|failed|late|mean ms|p95",
                        "recognise|100|2|1|50.5|95.0",
                        "worker|node|state|queue ms|waiting|hits|models",
                        "container_1|node1|ready|15.0|2|95 %|encoder",
                        "container_2|node2|starting"),
                columns);
    }

    @Test
    void ofManyWorkersTheBusiestAreShown() throws Exception {
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode json = (ObjectNode) mapper.readTree(status());
        ArrayNode workers = json.putArray("workers");
        for (int i = 0; i <= ServiceText.MOST_WORKERS; i++) {
            workers.addObject().put("containerId", "container_" + i).put("waitMs", i);
        }
        String text = text(json.toString());
        assertFalse(text.contains("container_0 "), text);
        assertTrue(text.indexOf("container_16 ") < text.indexOf("container_1 "), text);
        assertTrue(text.endsWith("  and 1 more, on which less waits" + System.lineSeparator()), text);
    }

    @Test
    void ofJobsItSaysNothing() {
        assertEquals("", text("{\"state\":\"running\",\"workers\":[{}]}"));
        assertEquals("", text("<html>"));
    }
}
