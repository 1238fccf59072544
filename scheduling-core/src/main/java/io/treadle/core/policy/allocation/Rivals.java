// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Jobs that could use the same nodes, one with another: what one such set is given is nothing to the next. */
final class Rivals {
    /** By node, another of the same set, up to the one that stands for all. */
    private final Map<Integer, Integer> parents = new HashMap<>();

    private Rivals() {}

    /** The sets, in the order of their first jobs; within each, jobs keep their order. */
    static Collection<List<SpeedUp>> of(List<SpeedUp> jobs) {
        Rivals rivals = new Rivals();
        for (SpeedUp job : jobs) {
            Spread spread = job.spread();
            for (int i = 1; i < spread.nodes(); i++) {
                rivals.parents.put(rivals.root(spread.node(i)), rivals.root(spread.node(0)));
            }
        }
        Map<Integer, List<SpeedUp>> sets = new LinkedHashMap<>();
        for (SpeedUp job : jobs) {
            sets.computeIfAbsent(rivals.root(job.spread().node(0)), root -> new ArrayList<>())
                    .add(job);
        }
        return sets.values();
    }

    private int root(int node) {
        int root = node;
        while (parents.getOrDefault(root, root) != root) {
            root = parents.getOrDefault(root, root);
        }
        parents.put(node, root);
        return root;
    }
}
