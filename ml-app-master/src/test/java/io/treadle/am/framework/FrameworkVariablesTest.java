// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.framework;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.am.protocol.Assignment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FrameworkVariablesTest {
    private static Assignment task(String group, int index, Map<String, List<String>> addresses) {
        return new Assignment(
                0, 4, group, index, 2, "n1", 4001, 0, 3, "application_1_1", "train", "/ck", Map.of(), addresses, -1);
    }

    private static Map<String, List<String>> groups(boolean scheduler) {
        Map<String, List<String>> groups = new LinkedHashMap<>();
        groups.put("worker", List.of("n1:4001", "n2:4002"));
        groups.put("ps", List.of("n1:4003"));
        groups.put("evaluator", List.of("n3:4004"));
        if (scheduler) {
            groups.put("scheduler", List.of("n4:4005"));
        }
        return groups;
    }

    @Test
    void tensorFlow() {
        assertEquals(
                Map.of(
                        "TF_CONFIG",
                        "{\"cluster\":{\"worker\":[\"n1:4001\",\"n2:4002\"],\"ps\":[\"n1:4003\"]},"
                                + "\"task\":{\"type\":\"worker\",\"index\":1}}"),
                TensorFlowVariables.of(task("worker", 1, groups(false))));
        assertEquals(Map.of(), TensorFlowVariables.of(task("worker", 1, Map.of())));
    }

    /** The chief and the servers are the cluster; the evaluator knows them, and none of them knows the evaluator. */
    @Test
    void tensorFlowWithAChiefAndAnEvaluator() {
        Map<String, List<String>> groups = new LinkedHashMap<>();
        groups.put("chief", List.of("n0:4000"));
        groups.putAll(groups(false));
        String cluster = "{\"cluster\":{\"chief\":[\"n0:4000\"],\"worker\":[\"n1:4001\",\"n2:4002\"],"
                + "\"ps\":[\"n1:4003\"]},\"task\":{\"type\":\"%s\",\"index\":%d}}";
        for (String group : List.of("chief", "ps", "evaluator")) {
            assertEquals(
                    Map.of("TF_CONFIG", String.format(Locale.ROOT, cluster, group, 0)),
                    TensorFlowVariables.of(task(group, 0, groups)));
        }
        assertEquals(
                String.format(Locale.ROOT, cluster, "worker", 1),
                TensorFlowVariables.of(task("worker", 1, groups)).get("TF_CONFIG"));
    }

    @Test
    void serversAndWorkers() {
        assertEquals(
                Map.of(
                        "TREADLE_WORKERS", "n1:4001,n2:4002",
                        "TREADLE_SERVERS", "n1:4003",
                        "TREADLE_RPC_NAME", "ps0",
                        "DMLC_ROLE", "server",
                        "DMLC_PS_ROOT_URI", "n1",
                        "DMLC_PS_ROOT_PORT", "4001",
                        "DMLC_NUM_WORKER", "2",
                        "DMLC_NUM_SERVER", "1"),
                ServerVariables.of(task("ps", 0, groups(false))));
    }

    @Test
    void aSchedulerIsTheRootWhereThereIsOne() {
        Map<String, String> variables = ServerVariables.of(task("scheduler", 0, groups(true)));
        assertEquals("scheduler", variables.get("DMLC_ROLE"));
        assertEquals("n4", variables.get("DMLC_PS_ROOT_URI"));
        assertEquals("4005", variables.get("DMLC_PS_ROOT_PORT"));
    }

    @Test
    void othersHaveNoRole() {
        Map<String, String> variables = ServerVariables.of(task("evaluator", 0, groups(false)));
        assertEquals(
                Map.of(
                        "TREADLE_WORKERS", "n1:4001,n2:4002",
                        "TREADLE_SERVERS", "n1:4003",
                        "TREADLE_RPC_NAME", "evaluator0"),
                variables);
    }

    @Test
    void gangsWithoutServersHaveNone() {
        assertEquals(Map.of(), ServerVariables.of(task("worker", 0, Map.of("worker", List.of("n1:1")))));
    }
}
