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
 * @param clusterEnergy what all nodes may use over time, in a form of {@code --budget}; {@code none} lifts it, empty where the
 *     setting counts
 * @param queueEnergies the same of the GPUs of a queue's jobs, by the queue's path
 */
public record PowerBudgetsRecord(
        Optional<OptionalDouble> cluster,
        Map<String, OptionalDouble> queues,
        Optional<String> clusterEnergy,
        Map<String, String> queueEnergies) {
    /** The settings alone count. */
    public static final PowerBudgetsRecord EMPTY =
            new PowerBudgetsRecord(Optional.empty(), Map.of(), Optional.empty(), Map.of());

    public static final double LEAST_WATTS = 1;
    public static final double MOST_WATTS = 1e9;

    private static final int SCHEMA = 1;

    public PowerBudgetsRecord {
        queues = Map.copyOf(queues);
        queueEnergies = Map.copyOf(queueEnergies);
    }

    /** @param watts without a value: no budget; empty: what the setting says */
    public PowerBudgetsRecord withCluster(Optional<OptionalDouble> watts) {
        return new PowerBudgetsRecord(watts, queues, clusterEnergy, queueEnergies);
    }

    /** @param watts without a value: no budget; empty: what the setting says */
    public PowerBudgetsRecord withQueue(String path, Optional<OptionalDouble> watts) {
        return new PowerBudgetsRecord(cluster, with(queues, path, watts), clusterEnergy, queueEnergies);
    }

    /** @param energy empty: what the setting says */
    public PowerBudgetsRecord withClusterEnergy(Optional<String> energy) {
        return new PowerBudgetsRecord(cluster, queues, energy, queueEnergies);
    }

    /** @param energy empty: what the setting says */
    public PowerBudgetsRecord withQueueEnergy(String path, Optional<String> energy) {
        return new PowerBudgetsRecord(cluster, queues, clusterEnergy, with(queueEnergies, path, energy));
    }

    private static <T> Map<String, T> with(Map<String, T> queues, String path, Optional<T> value) {
        Map<String, T> changed = new HashMap<>(queues);
        value.ifPresentOrElse(v -> changed.put(path, v), () -> changed.remove(path));
        return changed;
    }

    public String toJson() {
        ObjectNode json = Fields.MAPPER.createObjectNode().put("schema", SCHEMA);
        cluster.ifPresent(c -> write(json.putObject("cluster"), c));
        ObjectNode byPath = json.putObject("queues");
        new TreeMap<>(queues).forEach((path, watts) -> write(byPath.putObject(path), watts));
        clusterEnergy.ifPresent(energy -> json.put("clusterEnergy", energy));
        if (!queueEnergies.isEmpty()) {
            ObjectNode energies = json.putObject("queueEnergies");
            new TreeMap<>(queueEnergies).forEach((path, energy) -> energies.put(path, energy));
        }
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
        Map<String, String> energies = new TreeMap<>();
        if (json.has("queueEnergies")) {
            Fields byPath = json.object("queueEnergies");
            byPath.names().forEach(path -> energies.put(path, byPath.text(path)));
        }
        return new PowerBudgetsRecord(
                json.has("cluster") ? Optional.of(watts(json.object("cluster"))) : Optional.empty(),
                queues,
                json.optionalText("clusterEnergy"),
                energies);
    }

    private static OptionalDouble watts(Fields json) {
        return json.has("watts")
                ? OptionalDouble.of(json.number("watts", LEAST_WATTS, MOST_WATTS))
                : OptionalDouble.empty();
    }
}
