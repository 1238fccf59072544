// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import io.treadle.core.resource.ResourceVector;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Nodes with free GPUs, those together that are of one kind, have as much free and as much wished for: for a placement
 * that goes by these alone, one of each group stands for all. A cluster of many nodes has few such groups.
 */
final class AlikeNodes {
    private record State(int kind, ResourceVector free, ResourceVector beyond) {}

    private final Ledger ledger;
    /** By node, what its tasks could use beyond what is charged. */
    private final ResourceVector[] beyond;

    private final BitSet changed;
    private final @Nullable State[] states;
    /** By free GPUs. */
    private final TreeMap<Long, Map<State, SortedSet<Integer>>> groups = new TreeMap<>();

    AlikeNodes(Ledger ledger) {
        int nodes = ledger.nodes().size();
        this.ledger = ledger;
        this.beyond = new ResourceVector[nodes];
        this.states = new State[nodes];
        this.changed = new BitSet(nodes);
        Arrays.fill(beyond, ResourceVector.ZERO);
        changed.set(0, nodes);
        ledger.tellChanges(changed);
    }

    void wish(int node, ResourceVector more) {
        beyond[node] = beyond[node].plus(more);
        changed.set(node);
    }

    ResourceVector beyond(int node) {
        return beyond[node];
    }

    /** The groups of nodes with at least so many free GPUs, one at least, those with fewest first. */
    Collection<Map<State, SortedSet<Integer>>> withFreeGpus(long least) {
        for (int node = changed.nextSetBit(0); node >= 0; node = changed.nextSetBit(node + 1)) {
            regroup(node);
        }
        changed.clear();
        return groups.tailMap(Math.max(1, least)).values();
    }

    private void regroup(int node) {
        State before = states[node];
        if (before != null) {
            Map<State, SortedSet<Integer>> level =
                    Objects.requireNonNull(groups.get(before.free().gpus()));
            SortedSet<Integer> alike = Objects.requireNonNull(level.get(before));
            alike.remove(node);
            if (alike.isEmpty()) {
                level.remove(before);
            }
            states[node] = null;
        }
        ResourceVector free = ledger.free(node);
        if (free.gpus() > 0) {
            State now = new State(ledger.kind(node), free, beyond[node]);
            groups.computeIfAbsent(free.gpus(), gpus -> new HashMap<>())
                    .computeIfAbsent(now, state -> new TreeSet<>())
                    .add(node);
            states[node] = now;
        }
    }
}
