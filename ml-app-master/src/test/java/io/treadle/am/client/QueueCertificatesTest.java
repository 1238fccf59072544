// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueueCertificatesTest {
    private static final String QUEUES =
            """
            {"queues": [{"name": "root.ml", "admission": [{"partition": "", "value": 3.0, "bound": 4.0, "gap": 0.25, "finished": true},
             {"partition": "a100", "value": 5.0, "bound": 5.0, "gap": 0.0, "finished": false}]},
             {"name": "root.plain", "admission": []}]}
            """;

    @Test
    void sayWhatTheJobsOfAQueueBringAndWhatTheyCouldAtMost() throws Exception {
        assertEquals(
                List.of(
                        "Its queue: of what is given out by size, before places are found, the chosen jobs bring 3.00; no choice could bring more than 4.00 (25.0 % off).",
                        "Its queue, nodes of label a100: of what is given out by size, before places are found, the chosen jobs bring 5.00; no choice could bring more than 5.00 (0.0 % off); the search was cut short."),
                QueueCertificates.of(new ObjectMapper().readTree(QUEUES), "root.ml"));
    }

    @Test
    void whereNobodyChoosesThereIsNothingToSay() throws Exception {
        assertEquals(List.of(), QueueCertificates.of(new ObjectMapper().readTree(QUEUES), "root.plain"));
        assertEquals(List.of(), QueueCertificates.of(new ObjectMapper().readTree(QUEUES), "root.other"));
        assertEquals(List.of(), QueueCertificates.of(new ObjectMapper().readTree("{}"), "root.ml"));
    }
}
