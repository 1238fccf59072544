// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.ingress;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.am.query.tensor.TensorSpec;
import io.treadle.am.query.tensor.TensorType;
import io.treadle.am.spec.ServiceSpec.WorkflowSpec;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The service's OpenAPI 3.1 document: a path for each workflow, with its inputs and, once they are known, its outputs. */
final class OpenApi {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Map<Integer, String> REFUSALS = new TreeMap<>(Map.of(
            400, "the query cannot be answered as it is",
            401, "the secret is missing or wrong",
            404, "there is no such workflow",
            413, "the query is too large",
            429, "too many queries are being answered: ask again after Retry-After",
            500, "a model failed",
            503, "the service cannot answer now: ask again after Retry-After",
            504, "the deadline has passed"));

    private OpenApi() {}

    static ObjectNode of(String name, QueryService service, IngressLimits limits) {
        ObjectNode json = JSON.createObjectNode().put("openapi", "3.1.0");
        json.putObject("info").put("title", name).put("version", Descriptions.version());
        ObjectNode paths = json.putObject("paths");
        get(paths, "/v2", "What the server is");
        get(paths, "/v2/health/live", "Whether the ingress runs").putArray("security");
        get(paths, "/v2/health/ready", "Whether a worker is there").putArray("security");
        for (WorkflowSpec workflow : service.workflows()) {
            String path = "/v2/models/" + workflow.name();
            get(paths, path, "Inputs and outputs of " + workflow.name());
            get(paths, path + "/ready", "Whether " + workflow.name() + " is answered");
            paths.putObject(path + "/infer").set("post", infer(workflow, service.outputs(workflow), limits));
        }
        ObjectNode components = json.putObject("components");
        schemas(components.putObject("schemas"));
        components
                .putObject("securitySchemes")
                .putObject("secret")
                .put("type", "http")
                .put("scheme", "bearer");
        json.putArray("security").addObject().putArray("secret");
        return json;
    }

    private static ObjectNode get(ObjectNode paths, String path, String summary) {
        ObjectNode operation = paths.putObject(path).putObject("get").put("summary", summary);
        operation.putObject("responses").putObject("200").put("description", "as asked");
        return operation;
    }

    private static ObjectNode infer(WorkflowSpec workflow, List<TensorSpec> outputs, IngressLimits limits) {
        ObjectNode post = JSON.createObjectNode()
                .put("summary", "Has " + workflow.name() + " answered")
                .put("operationId", workflow.name());
        ArrayNode parameters = post.putArray("parameters");
        header(parameters, Headers.REQUEST_ID, "names the query in the answer and in logs")
                .put("type", "string")
                .put("maxLength", Headers.MOST_ID);
        header(parameters, Headers.DEADLINE, "how long the client waits, ms")
                .put("type", "number")
                .put("exclusiveMinimum", 0)
                .put("maximum", limits.longestDeadlineMs())
                .put("default", limits.deadlineMs());
        ObjectNode body = post.putObject("requestBody").put("required", true);
        body.putObject("content").putObject("application/json").set("schema", query(workflow));
        ObjectNode responses = post.putObject("responses");
        ObjectNode answer = content(responses, 200, "the workflow's outputs", "Answer");
        if (!outputs.isEmpty()) {
            // Any of them may be asked for, in any order.
            ArrayNode any = answer.putObject("properties")
                    .putObject("outputs")
                    .putObject("items")
                    .putArray("oneOf");
            outputs.forEach(output -> any.add(tensor(output)));
        }
        REFUSALS.forEach((status, why) -> content(responses, status, why, "Error"));
        return post;
    }

    private static ObjectNode header(ArrayNode parameters, String name, String description) {
        return parameters
                .addObject()
                .put("name", name)
                .put("in", "header")
                .put("description", description)
                .putObject("schema");
    }

    private static ObjectNode content(ObjectNode responses, int status, String description, String schema) {
        return responses
                .putObject(Integer.toString(status))
                .put("description", description)
                .putObject("content")
                .putObject("application/json")
                .putObject("schema")
                .put("$ref", "#/components/schemas/" + schema);
    }

    private static ObjectNode query(WorkflowSpec workflow) {
        ObjectNode query = JSON.createObjectNode().put("type", "object");
        query.putArray("required").add("inputs");
        ObjectNode properties = query.putObject("properties");
        properties.putObject("id").put("type", "string");
        ObjectNode inputs = properties.putObject("inputs").put("type", "array");
        ArrayNode each = inputs.putArray("prefixItems");
        workflow.inputs().forEach(input -> each.add(tensor(input)));
        inputs.put("minItems", workflow.inputs().size())
                .put("maxItems", workflow.inputs().size());
        ObjectNode wanted = properties.putObject("outputs").put("type", "array").putObject("items");
        ArrayNode names = wanted.put("type", "object")
                .putObject("properties")
                .putObject("name")
                .putArray("enum");
        workflow.outputs().keySet().forEach(names::add);
        return query;
    }

    private static ObjectNode tensor(TensorSpec spec) {
        ObjectNode tensor = JSON.createObjectNode().put("$ref", "#/components/schemas/Tensor");
        ObjectNode properties = tensor.putObject("properties");
        properties.putObject("name").put("const", spec.name());
        properties.putObject("datatype").put("const", spec.type().name());
        ObjectNode shape = properties.putObject("shape");
        ArrayNode lengths = shape.putArray("prefixItems");
        for (long length : spec.shape()) {
            ObjectNode each = lengths.addObject();
            if (length == TensorSpec.ANY) {
                each.put("type", "integer").put("minimum", 0);
            } else {
                each.put("const", length);
            }
        }
        shape.put("minItems", spec.shape().size()).put("maxItems", spec.shape().size());
        return tensor;
    }

    private static void schemas(ObjectNode schemas) {
        ObjectNode tensor = schemas.putObject("Tensor").put("type", "object");
        tensor.putArray("required").add("name").add("datatype").add("shape").add("data");
        ObjectNode properties = tensor.putObject("properties");
        properties.putObject("name").put("type", "string");
        ArrayNode types = properties.putObject("datatype").putArray("enum");
        for (TensorType type : TensorType.values()) {
            types.add(type.name());
        }
        properties.putObject("shape").put("type", "array").putObject("items").put("type", "integer");
        properties.putObject("data").put("type", "array").put("description", "numbers, flat or nested as the shape is");
        ObjectNode answer = schemas.putObject("Answer").put("type", "object").putObject("properties");
        answer.putObject("model_name").put("type", "string");
        answer.putObject("id").put("type", "string");
        answer.putObject("outputs").put("type", "array").putObject("items").put("$ref", "#/components/schemas/Tensor");
        schemas.putObject("Error")
                .put("type", "object")
                .putObject("properties")
                .putObject("error")
                .put("type", "string");
    }
}
