// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * Power budgets that administrators have set while the ResourceManager ran, at {@code /treadle/power-budgets} (spec: {@code
 * docs/spec/power-budgets.md}). Each counts instead of what the settings say; one without watts lifts the budget.
 *
 * @param cluster what all nodes may draw, W; empty where the setting counts
 * @param queues what the GPUs of a queue's jobs may draw, W, by the queue's path; of others the setting counts
 */
public record PowerBudgetsRecord(Optional<OptionalDouble> cluster, Map<String, OptionalDouble> queues) {
    /** The settings alone count. */
    public static final PowerBudgetsRecord EMPTY = new PowerBudgetsRecord(Optional.empty(), Map.of());

    public static final double LEAST_WATTS = 1;
    public static final double MOST_WATTS = 1e9;

    private static final int SCHEMA = 1;

    public PowerBudgetsRecord {
        queues = Map.copyOf(queues);
    }

    /** @param watts without a value: no budget; empty: what the setting says */
    public PowerBudgetsRecord withCluster(Optional<OptionalDouble> watts) {
        return new PowerBudgetsRecord(watts, queues);
    }

    /** @param watts without a value: no budget; empty: what the setting says */
    public PowerBudgetsRecord withQueue(String path, Optional<OptionalDouble> watts) {
        Map<String, OptionalDouble> changed = new HashMap<>(queues);
        watts.ifPresentOrElse(w -> changed.put(path, w), () -> changed.remove(path));
        return new PowerBudgetsRecord(cluster, changed);
    }

    public String toJson() {
        ObjectNode json = Fields.MAPPER.createObjectNode().put("schema", SCHEMA);
        cluster.ifPresent(c -> write(json.putObject("cluster"), c));
        ObjectNode byPath = json.putObject("queues");
        new TreeMap<>(queues).forEach((path, watts) -> write(byPath.putObject(path), watts));
        return json.toString();
    }

    private static void write(ObjectNode json, OptionalDouble watts) {
        watts.ifPresent(w -> json.put("watts", w));
    }

    /** @throws WireFormatException if the text is no such record */
    public static PowerBudgetsRecord fromJson(String what, String text) {
        Fields json = Fields.parse(what, text).checkSchema(SCHEMA);
        Map<String, OptionalDouble> queues = new TreeMap<>();
        if (json.has("queues")) {
            Fields byPath = json.object("queues");
            byPath.names().forEach(path -> queues.put(path, watts(byPath.object(path))));
        }
        return new PowerBudgetsRecord(
                json.has("cluster") ? Optional.of(watts(json.object("cluster"))) : Optional.empty(), queues);
    }

    private static OptionalDouble watts(Fields json) {
        return json.has("watts")
                ? OptionalDouble.of(json.number("watts", LEAST_WATTS, MOST_WATTS))
                : OptionalDouble.empty();
    }
}
