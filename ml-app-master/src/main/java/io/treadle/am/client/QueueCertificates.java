// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.core.plan.Certificate;
import java.util.ArrayList;
import java.util.List;

/** How near the choice of a queue's jobs comes to the best, in the scheduler's record of its queues. */
final class QueueCertificates {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private QueueCertificates() {}

    /** A line for each part of the queue that is chosen for; none if the text is no such record. */
    static List<String> parse(String text, String queue) {
        List<String> lines = new ArrayList<>();
        try {
            for (JsonNode each : MAPPER.readTree(text).path("queues")) {
                if (each.path("name").asText().equals(queue)) {
                    each.path("admission").forEach(admission -> lines.add(line(admission)));
                }
            }
        } catch (JsonProcessingException e) {
            lines.clear();
        }
        return lines;
    }

    private static String line(JsonNode admission) {
        String partition = admission.path("partition").asText();
        Certificate certificate = new Certificate(
                admission.path("value").asDouble(),
                admission.path("bound").asDouble(),
                admission.path("finished").asBoolean(true));
        return "Its queue" + (partition.isEmpty() ? "" : ", nodes of label " + partition) + ": " + certificate.text()
                + ".";
    }
}
