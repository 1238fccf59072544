// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** {@code demo.json}: a demo's result for machines. */
final class DemoJson {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private DemoJson() {}

    static String write(DemoResult result) {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("hadoop", result.hadoop()).put("seed", result.seed()).put("coresPerVcore", result.coresPerVcore());
        ArrayNode nodes = json.putArray("nodes");
        result.nodes().forEach(node -> node(nodes.addObject(), node));
        ArrayNode jobs = json.putArray("jobs");
        result.jobs().forEach(job -> job(jobs.addObject(), job));
        ObjectNode comparison = json.putObject("comparison");
        ArrayNode policies = comparison.putArray("policies");
        result.policies().forEach(policies::add);
        ObjectNode means = comparison.putObject("meanJctSeconds");
        result.policies().forEach(policy -> means.put(policy, round(result.meanJctSeconds(policy))));
        comparison.put("ratio", round(result.ratio()));
        result.testAccuracy().ifPresent(accuracy -> json.put("testAccuracy", accuracy));
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(json) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of plain values must be writable", e);
        }
    }

    private static void node(ObjectNode json, DemoResult.Node node) {
        json.put("node", node.name());
        ObjectNode capacity = json.putObject("capacity");
        node.capacity().forEach(capacity::put);
        ArrayNode devices = json.putArray("devices");
        for (DemoResult.Device device : node.devices()) {
            devices.addObject()
                    .put("uuid", device.uuid())
                    .put("model", device.model())
                    .put("memoryMiB", device.memoryMiB())
                    .put("simulated", device.simulated());
        }
    }

    private static void job(ObjectNode json, DemoResult.Job job) {
        json.put("applicationId", job.applicationId())
                .put("name", job.name())
                .put("queue", job.queue())
                .put("policy", job.policy())
                .put("finalStatus", job.finalStatus())
                .put("gang", job.gang());
        ArrayNode profile = json.putArray("profile");
        for (DemoResult.Point point : job.profile()) {
            profile.addObject().put("vcores", point.vcores()).put("samplesPerSecond", round(point.samplesPerSecond()));
        }
        ArrayNode resizes = json.putArray("resizes");
        for (DemoResult.Resize resize : job.resizes()) {
            resizes.addObject()
                    .put("containerId", resize.containerId())
                    .put("atSeconds", round(resize.atSeconds()))
                    .put("from", resize.from())
                    .put("to", resize.to())
                    .put("by", resize.by())
                    .put("samplesPerSecondBefore", round(resize.before()))
                    .put("samplesPerSecondAfter", round(resize.after()));
        }
        json.put("samples", job.samples())
                .put("arrivalSeconds", round(job.arrivalSeconds()))
                .put("jctSeconds", round(job.jctSeconds()))
                .put("cpuSeconds", round(job.cpuSeconds()))
                .put("vcoreSeconds", round(job.vcoreSeconds()))
                .put("restarts", job.restarts());
        ArrayNode spans = json.putArray("spans");
        for (DemoResult.Span span : job.spans()) {
            ArrayNode held = spans.addObject()
                    .put("fromSeconds", round(span.fromSeconds()))
                    .put("toSeconds", round(span.toSeconds()))
                    .put("vcores", span.vcores())
                    .put("gpus", span.gpus())
                    .putArray("nodes");
            span.nodes().forEach(held::add);
        }
    }

    /** Three decimals: more would only look exact. */
    private static double round(double value) {
        return Math.round(value * 1000) / 1000.0;
    }
}
