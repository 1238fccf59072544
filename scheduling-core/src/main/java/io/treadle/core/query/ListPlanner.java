// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.query;

import java.util.ArrayList;
import java.util.List;

/**
 * Plans all tasks of a query when it comes: the task with the highest upward rank first, each to the worker where it ends
 * earliest. With what workers have to do and hold it is Compass' planner; without, HEFT.
 */
final class ListPlanner {
    private final Costs costs;
    private final boolean loadAware;

    /** @param loadAware whether it counts what workers have to do already */
    ListPlanner(Costs costs, boolean loadAware) {
        this.costs = costs;
        this.loadAware = loadAware;
    }

    /** A worker with what the plan has put there so far. */
    private static final class Planned implements WorkerState {
        private final WorkerState seen;
        private final List<Integer> added = new ArrayList<>(0);
        private double freeKb;
        private double readyMs;

        Planned(WorkerState seen, double readyMs) {
            this.seen = seen;
            this.readyMs = readyMs;
            freeKb = seen.freeKb();
        }

        @Override
        public double waitMs() {
            return seen.waitMs();
        }

        @Override
        public boolean holds(int model) {
            return seen.holds(model) || added.contains(model);
        }

        @Override
        public double freeKb() {
            return freeKb;
        }

        void take(QueryTask task, double finishMs) {
            readyMs = finishMs;
            for (Model model : task.models()) {
                if (!holds(model.id())) {
                    added.add(model.id());
                    freeKb = Math.max(0, freeKb - model.kb());
                }
            }
        }
    }

    QueryPlan plan(Query query, ClusterView seen, double nowMs) {
        WorkflowGraph graph = query.graph();
        Planned[] workers = new Planned[seen.workers()];
        for (int i = 0; i < workers.length; i++) {
            WorkerState worker = seen.at(i);
            workers[i] = new Planned(worker, nowMs + (loadAware ? worker.waitMs() : 0));
        }
        QueryPlan plan = new QueryPlan(graph.size());
        for (int id : query.rank().order()) {
            QueryTask task = graph.task(id);
            int best = 0;
            double earliest = Double.POSITIVE_INFINITY;
            for (int i = 0; i < workers.length; i++) {
                double start = Math.max(workers[i].readyMs, inputsMs(query, task, i, plan, nowMs));
                double finish = start + costs.fetchMs(task, workers[i]) + task.runMs();
                if (finish < earliest - Costs.SLACK_MS) {
                    earliest = finish;
                    best = i;
                }
            }
            plan.place(id, best, earliest);
            workers[best].take(task, earliest);
        }
        return plan;
    }

    /** When all that a task needs is on a worker, ms. */
    private double inputsMs(Query query, QueryTask task, int worker, QueryPlan plan, double nowMs) {
        if (task.isEntry()) {
            return worker == query.ingress() ? nowMs : nowMs + costs.delays().networkMs(task.inputKb());
        }
        double ready = nowMs;
        for (int predecessor : task.predecessors()) {
            double there = plan.finishMs(predecessor);
            ready = Math.max(
                    ready,
                    plan.worker(predecessor) == worker
                            ? there
                            : there
                                    + costs.delays()
                                            .transferMs(query.graph()
                                                    .task(predecessor)
                                                    .outputKb()));
        }
        return ready;
    }
}
