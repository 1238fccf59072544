// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.core.resource.ResourceVector;
import java.util.Map;
import java.util.TreeMap;

/**
 * Nodes that are switched off, at {@code /treadle/sleeping-nodes}, for the ResourceManager that comes next (spec: {@code
 * docs/spec/sleeping-nodes.md}).
 *
 * @param nodes by {@code host:port} of the NodeManager
 */
public record SleepingNodesRecord(Map<String, Node> nodes) {
    /** All are on. */
    public static final SleepingNodesRecord EMPTY = new SleepingNodesRecord(Map.of());

    private static final int SCHEMA = 1;
    private static final long MOST = 1_000_000_000_000L;

    public SleepingNodesRecord {
        nodes = Map.copyOf(nodes);
    }

    /**
     * What it offers when it is on.
     *
     * @param partition its label; empty for none
     */
    public record Node(String partition, ResourceVector capacity) {}

    public String toJson() {
        ObjectNode json = Fields.MAPPER.createObjectNode().put("schema", SCHEMA);
        ObjectNode byId = json.putObject("nodes");
        new TreeMap<>(nodes).forEach((id, node) -> byId.putObject(id)
                .put("partition", node.partition())
                .put("gpus", node.capacity().gpus())
                .put("vcores", node.capacity().vcores())
                .put("memoryMiB", node.capacity().memoryMiB())
                .put("gpuMemoryMiB", node.capacity().gpuMemoryMiB())
                .put("storageMBps", node.capacity().storageMBps())
                .put("watts", node.capacity().watts()));
        return json.toString();
    }

    /** @throws WireFormatException if the text is no such record */
    public static SleepingNodesRecord fromJson(String what, String text) {
        Fields json = Fields.parse(what, text).checkSchema(SCHEMA);
        Map<String, Node> nodes = new TreeMap<>();
        if (json.has("nodes")) {
            Fields byId = json.object("nodes");
            byId.names().forEach(id -> nodes.put(id, node(byId.object(id))));
        }
        return new SleepingNodesRecord(nodes);
    }

    private static Node node(Fields json) {
        return new Node(
                json.optionalText("partition").orElse(""),
                new ResourceVector(
                        json.integer("gpus", 0, MOST, 0),
                        json.integer("vcores", 0, MOST),
                        json.integer("memoryMiB", 0, MOST),
                        json.integer("gpuMemoryMiB", 0, MOST, 0),
                        json.integer("storageMBps", 0, MOST, 0),
                        json.integer("watts", 0, MOST, 0)));
    }
}
