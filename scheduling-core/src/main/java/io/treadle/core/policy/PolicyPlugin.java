// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

import io.treadle.core.placement.Placement;
import io.treadle.core.policy.order.Order;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Policies of somebody else's, in a jar whose {@code META-INF/services/io.treadle.core.policy.PolicyPlugin} names a class
 * that implements this: found by its names in the ResourceManager and in the simulator alike. Names are of small letters,
 * digits and {@code -}, and differ from all others.
 */
public interface PolicyPlugin {
    /** Orders, each with every allocation: {@code <order>+<allocation>}. */
    default List<Order> orders() {
        return List.of();
    }

    default List<Placement> placements() {
        return List.of();
    }

    /** Policies that decide everything themselves, by name; each is made with the placement that its queue is set to. */
    default Map<String, Function<Placement, Policy>> policies() {
        return Map.of();
    }
}
