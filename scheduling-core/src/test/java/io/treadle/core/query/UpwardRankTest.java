// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class UpwardRankTest {
    /** The example of Topcuoglu, Hariri and Wu (2002), figure 2 and table 3, with mean costs of three processors. */
    @Test
    void agreesWithTheExampleOfItsAuthors() {
        double[] run = {13, 16.667, 14.333, 12.667, 11.667, 12.667, 11.0, 10.0, 16.667, 14.667};
        int[][] edges = {
            {0, 1, 18},
            {0, 2, 12},
            {0, 3, 9},
            {0, 4, 11},
            {0, 5, 14},
            {1, 7, 19},
            {1, 8, 16},
            {2, 6, 23},
            {3, 7, 27},
            {3, 8, 23},
            {4, 8, 13},
            {5, 7, 15},
            {6, 9, 17},
            {7, 9, 11},
            {8, 9, 13}
        };
        double[] published = {108.000, 77.000, 80.000, 80.000, 69.000, 63.333, 42.667, 35.667, 44.333, 14.667};
        // Costs there belong to edges: a task that takes no time stands on each.
        List<QueryTask> tasks = new java.util.ArrayList<>();
        for (int i = 0; i < run.length; i++) {
            int id = i;
            List<Integer> before = new java.util.ArrayList<>();
            for (int edge = 0; edge < edges.length; edge++) {
                if (edges[edge][1] == id) {
                    before.add(run.length + edge);
                }
            }
            tasks.add(Known.task(id, List.of(), run[id], 0, 0, before.toArray(Integer[]::new)));
        }
        for (int edge = 0; edge < edges.length; edge++) {
            tasks.add(Known.task(run.length + edge, List.of(), 0, 0, edges[edge][2], edges[edge][0]));
        }
        UpwardRank rank = UpwardRank.of(new WorkflowGraph("topcuoglu", tasks), new Network());
        for (int i = 0; i < run.length; i++) {
            assertEquals(published[i], rank.of(i), 1e-3 + 1e-9);
        }
    }

    /** 1 kB takes 1 ms, and nothing else any time. */
    private static final class Network implements DelayModel {
        @Override
        public double networkMs(double kb) {
            return kb;
        }

        @Override
        public double linkMs(double kb) {
            return 0;
        }
    }

    @RepeatedTest(50)
    void noTaskIsBeforeOneThatItWaitsForAndNoRankBelowTheLongestPath(RepetitionInfo info) {
        Random random = new Random(info.getCurrentRepetition());
        WorkflowGraph graph = RandomQueries.graph(random, 1 + random.nextInt(12));
        UpwardRank rank = UpwardRank.of(graph, Known.DELAYS);
        for (QueryTask task : graph.tasks()) {
            for (int predecessor : task.predecessors()) {
                assertTrue(rank.order().indexOf(predecessor) < rank.order().indexOf(task.id()));
                assertTrue(rank.of(predecessor) >= rank.of(task.id()));
            }
        }
        assertTrue(graph.entries().stream().mapToDouble(rank::of).max().orElseThrow() >= graph.bestMs() - 1e-9);
        assertEquals(graph.size(), rank.order().size());
    }
}
