// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What has been used of energy budgets, at {@code /treadle/power-used}, for the ResourceManager that comes next (spec:
 * {@code docs/spec/power-budgets.md}).
 *
 * @param cluster of the budget of all nodes
 * @param queues of those of queues, by path
 */
public record BudgetUseRecord(Optional<Use> cluster, Map<String, Use> queues) {
    /** Nothing has been used of any budget. */
    public static final BudgetUseRecord EMPTY = new BudgetUseRecord(Optional.empty(), Map.of());

    private static final int SCHEMA = 1;
    private static final double MOST_JOULES = 1e18;

    public BudgetUseRecord {
        queues = Map.copyOf(queues);
    }

    /**
     * Of one budget.
     *
     * @param budget it was used of, in a form of {@code --budget}
     * @param atMs when this was so, ms since the epoch
     * @param usedJoules in all, or in the window that {@code atMs} is in, J
     * @param ledgerJoules what nodes had counted for it since their NodeManagers started, J
     */
    public record Use(String budget, long atMs, double usedJoules, double ledgerJoules) {}

    public String toJson() {
        ObjectNode json = Fields.MAPPER.createObjectNode().put("schema", SCHEMA);
        cluster.ifPresent(use -> write(json.putObject("cluster"), use));
        ObjectNode byPath = json.putObject("queues");
        new TreeMap<>(queues).forEach((path, use) -> write(byPath.putObject(path), use));
        return json.toString();
    }

    private static void write(ObjectNode json, Use use) {
        json.put("budget", use.budget())
                .put("atMs", use.atMs())
                .put("usedJoules", use.usedJoules())
                .put("ledgerJoules", use.ledgerJoules());
    }

    /** @throws WireFormatException if the text is no such record */
    public static BudgetUseRecord fromJson(String what, String text) {
        Fields json = Fields.parse(what, text).checkSchema(SCHEMA);
        Map<String, Use> queues = new TreeMap<>();
        if (json.has("queues")) {
            Fields byPath = json.object("queues");
            byPath.names().forEach(path -> queues.put(path, use(byPath.object(path))));
        }
        return new BudgetUseRecord(
                json.has("cluster") ? Optional.of(use(json.object("cluster"))) : Optional.empty(), queues);
    }

    private static Use use(Fields json) {
        return new Use(
                json.text("budget"),
                json.integer("atMs", 0, Long.MAX_VALUE),
                json.number("usedJoules", 0, MOST_JOULES),
                json.number("ledgerJoules", 0, MOST_JOULES));
    }
}
