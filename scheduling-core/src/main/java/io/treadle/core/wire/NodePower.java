// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A node's draw and who spent it (spec: {@code docs/spec/node-record.md}).
 *
 * @param watts draw of the node, W; what {@code source} says of it tells what is in it
 * @param source {@code rapl}, {@code command} or {@code model}
 * @param capsEpoch epoch of the caps that the node follows; 0 while it follows none
 * @param gpuMillijoules energy of all its GPUs since its NodeManager started, mJ
 * @param idleMillijoules the part of it that no container spent, mJ: that of GPUs which none held, and what processes of no
 *     container used of GPUs that several share
 * @param containers the rest, by the id of the container that spent it, mJ: of those that hold a GPU, and those that have
 *     held one a short while ago
 * @param endedMillijoules what containers spent that are not named any more, mJ; all parts add up to the whole
 * @param shared by what the energy is split of each GPU that several containers share now, by its UUID; empty where none
 *     is, or the node does not say
 */
public record NodePower(
        double watts,
        String source,
        long capsEpoch,
        long gpuMillijoules,
        long idleMillijoules,
        Map<String, Long> containers,
        long endedMillijoules,
        Map<String, SharedBy> shared) {
    public NodePower {
        containers = Map.copyOf(containers);
        shared = Map.copyOf(shared);
    }

    /** Of a node on which no GPU is shared. */
    public NodePower(
            double watts,
            String source,
            long capsEpoch,
            long gpuMillijoules,
            long idleMillijoules,
            Map<String, Long> containers,
            long endedMillijoules) {
        this(watts, source, capsEpoch, gpuMillijoules, idleMillijoules, containers, endedMillijoules, Map.of());
    }

    void writeTo(ObjectNode json) {
        json.put("watts", watts)
                .put("source", source)
                .put("capsEpoch", capsEpoch)
                .put("gpuMillijoules", gpuMillijoules)
                .put("idleMillijoules", idleMillijoules)
                .put("endedMillijoules", endedMillijoules);
        ArrayNode array = json.putArray("containers");
        containers.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(e -> array.addObject().put("containerId", e.getKey()).put("millijoules", e.getValue()));
        if (!shared.isEmpty()) {
            ArrayNode gpus = json.putArray("shared");
            shared.entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(e -> gpus.addObject()
                    .put("uuid", e.getKey())
                    .put("by", e.getValue().name().toLowerCase(Locale.ROOT)));
        }
    }

    static NodePower from(Fields json) {
        Map<String, Long> containers = new LinkedHashMap<>();
        json.objects("containers")
                .forEach(c -> containers.put(c.text("containerId"), c.integer("millijoules", 0, Long.MAX_VALUE)));
        Map<String, SharedBy> shared = new LinkedHashMap<>();
        (json.has("shared") ? json.objects("shared") : List.<Fields>of())
                .forEach(gpu -> shared.put(gpu.text("uuid"), gpu.word("by", SharedBy.class)));
        return new NodePower(
                json.number("watts", 0, 1e6),
                json.text("source"),
                json.integer("capsEpoch", 0, Long.MAX_VALUE, 0),
                json.integer("gpuMillijoules", 0, Long.MAX_VALUE),
                json.integer("idleMillijoules", 0, Long.MAX_VALUE),
                containers,
                json.integer("endedMillijoules", 0, Long.MAX_VALUE),
                shared);
    }
}
