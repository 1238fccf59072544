// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.sleep;

import java.util.List;
import java.util.Set;

/**
 * What applications wait for.
 *
 * @param needs what their queues may hold once all nodes are on
 * @param unlimited partitions of needs that no limit on power may hold back
 * @param partitions in which any waits at all, also for what its queue may not hold: queues' limits are shares of what is on
 */
public record Waiting(List<Need> needs, Set<String> unlimited, Set<String> partitions) {
    /** For nothing. */
    public static final Waiting NOTHING = new Waiting(List.of(), Set.of(), Set.of());

    public Waiting {
        needs = List.copyOf(needs);
        unlimited = Set.copyOf(unlimited);
        partitions = Set.copyOf(partitions);
    }
}
