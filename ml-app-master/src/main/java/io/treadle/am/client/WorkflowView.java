// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What a service says of a workflow. */
record WorkflowView(String name, List<InputSpec> inputs, List<String> outputs) {
    private static final String BEFORE = "/v2/models/";
    private static final String AFTER = "/infer";

    WorkflowView {
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
    }

    /** Of {@code GET /v2/models/WORKFLOW}. */
    static WorkflowView ofModel(String name, JsonNode json) {
        List<InputSpec> inputs = new ArrayList<>();
        json.path("inputs").forEach(input -> inputs.add(InputSpec.ofModel(input)));
        List<String> outputs = new ArrayList<>();
        json.path("outputs").forEach(output -> outputs.add(output.path("name").asText()));
        return new WorkflowView(name, inputs, outputs);
    }

    /** All that have a path in the OpenAPI document, for the protocol itself has no list of them. */
    static List<WorkflowView> ofOpenApi(JsonNode json) {
        List<WorkflowView> workflows = new ArrayList<>();
        Iterator<Map.Entry<String, JsonNode>> paths = json.path("paths").fields();
        while (paths.hasNext()) {
            Map.Entry<String, JsonNode> path = paths.next();
            String key = path.getKey();
            if (key.startsWith(BEFORE) && key.endsWith(AFTER) && key.length() > BEFORE.length() + AFTER.length()) {
                workflows.add(ofSchema(
                        key.substring(BEFORE.length(), key.length() - AFTER.length()),
                        path.getValue().at("/post/requestBody/content/application~1json/schema/properties")));
            }
        }
        return workflows;
    }

    private static WorkflowView ofSchema(String name, JsonNode properties) {
        List<InputSpec> inputs = new ArrayList<>();
        properties.at("/inputs/prefixItems").forEach(schema -> inputs.add(InputSpec.ofSchema(schema)));
        List<String> outputs = new ArrayList<>();
        properties.at("/outputs/items/properties/name/enum").forEach(output -> outputs.add(output.asText()));
        return new WorkflowView(name, inputs, outputs);
    }

    List<String> inputNames() {
        return inputs.stream().map(InputSpec::name).toList();
    }

    /** {@code image FP32[any, 3], mask BOOL[any]}. */
    String inputsText() {
        return inputs.stream().map(InputSpec::text).collect(Collectors.joining(", "));
    }
}
