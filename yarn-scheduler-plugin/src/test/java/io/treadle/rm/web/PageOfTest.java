// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PageOfTest {
    private static final List<Integer> ALL = List.of(1, 2, 3, 4, 5);

    @Test
    void pageIsAsManyAsAreAskedForAfterThoseBefore() {
        assertEquals(ALL, PageOf.parse("", "").of(ALL));
        assertEquals(List.of(3, 4), PageOf.parse("2", "2").of(ALL));
        assertEquals(List.of(5), PageOf.parse("2", "4").of(ALL));
        assertEquals(List.of(), PageOf.parse("2", "1000000000").of(ALL));
    }

    @Test
    void whatIsNoNumberInItsRangeIsRefused() {
        for (String limit : List.of("0", "10001", "-1", "x", "99999999999999999999")) {
            IllegalArgumentException refused =
                    assertThrows(IllegalArgumentException.class, () -> PageOf.parse(limit, ""), limit);
            assertEquals("limit is '" + limit + "', must be a whole number from 1 to 10000", refused.getMessage());
        }
        assertThrows(IllegalArgumentException.class, () -> PageOf.parse("", "-1"));
    }

    @Test
    void answersAreBoundedAndSayHowManyThereAre() throws Exception {
        BigCluster cluster = new BigCluster(1200, 1);
        ObjectMapper mapper = new ObjectMapper();
        JsonNode nodes = mapper.readTree(StatusJson.nodes(cluster.nodes(), PageOf.FIRST, id -> true));
        assertEquals(PageOf.DEFAULT, nodes.path("nodes").size());
        assertEquals(1200, nodes.path("total").asInt());
        JsonNode rest = mapper.readTree(StatusJson.nodes(cluster.nodes(), PageOf.parse("", "1000"), id -> true));
        assertEquals(200, rest.path("nodes").size());

        String list = StatusJson.jobs(cluster.jobs(), PageOf.FIRST, 1, queue -> "fifo", id -> Optional.empty());
        assertTrue(list.length() < 100_000, () -> list.length() + " characters for one job");
        JsonNode job = mapper.readTree(list).path("jobs").path(0);
        assertEquals(100, job.path("containers").size());
        assertEquals(9600, job.path("containersTotal").asInt());
        assertEquals("9600/9600", job.path("gang").asText());
    }
}
