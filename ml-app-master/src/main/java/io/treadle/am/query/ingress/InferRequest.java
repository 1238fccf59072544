// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.ingress;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.am.query.tensor.Tensor;
import io.treadle.am.query.tensor.TensorException;
import io.treadle.am.query.tensor.TensorJson;
import io.treadle.am.spec.ServiceSpec.WorkflowSpec;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * A query as it comes.
 *
 * @param id the client's own name for it; empty where it has none
 * @param outputs which of the workflow's the answer is to have, all of them where the client names none
 */
record InferRequest(String id, Map<String, Tensor> inputs, Set<String> outputs) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * @throws Refusal if it is none for the workflow
     * @throws IOException if it does not come
     */
    static InferRequest read(InputStream body, WorkflowSpec workflow) throws Refusal, IOException {
        try {
            JsonNode json = JSON.readTree(body);
            if (json == null || !json.isObject()) {
                throw new Refusal(400, "the body must be a JSON object with 'inputs'");
            }
            return new InferRequest(
                    json.path("id").asText(""),
                    TensorJson.read(json.path("inputs")),
                    outputs(json.path("outputs"), workflow));
        } catch (JsonProcessingException e) {
            throw new Refusal(
                    400,
                    "the body is no JSON: " + e.getOriginalMessage()
                            + (e.getLocation() == null
                                    ? ""
                                    : " (line " + e.getLocation().getLineNr() + ", column "
                                            + e.getLocation().getColumnNr() + ")"));
        } catch (TensorException e) {
            throw new Refusal(400, "inputs: " + e.getMessage());
        }
    }

    private static Set<String> outputs(JsonNode json, WorkflowSpec workflow) throws Refusal {
        Set<String> known = workflow.outputs().keySet();
        if (json.isMissingNode() || json.isEmpty()) {
            return known;
        }
        Set<String> wanted = new LinkedHashSet<>();
        for (JsonNode each : json) {
            String name = each.path("name").asText("");
            if (!known.contains(name)) {
                throw new Refusal(400, "outputs: '" + workflow.name() + "' has no output '" + name + "', but " + known);
            }
            wanted.add(name);
        }
        return wanted;
    }
}
