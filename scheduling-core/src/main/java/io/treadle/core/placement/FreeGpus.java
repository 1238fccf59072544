// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Nodes by the GPUs that are free on them, so that the fullest node that still takes a task is found at once. */
final class FreeGpus {
    /** By number of free GPUs, the nodes that have as many. */
    private final List<BitSet> nodes = new ArrayList<>();

    private final int[] free;
    private long total;

    FreeGpus(int count) {
        free = new int[count];
        level(0).set(0, count);
    }

    /** @param gpus free on the node; a node that is over-committed counts as full */
    void set(int node, long gpus) {
        int now = (int) Math.max(0, gpus);
        if (now != free[node]) {
            level(free[node]).clear(node);
            level(now).set(node);
            total += now - free[node];
            free[node] = now;
        }
    }

    private BitSet level(int gpus) {
        while (nodes.size() <= gpus) {
            nodes.add(new BitSet());
        }
        return nodes.get(gpus);
    }

    /** Free GPUs of all nodes. */
    long total() {
        return total;
    }

    /** The node after {@code node} in the order of free GPUs, then of the index; -1 at the end. */
    int after(int node) {
        return next(free[node], node + 1);
    }

    /** The first node, in the order of free GPUs, that has at least so many; -1 if none has. */
    int first(long least) {
        return least >= nodes.size() ? -1 : next((int) least, 0);
    }

    /** The first of the nodes with most free GPUs; -1 where there are no nodes. */
    int freest() {
        for (int gpus = nodes.size() - 1; gpus >= 0; gpus--) {
            int node = nodes.get(gpus).nextSetBit(0);
            if (node >= 0) {
                return node;
            }
        }
        return -1;
    }

    private int next(int gpus, int from) {
        int start = from;
        for (int level = gpus; level < nodes.size(); level++) {
            int node = nodes.get(level).nextSetBit(start);
            if (node >= 0) {
                return node;
            }
            start = 0;
        }
        return -1;
    }
}
