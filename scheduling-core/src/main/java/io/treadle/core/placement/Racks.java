// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import io.treadle.core.cluster.NodeView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which nodes are in which rack, both by their place in a list of nodes. */
final class Racks {
    private final List<List<Integer>> nodes;
    private final int[] rackOf;

    /** Racks in the order in which nodes name them. */
    Racks(List<NodeView> all) {
        Map<String, List<Integer>> byName = new LinkedHashMap<>();
        for (int node = 0; node < all.size(); node++) {
            byName.computeIfAbsent(all.get(node).rack(), name -> new ArrayList<>())
                    .add(node);
        }
        nodes = List.copyOf(byName.values());
        rackOf = new int[all.size()];
        for (int rack = 0; rack < nodes.size(); rack++) {
            for (int node : nodes.get(rack)) {
                rackOf[node] = rack;
            }
        }
    }

    /** By rack. */
    List<List<Integer>> nodes() {
        return nodes;
    }

    /** The place of the node's rack. */
    int of(int node) {
        return rackOf[node];
    }
}
