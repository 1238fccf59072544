// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** What the page's script works on, as elements that no browser runs. */
final class PageData {
    private static final ObjectMapper JSON = new ObjectMapper();

    private PageData() {}

    static String html(ReportSubject subject, JobColumns jobs, String packedJobs, List<PolicyFigures> policies) {
        StringBuilder html = new StringBuilder();
        html.append(element("data", "application/json", safe(settings(subject, jobs, policies))));
        html.append(element("jobs", "text/plain", packedJobs));
        for (int i = 0; i < policies.size(); i++) {
            html.append(
                    element("runs-" + i, "text/plain", policies.get(i).runs().packed()));
        }
        return html.toString();
    }

    static String element(String id, String type, String text) {
        return "<script type=\"" + type + "\" id=\"" + id + "\">" + text + "</script>\n";
    }

    /** Without a character that could end the element: JSON has them within strings only. */
    static String safe(ObjectNode json) {
        return json.toString().replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026");
    }

    private static ObjectNode settings(ReportSubject subject, JobColumns jobs, List<PolicyFigures> policies) {
        NodeTable nodes = new NodeTable(subject.cluster());
        ObjectNode json = JSON.createObjectNode();
        json.put("zeroMs", subject.jobs().get(0).submitMs());
        json.put(
                "lastMs",
                policies.stream().mapToLong(PolicyFigures::lastMs).max().orElse(0));
        json.put("jobs", jobs.kept());
        json.put("allJobs", subject.jobs().size());
        ArrayNode partitions = json.putArray("partitions");
        nodes.partitions().forEach(span -> partitions
                .addObject()
                .put("name", span.name())
                .put("first", span.firstNode())
                .put("nodes", span.nodes()));
        ArrayNode names = json.putArray("nodes");
        ArrayNode gpus = json.putArray("gpus");
        for (int node = 0; node < nodes.size(); node++) {
            names.add(nodes.path(node));
            gpus.add(nodes.gpus(node));
        }
        ArrayNode queues = json.putArray("queues");
        jobs.queues().forEach(queues::add);
        ArrayNode users = json.putArray("users");
        jobs.users().forEach(users::add);
        ArrayNode each = json.putArray("policies");
        policies.forEach(policy -> {
            ArrayNode down = each.addObject()
                    .put("name", policy.summary().policy())
                    .put("lastMs", policy.lastMs())
                    .put("busiestMs", policy.series().busiestMs())
                    .putArray("down");
            policy.outages().forEach(outage -> down.addArray()
                    .add(outage.node())
                    .add(outage.fromMs())
                    .add(outage.toMs()));
        });
        return json;
    }
}
