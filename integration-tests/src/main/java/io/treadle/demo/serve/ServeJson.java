// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** {@code serve.json}: an array of policies and what became of the load under each; null is a figure that nothing has. */
public final class ServeJson {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private ServeJson() {}

    public static String write(ServeResult result) {
        ArrayNode policies = MAPPER.createArrayNode();
        for (PolicyRun run : result.runs()) {
            ObjectNode json = policies.addObject();
            json.put("policy", run.policy())
                    .put("queries", run.answers().size())
                    .put("failed", run.failed())
                    .put("wrong", run.wrong());
            put(json, "accuracy", run.accuracy());
            put(json, "hitRate", run.hitRate());
            run.figures()
                    .ifPresent(figures -> json.put("modelsRun", figures.tasks()).put("modelsLoaded", figures.loads()));
            latencies(json.putObject("latencyMs"), run.latencies());
            put(json, "meanRatio", result.ratio(run));
            ArrayNode workflows = json.putArray("workflows");
            for (String workflow : result.workflows()) {
                Percentiles latencies = run.latencies(workflow);
                ObjectNode each = workflows.addObject();
                each.put("workflow", workflow).put("answered", latencies.count());
                latencies(each.putObject("latencyMs"), latencies);
            }
        }
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(policies) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of plain values must be writable", e);
        }
    }

    private static void latencies(ObjectNode json, Percentiles latencies) {
        put(json, "mean", latencies.mean());
        put(json, "p50", latencies.at(50));
        put(json, "p95", latencies.at(95));
        put(json, "p99", latencies.at(99));
    }

    /** Three decimals: more would only look exact. */
    private static void put(ObjectNode json, String field, double value) {
        if (Double.isNaN(value)) {
            json.putNull(field);
        } else {
            json.put(field, Math.round(value * 1000) / 1000.0);
        }
    }
}
