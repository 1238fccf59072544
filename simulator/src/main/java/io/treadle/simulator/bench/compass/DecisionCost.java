// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.compass;

import io.treadle.core.query.ClusterView;
import io.treadle.core.query.Costs;
import io.treadle.core.query.Dispatcher;
import io.treadle.core.query.Dispatchers;
import io.treadle.core.query.PublishedDelays;
import io.treadle.core.query.Query;
import io.treadle.core.query.QueryPlan;
import io.treadle.core.query.StateTable;
import io.treadle.core.query.UpwardRank;
import io.treadle.core.query.WorkerState;
import io.treadle.core.query.WorkflowGraph;
import io.treadle.simulator.query.engine.QuerySettings;
import io.treadle.simulator.query.input.PublishedWorkflows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;

/**
 * How long Compass thinks over a query: its plan and all looks at what follows.
 *
 * @param workers among which it chooses
 * @param medianMs of many queries, after the compiler has done its work
 * @param p99Ms likewise
 */
record DecisionCost(int workers, double medianMs, double p99Ms) {
    private static final int WARM = 2000;
    private static final int TIMED = 2000;
    private static final double CHANCE_OF_MODEL = 0.4;
    private static final int MODELS = 10;

    private record Row(double waitMs, BitSet models, double freeKb) implements WorkerState {
        @Override
        public boolean holds(int model) {
            return models.get(model);
        }
    }

    static DecisionCost measure(int workers, long seed) {
        Random random = new Random(seed);
        PublishedDelays delays = new PublishedDelays();
        Dispatcher dispatcher = Dispatchers.of(
                "compass", Costs.of(delays), QuerySettings.usual(workers).adjustment());
        List<WorkflowGraph> graphs = PublishedWorkflows.all();
        List<UpwardRank> ranks =
                graphs.stream().map(graph -> UpwardRank.of(graph, delays)).toList();
        double[] ms = new double[TIMED];
        for (int i = -WARM; i < TIMED; i++) {
            ClusterView view = view(random, workers);
            int kind = random.nextInt(graphs.size());
            Query query = new Query(String.valueOf(i), graphs.get(kind), ranks.get(kind), random.nextInt(workers));
            long began = System.nanoTime();
            decide(dispatcher, query, view);
            if (i >= 0) {
                ms[i] = (System.nanoTime() - began) / 1e6;
            }
        }
        Arrays.sort(ms);
        return new DecisionCost(workers, ms[TIMED / 2], ms[TIMED * 99 / 100]);
    }

    private static void decide(Dispatcher dispatcher, Query query, ClusterView view) {
        QueryPlan plan = dispatcher.plan(query, view, 0);
        for (int task = 0; task < query.graph().size(); task++) {
            for (int successor : query.graph().successors(task)) {
                plan.move(successor, dispatcher.place(query, plan, successor, plan.worker(task), view));
            }
        }
    }

    private static ClusterView view(Random random, int workers) {
        List<WorkerState> rows = new ArrayList<>(workers);
        for (int i = 0; i < workers; i++) {
            BitSet models = new BitSet();
            for (int model = 0; model < MODELS; model++) {
                models.set(model, random.nextDouble() < CHANCE_OF_MODEL);
            }
            rows.add(new Row(random.nextDouble() * 2000, models, random.nextDouble() * 4e6));
        }
        return new StateTable(rows).seenBy(0);
    }
}
