// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.treadle.core.plan.Certificate;
import java.util.ArrayList;
import java.util.List;

/** How near the choice of a queue's jobs comes to the best, in the scheduler's record of its queues. */
final class QueueCertificates {
    private QueueCertificates() {}

    /** A line for each part of the queue that is chosen for; none if the record has none. */
    static List<String> of(JsonNode record, String queue) {
        List<String> lines = new ArrayList<>();
        for (JsonNode each : record.path("queues")) {
            if (each.path("name").asText().equals(queue)) {
                each.path("admission").forEach(admission -> lines.add(line(admission)));
            }
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
