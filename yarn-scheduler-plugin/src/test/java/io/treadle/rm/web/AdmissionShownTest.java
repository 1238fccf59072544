// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.core.plan.Certificate;
import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.bridge.StatusReport;
import io.treadle.rm.scheduler.QueueAdmission;
import java.util.List;
import org.junit.jupiter.api.Test;

class AdmissionShownTest {
    private static final List<QueueAdmission> ADMISSIONS = List.of(
            new QueueAdmission("root.ml", "", new Certificate(3, 4, true)),
            new QueueAdmission("root.ml", "a100", new Certificate(5, 5, false)));

    private static StatusReport.Queue queue(String name) {
        return new StatusReport.Queue(name, ResourceVector.ZERO, ResourceVector.ZERO, ResourceVector.ZERO, 1, 2);
    }

    @Test
    void queuesTellItAsJson() throws Exception {
        JsonNode queues = new ObjectMapper()
                .readTree(StatusJson.queues(List.of(queue("root.ml"), queue("root.plain")), path -> "smd", ADMISSIONS))
                .path("queues");
        assertEquals(
                "[{\"partition\":\"\",\"value\":3.0,\"bound\":4.0,\"gap\":0.25,\"finished\":true},"
                        + "{\"partition\":\"a100\",\"value\":5.0,\"bound\":5.0,\"gap\":0.0,\"finished\":false}]",
                queues.path(0).path("admission").toString());
        assertEquals("[]", queues.path(1).path("admission").toString());
    }

    @Test
    void thePageTellsItBelowTheQueues() {
        Markup page = new Markup();
        QueueTable.writeAdmissions(page, ADMISSIONS);
        String text = page.toString();
        assertTrue(
                text.contains(
                        "<p>root.ml: of what is given out by size, before places are found, the chosen jobs bring 3.00; no choice could bring more than 4.00"
                                + " (25.0 % off).</p>"),
                text);
        assertTrue(text.contains("<p>root.ml, nodes of label a100: "), text);
        assertTrue(text.contains("the search was cut short.</p>"), text);
    }
}
