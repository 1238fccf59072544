// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.core.budget.EnergyBudget;
import io.treadle.core.wire.PowerBudgetsRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A budget that somebody wants to set.
 *
 * @param queue full path; empty for the cluster
 * @param watts what may be drawn; empty where that stays as it is
 * @param energy what may be used over time; empty where that stays as it is
 */
record PowerChange(Optional<String> queue, Optional<Watts> watts, Optional<Energy> energy) {
    /** @param value W; without a value: no budget; empty: what the setting says */
    record Watts(Optional<OptionalDouble> value) {
        @Override
        public String toString() {
            return value.map(w -> w.isPresent() ? w.getAsDouble() + " W" : "none")
                    .orElse("as the settings say");
        }
    }

    /** @param value {@link EnergyBudget#NONE} for no budget; empty: what the setting says */
    record Energy(Optional<EnergyBudget> value) {
        @Override
        public String toString() {
            return value.map(EnergyBudget::words).orElse("as the settings say");
        }
    }

    static final int MOST_CHARACTERS = 10_000;

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final List<String> FIELDS = List.of("queue", "cluster", "watts", "budget");

    /** @throws IllegalArgumentException if it is none; the message says what would be right */
    static PowerChange parse(String text) {
        JsonNode json;
        try {
            json = MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("the body is not JSON: " + e.getOriginalMessage(), e);
        }
        if (json == null || !json.isObject()) {
            throw new IllegalArgumentException(
                    "the body must be a JSON object such as {\"queue\":\"root.a\",\"watts\":3000}");
        }
        List<String> names = new ArrayList<>();
        json.fieldNames().forEachRemaining(names::add);
        names.removeAll(FIELDS);
        if (!names.isEmpty()) {
            throw new IllegalArgumentException(
                    "unknown field '" + names.get(0) + "', must be one of: " + String.join(", ", FIELDS));
        }
        boolean hasEnergy = json.has("budget");
        return new PowerChange(
                target(json),
                hasEnergy && !json.has("watts") ? Optional.empty() : Optional.of(new Watts(watts(json.get("watts")))),
                hasEnergy ? Optional.of(new Energy(energy(json.get("budget")))) : Optional.empty());
    }

    private static Optional<String> target(JsonNode json) {
        JsonNode queue = json.get("queue");
        JsonNode cluster = json.get("cluster");
        boolean ofQueue = queue != null && queue.isTextual() && !queue.asText().isBlank();
        boolean ofCluster = cluster != null && cluster.isBoolean() && cluster.asBoolean();
        if (ofQueue == ofCluster || (queue != null && !ofQueue) || (cluster != null && !ofCluster)) {
            throw new IllegalArgumentException("queue is " + queue + " and cluster is " + cluster
                    + ", must be either 'queue' with a queue's full path or 'cluster' with true");
        }
        return ofQueue ? Optional.of(queue.asText()) : Optional.empty();
    }

    private static Optional<OptionalDouble> watts(JsonNode watts) {
        if (watts != null && watts.isNull()) {
            return Optional.of(OptionalDouble.empty());
        }
        if (watts != null && watts.isTextual() && watts.asText().equals("setting")) {
            return Optional.empty();
        }
        if (watts != null
                && watts.isNumber()
                && watts.asDouble() >= PowerBudgetsRecord.LEAST_WATTS
                && watts.asDouble() <= PowerBudgetsRecord.MOST_WATTS) {
            return Optional.of(OptionalDouble.of(watts.asDouble()));
        }
        throw new IllegalArgumentException(
                "watts is " + watts
                        + ", must be a number from 1 to 1000000000, null for no budget, or \"setting\" for what the settings say");
    }

    private static Optional<EnergyBudget> energy(JsonNode budget) {
        if (budget.isNull()) {
            return Optional.of(EnergyBudget.NONE);
        }
        if (!budget.isTextual()) {
            throw new IllegalArgumentException(
                    "budget is " + budget
                            + ", must be a text such as \"500 kWh/day\", null for no budget, or \"setting\" for what the settings say");
        }
        return budget.asText().equals("setting")
                ? Optional.empty()
                : Optional.of(EnergyBudget.parse(budget.asText().trim()));
    }

    /** Whether it sets anything, and does not only leave it to the settings again. */
    boolean sets() {
        return watts.filter(w -> w.value().isPresent()).isPresent()
                || energy.filter(e -> e.value().isPresent()).isPresent();
    }

    PowerBudgetsRecord appliedTo(PowerBudgetsRecord record) {
        PowerBudgetsRecord changed = record;
        if (watts.isPresent()) {
            Optional<OptionalDouble> value = watts.get().value();
            changed = queue.isPresent() ? changed.withQueue(queue.get(), value) : changed.withCluster(value);
        }
        if (energy.isPresent()) {
            Optional<String> value = energy.get().value().map(EnergyBudget::text);
            changed =
                    queue.isPresent() ? changed.withQueueEnergy(queue.get(), value) : changed.withClusterEnergy(value);
        }
        return changed;
    }
}
