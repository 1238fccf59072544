// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.ingress;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.am.query.tensor.TensorSpec;
import io.treadle.am.spec.ServiceSpec.WorkflowSpec;
import java.util.List;
import java.util.Optional;

/** What the service says of itself and its workflows, as the Open Inference Protocol has it. */
final class Descriptions {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Descriptions() {}

    /** @param ingresses where else the same is answered */
    static ObjectNode server(String name, List<String> ingresses) {
        ObjectNode json = JSON.createObjectNode().put("name", name).put("version", version());
        json.putArray("extensions");
        ArrayNode others = json.putArray("ingresses");
        ingresses.forEach(others::add);
        return json;
    }

    static ObjectNode health(String what, boolean isSo) {
        return JSON.createObjectNode().put(what, isSo);
    }

    static String version() {
        return Optional.ofNullable(Descriptions.class.getPackage().getImplementationVersion())
                .orElse("development");
    }

    /** A workflow is a model to who asks it. What its outputs are like only its models know. */
    static ObjectNode workflow(WorkflowSpec workflow) {
        ObjectNode json = JSON.createObjectNode().put("name", workflow.name()).put("platform", "treadle_workflow");
        ArrayNode inputs = json.putArray("inputs");
        for (TensorSpec input : workflow.inputs()) {
            ObjectNode each = inputs.addObject();
            each.put("name", input.name()).put("datatype", input.type().name());
            ArrayNode shape = each.putArray("shape");
            input.shape().forEach(shape::add);
        }
        ArrayNode outputs = json.putArray("outputs");
        workflow.outputs().keySet().forEach(name -> outputs.addObject().put("name", name));
        return json;
    }
}
