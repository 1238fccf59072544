// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.am.spec.Nearest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/** {@code treadle query …}: asks a service, or what it can be asked. */
final class QueryCommand {
    private static final ObjectMapper MAPPER =
            new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private static final String QUERY = "a query of at most " + InferClient.MOST_BYTES + " bytes";
    private static final int SHOWN = 40;

    private final Console console;
    private final InputStream in;
    private final InferClient.Time time;

    QueryCommand(Console console, InputStream in, InferClient.Time time) {
        this.console = console;
        this.in = in;
        this.time = time;
    }

    /**
     * @param finding where the service is
     * @throws ClientException if the service cannot be asked so, or refuses
     */
    int run(QueryRequest request, Supplier<Endpoint> finding) throws InterruptedException {
        // Before the deadline begins: what comes through a pipe may take its time.
        Optional<byte[]> data = request.data().map(this::data);
        InferClient client = new InferClient(finding, time, request.deadlineMs(), request.retries(), this::waiting);
        try {
            if (request.workflow().isEmpty()) {
                workflows(client, request.json());
            } else if (request.isQuery()) {
                ask(client, request, request.workflow().get(), data);
            } else {
                String workflow = request.workflow().get();
                byte[] model = client.get(path(workflow));
                print(model, request.json(), json -> TensorText.workflow(WorkflowView.ofModel(workflow, json)));
            }
            return Cli.OK;
        } catch (UnansweredException e) {
            console.err().println("treadle: " + e.getMessage());
            return Cli.FAILED;
        }
    }

    private void waiting(String why) {
        console.err()
                .println("treadle: " + why.lines().findFirst().orElse("there is no answer yet")
                        + "; asking again until the deadline …");
    }

    private byte[] data(String file) {
        if (!file.equals("-")) {
            return LocalFile.read(file, InferClient.MOST_BYTES, QUERY);
        }
        try {
            return LocalFile.read(in, "standard input", InferClient.MOST_BYTES, QUERY);
        } catch (IOException e) {
            throw new ClientException("standard input cannot be read: " + Causes.message(e), e);
        }
    }

    private void workflows(InferClient client, boolean raw) throws InterruptedException {
        byte[] document = client.get("/openapi.json");
        print(document, raw, json -> {
            List<WorkflowView> workflows = WorkflowView.ofOpenApi(json);
            if (workflows.isEmpty()) {
                throw new ClientException(
                        "the service names no workflow in /openapi.json, must have a path /v2/models/WORKFLOW/infer of"
                                + " each.\nMaybe something else than a service of Treadle answers there.");
            }
            StringBuilder text = new StringBuilder();
            workflows.forEach(workflow -> text.append(TensorText.workflow(workflow)));
            return text.toString();
        });
    }

    private void ask(InferClient client, QueryRequest request, String workflow, Optional<byte[]> data)
            throws InterruptedException {
        byte[] query;
        if (data.isPresent()) {
            query = data.get();
        } else {
            WorkflowView view = WorkflowView.ofModel(workflow, InferClient.json(client.get(path(workflow))));
            query = query(view, request);
        }
        print(client.post(path(workflow) + "/infer", query), request.json(), QueryCommand::outputs);
    }

    private static String outputs(JsonNode answer) {
        if (!answer.path("outputs").isArray()) {
            throw new ClientException(
                    "the answer has no 'outputs', must be a list of tensors.\nMaybe something else than"
                            + " a service of Treadle answers there.");
        }
        StringBuilder text = new StringBuilder();
        answer.path("outputs")
                .forEach(output -> text.append(TensorText.line(output)).append('\n'));
        return text.toString();
    }

    private interface Reading {
        String text(JsonNode json);
    }

    private void print(byte[] answer, boolean raw, Reading reading) {
        if (raw) {
            console.out().println(new String(answer, StandardCharsets.UTF_8));
        } else {
            console.out().print(reading.text(InferClient.json(answer)));
        }
    }

    private static byte[] query(WorkflowView workflow, QueryRequest request) {
        ObjectNode query = MAPPER.createObjectNode();
        ArrayNode inputs = query.putArray("inputs");
        checkNames(workflow, request.inputs().keySet());
        for (InputSpec spec : workflow.inputs()) {
            String given = request.inputs().get(spec.name());
            if (given == null) {
                throw new ClientException("'" + workflow.name() + "' is not given the input " + spec.text()
                        + ", must be given " + workflow.inputsText());
            }
            inputs.add(InputTensor.of(spec, value(spec.name(), given)));
        }
        if (!request.outputs().isEmpty()) {
            ArrayNode outputs = query.putArray("outputs");
            for (String output : request.outputs()) {
                known("output", output, workflow.name(), workflow.outputs(), String.join(", ", workflow.outputs()));
                outputs.addObject().put("name", output);
            }
        }
        try {
            byte[] bytes = MAPPER.writeValueAsBytes(query);
            if (bytes.length > InferClient.MOST_BYTES) {
                throw new ClientException("the query has " + bytes.length + " bytes, must have at most "
                        + InferClient.MOST_BYTES + ".\nMaybe ask with fewer samples at a time.");
            }
            return bytes;
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void checkNames(WorkflowView workflow, Set<String> given) {
        for (String name : new TreeSet<>(given)) {
            known("input", name, workflow.name(), workflow.inputNames(), workflow.inputsText());
        }
    }

    private static void known(String what, String name, String workflow, List<String> known, String words) {
        if (!known.contains(name)) {
            throw new ClientException("'" + workflow + "' has no " + what + " '" + name + "', must be one of " + words
                    + Nearest.of(name, known)
                            .map(near -> ".\nMaybe '" + near + "'.")
                            .orElse(""));
        }
    }

    private static JsonNode value(String name, String given) {
        boolean isFile = given.startsWith("@");
        try {
            JsonNode value = isFile
                    ? MAPPER.readTree(LocalFile.read(given.substring(1), InferClient.MOST_BYTES, QUERY))
                    : MAPPER.readTree(given);
            if (value != null && !value.isMissingNode()) {
                return value;
            }
            throw new ClientException(noJson(name, given, "it is empty"));
        } catch (JsonProcessingException e) {
            throw new ClientException(noJson(name, given, e.getOriginalMessage()), e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String noJson(String name, String given, String why) {
        String shown = given.length() > SHOWN ? given.substring(0, SHOWN) + "…" : given;
        return "input '" + name + "' is '" + shown + "', must be "
                + (given.startsWith("@") ? "a file with " : "") + "a number or nested lists of numbers in JSON: "
                + why.lines().findFirst().orElse("")
                + (given.startsWith("@")
                        ? ""
                        : ".\nMaybe quote it: --input '" + name + "=[[1, 2]]', or name a file: --input " + name
                                + "=@FILE.");
    }

    private static String path(String workflow) {
        // What is written as a space in forms is a plus in paths.
        return "/v2/models/"
                + URLEncoder.encode(workflow, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
