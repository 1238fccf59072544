// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class DemoJsonTest {
    @Test
    void hasEveryFieldThatReadersRelyOn() throws Exception {
        JsonNode json = new ObjectMapper().readTree(DemoJson.write(DemoResults.twoPolicies()));

        assertEquals("3.5.0", json.get("hadoop").asText());
        assertEquals(42, json.get("seed").asLong());
        JsonNode node = json.get("nodes").get(0);
        assertEquals("n1", node.get("node").asText());
        assertEquals(16, node.get("capacity").get("vcores").asLong());
        assertEquals(
                new ObjectMapper()
                        .readTree("{\"uuid\":\"GPU-1\",\"model\":\"A100\",\"memoryMiB\":40960,\"simulated\":true}"),
                node.get("devices").get(0));
        assertEquals(4, json.get("jobs").size());
        JsonNode job = json.get("jobs").get(0);
        for (String text : new String[] {"applicationId", "name", "queue", "policy", "finalStatus", "gang"}) {
            assertTrue(job.get(text).isTextual(), text);
        }
        assertEquals(1, job.get("profile").get(0).get("vcores").asLong(), "points by rising vcores");
        assertEquals(20, job.get("profile").get(0).get("samplesPerSecond").asDouble());
        JsonNode resize = job.get("resizes").get(0);
        assertEquals("container_1", resize.get("containerId").asText());
        assertEquals(12.346, resize.get("atSeconds").asDouble());
        assertEquals(3, resize.get("from").asLong());
        assertEquals(8, resize.get("to").asLong());
        assertEquals("scheduler", resize.get("by").asText());
        assertEquals(1000, job.get("samples").asLong());
        assertEquals(40, job.get("jctSeconds").asDouble());
        assertFalse(json.has("testAccuracy"));
    }

    @Test
    void comparesWithTheLastPolicy() throws Exception {
        JsonNode comparison = new ObjectMapper()
                .readTree(DemoJson.write(DemoResults.twoPolicies()))
                .get("comparison");

        assertEquals("srtf+synergy-tune", comparison.get("policies").get(0).asText());
        assertEquals(
                50, comparison.get("meanJctSeconds").get("srtf+synergy-tune").asDouble());
        assertEquals(
                80, comparison.get("meanJctSeconds").get("fifo+proportional").asDouble());
        assertEquals(1.6, comparison.get("ratio").asDouble());
    }

    @Test
    void accuracyIsWrittenWhereThereIsOne() throws Exception {
        DemoResult mix = DemoResults.twoPolicies();
        DemoResult torch =
                new DemoResult(mix.hadoop(), 1, 0.2, mix.nodes(), mix.policies(), mix.jobs(), OptionalDouble.of(0.97));

        assertEquals(
                0.97,
                new ObjectMapper()
                        .readTree(DemoJson.write(torch))
                        .get("testAccuracy")
                        .asDouble());
    }
}
