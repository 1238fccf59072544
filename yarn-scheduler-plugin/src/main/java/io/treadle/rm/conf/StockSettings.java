// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.conf;

import java.util.Set;
import java.util.stream.Stream;

/**
 * Tells CapacityScheduler's own settings of queues, labels, users and node orders by their names. A queue, a label or a user may
 * be called {@code treadle}, also one that does not exist yet or any more.
 */
final class StockSettings {
    /** Parts of their names, of Hadoop 3.4 and 3.5. A setting is CapacityScheduler's own if its name has one of them. */
    private static final Set<String> PARTS = Set.of(
            "accessible-node-labels",
            "allow-zero-capacity-sum",
            "auto-create-child-queue",
            "auto-queue-creation-v2",
            "average-capacity",
            "capacity",
            "class",
            "default-application-lifetime",
            "default-application-priority",
            "default-node-label-expression",
            "disable_preemption",
            "instantaneous-max-capacity",
            "intra-queue-preemption",
            "leaf-queue-template",
            "max-parallel-apps",
            "max-resource",
            "maximum-allocation",
            "maximum-allocation-mb",
            "maximum-allocation-vcores",
            "maximum-am-resource-percent",
            "maximum-application-lifetime",
            "maximum-applications",
            "maximum-capacity",
            "min-resource",
            "minimum-user-limit-percent",
            "multi-node-sorting",
            "ordering-policy",
            "priority",
            "queues",
            "reservable",
            "reservation-agent",
            "reservation-enforcement-window",
            "reservation-move-on-expiry",
            "reservation-planner",
            "reservation-policy",
            "reservation-window",
            "show-reservations-as-queues",
            "sorting-interval",
            "state",
            "user-limit-factor",
            "user-settings",
            "weight");

    private static final String ACL = "acl_";

    private StockSettings() {}

    /** @param name what stands in a key behind the name of a queue, a label, a user or a node order */
    static boolean isName(String name) {
        return Stream.of(name.split("\\.")).anyMatch(part -> PARTS.contains(part) || part.startsWith(ACL));
    }
}
