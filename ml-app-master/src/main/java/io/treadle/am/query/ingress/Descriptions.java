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

    /**
     * A workflow is a model to who asks it.
     *
     * @param known its outputs; empty while only their names are known
     */
    static ObjectNode workflow(WorkflowSpec workflow, List<TensorSpec> known) {
        ObjectNode json = JSON.createObjectNode().put("name", workflow.name()).put("platform", "treadle_workflow");
        ArrayNode inputs = json.putArray("inputs");
        workflow.inputs().forEach(input -> tensor(inputs.addObject(), input));
        ArrayNode outputs = json.putArray("outputs");
        if (known.isEmpty()) {
            workflow.outputs().keySet().forEach(name -> outputs.addObject().put("name", name));
        } else {
            known.forEach(output -> tensor(outputs.addObject(), output));
        }
        return json;
    }

    private static void tensor(ObjectNode json, TensorSpec tensor) {
        json.put("name", tensor.name()).put("datatype", tensor.type().name());
        ArrayNode shape = json.putArray("shape");
        tensor.shape().forEach(shape::add);
    }
}
