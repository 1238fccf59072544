// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.query;

import com.google.common.collect.Lists;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How much is left of a workflow from each task on, outputs moved at every step: rank(t) = run(t) + max over successors s of
 * (transfer(output of t) + rank(s)). Topcuoglu, Hariri, Wu: "Performance-Effective and Low-Complexity Task Scheduling for
 * Heterogeneous Computing", IEEE TPDS 13(3), 2002.
 */
public final class UpwardRank {
    private final double[] ranks;
    private final List<Integer> order;

    private UpwardRank(double[] ranks, List<Integer> order) {
        this.ranks = ranks;
        this.order = order;
    }

    public static UpwardRank of(WorkflowGraph graph, DelayModel delays) {
        double[] ranks = new double[graph.size()];
        Lists.reverse(graph.order()).forEach(task -> {
            double rest = 0;
            for (int successor : graph.successors(task)) {
                rest = Math.max(rest, delays.transferMs(graph.task(task).outputKb()) + ranks[successor]);
            }
            ranks[task] = graph.task(task).runMs() + rest;
        });
        List<Integer> order = IntStream.range(0, graph.size())
                .boxed()
                .sorted(Comparator.<Integer>comparingDouble(task -> -ranks[task])
                        .thenComparingInt(graph::depth)
                        .thenComparingInt(task -> task))
                .toList();
        return new UpwardRank(ranks, order);
    }

    /** ms. */
    public double of(int task) {
        return ranks[task];
    }

    /** Ids of the tasks, the highest rank first: no task is before one that it waits for. */
    public List<Integer> order() {
        return order;
    }
}
