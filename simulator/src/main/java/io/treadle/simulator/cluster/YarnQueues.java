// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cluster;

import io.treadle.simulator.input.JsonObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Which queues' applications run on the nodes of which label where they ask for none themselves. */
final class YarnQueues {
    private final Map<String, Set<String>> byLabel = new HashMap<>();

    /** @param queue the CapacityScheduler's root queue, or one below it */
    void add(JsonObject queue) {
        // Applications name their queue by its path, those of Hadoop before 3.3 by its last part alone.
        Set<String> names =
                byLabel.computeIfAbsent(queue.text("defaultNodeLabelExpression").orElse(""), label -> new HashSet<>());
        queue.text("queuePath").ifPresent(names::add);
        queue.text("queueName").ifPresent(names::add);
        queue.object("queues").list("queue").forEach(this::add);
    }

    Set<String> of(String label) {
        return byLabel.getOrDefault(label, Set.of());
    }
}
