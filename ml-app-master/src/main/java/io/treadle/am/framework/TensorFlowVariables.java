// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.framework;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.am.protocol.Assignment;
import java.util.Map;

/**
 * {@code TF_CONFIG}, by which TensorFlow's distribution strategies find each other: task groups are its jobs, so that groups
 * are best called {@code chief}, {@code worker}, {@code ps} and {@code evaluator}. An evaluator is told of the others and is
 * none of the cluster, as TensorFlow wants it.
 */
public final class TensorFlowVariables {
    private static final String EVALUATOR = "evaluator";
    private static final ObjectMapper JSON = new ObjectMapper();

    private TensorFlowVariables() {}

    public static Map<String, String> of(Assignment assignment) {
        if (assignment.addresses().isEmpty()) {
            return Map.of();
        }
        ObjectNode config = JSON.createObjectNode();
        ObjectNode cluster = config.putObject("cluster");
        assignment.addresses().forEach((group, addresses) -> {
            if (!group.equals(EVALUATOR)) {
                ArrayNode tasks = cluster.putArray(group);
                addresses.forEach(tasks::add);
            }
        });
        config.putObject("task").put("type", assignment.group()).put("index", assignment.groupRank());
        return Map.of("TF_CONFIG", config.toString());
    }
}
