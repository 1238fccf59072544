// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the ResourceManager wants the GPUs of a node to draw at most, at {@code /treadle/power/<host:port>} (spec: {@code
 * docs/spec/node-caps.md}).
 *
 * @param epoch grows with every record that is written for the node, also over restarts of the ResourceManager
 * @param leaseMs how long the caps hold without a newer record, ms; then the node restores its own limits
 * @param caps W, by UUID; a GPU that is not named gets its own limit back
 */
public record NodeCaps(long epoch, long leaseMs, Map<String, Double> caps) {
    public static final long LEAST_LEASE_MS = 1_000;
    public static final long MOST_LEASE_MS = 3_600_000;
    /** How far an epoch, which is its writer's clock, may be ahead of its reader's. */
    public static final long MOST_AHEAD_MS = 24L * 3_600_000;

    private static final int SCHEMA = 1;
    private static final double MOST_WATTS = 100_000;

    public NodeCaps {
        caps = Map.copyOf(caps);
    }

    public String toJson() {
        ObjectNode json = Fields.MAPPER
                .createObjectNode()
                .put("schema", SCHEMA)
                .put("epoch", epoch)
                .put("leaseMs", leaseMs);
        ObjectNode watts = json.putObject("caps");
        new TreeMap<>(caps).forEach(watts::put);
        return json.toString();
    }

    /** @throws WireFormatException if the text is no such record */
    public static NodeCaps fromJson(String what, String text) {
        Fields json = Fields.parse(what, text).checkSchema(SCHEMA);
        Fields watts = json.object("caps");
        Map<String, Double> caps = new TreeMap<>();
        // 0 would be a GPU that may draw nothing: no GPU can do that, and it is more likely a fault of the writer.
        watts.names().forEach(uuid -> caps.put(uuid, watts.number(uuid, 1, MOST_WATTS)));
        return new NodeCaps(
                json.integer("epoch", 1, Long.MAX_VALUE), json.integer("leaseMs", LEAST_LEASE_MS, MOST_LEASE_MS), caps);
    }
}
