// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import java.util.Arrays;
import java.util.List;

/** Where the tasks of a job are that are sized alike. */
final class Spread {
    private final String jobId;
    private final int[] nodes;
    private final int[] counts;
    private final int tasks;

    /** @param all at least one */
    Spread(String jobId, List<Grant.Task> all) {
        this.jobId = jobId;
        this.tasks = all.size();
        int[] on = new int[tasks];
        int[] many = new int[tasks];
        int known = 0;
        for (Grant.Task task : all) {
            int at = 0;
            while (at < known && on[at] != task.node()) {
                at++;
            }
            on[at] = task.node();
            many[at]++;
            known = Math.max(known, at + 1);
        }
        this.nodes = Arrays.copyOf(on, known);
        this.counts = Arrays.copyOf(many, known);
    }

    String jobId() {
        return jobId;
    }

    /** How many nodes they are on. */
    int nodes() {
        return nodes.length;
    }

    /** The node at this place, from 0. */
    int node(int place) {
        return nodes[place];
    }

    /** How many tasks are on the node at this place. */
    int count(int place) {
        return counts[place];
    }

    /** How many tasks are on this node. */
    int on(int node) {
        for (int i = 0; i < nodes.length; i++) {
            if (nodes[i] == node) {
                return counts[i];
            }
        }
        return 0;
    }

    /** How many they are. */
    int tasks() {
        return tasks;
    }
}
