// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.query;

import java.util.BitSet;
import java.util.List;

/** Workers in a known state, and small workflows. */
final class Known {
    /** 1 kB takes 1 ms on a link and 2 ms on the network, beside 0.5 ms. */
    static final DelayModel DELAYS = new LinearDelays(1, 0.5, 0.5);

    private Known() {}

    /** @param models that it holds */
    record Worker(double waitMs, BitSet models, double freeKb) implements WorkerState {
        @Override
        public boolean holds(int model) {
            return models.get(model);
        }
    }

    static Worker worker(double waitMs, double freeKb, int... models) {
        BitSet held = new BitSet();
        for (int model : models) {
            held.set(model);
        }
        return new Worker(waitMs, held, freeKb);
    }

    static ClusterView view(List<? extends WorkerState> workers) {
        return new StateTable(workers).seenBy(0);
    }

    static QueryTask task(int id, List<Model> models, double runMs, double inputKb, double outputKb, Integer... after) {
        return new QueryTask(id, "t" + id, models, runMs, inputKb, outputKb, List.of(after));
    }

    static Query query(WorkflowGraph graph, DelayModel delays, int ingress) {
        return new Query("0", graph, UpwardRank.of(graph, delays), ingress);
    }
}
