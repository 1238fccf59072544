// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.query;

/** Says which worker runs which task. */
public interface Dispatcher {
    /** As it is called on the command line. */
    String name();

    /**
     * A query has come.
     *
     * @param seen by where it came to
     * @return for all tasks, or for those without predecessors alone
     */
    QueryPlan plan(Query query, ClusterView seen, double nowMs);

    /** Whether {@link #plan} leaves nothing open. */
    default boolean plansAhead() {
        return true;
    }

    /**
     * A predecessor of a task has ended; where nothing is planned ahead, the last of them.
     *
     * @param here where it ran
     * @param seen from there
     * @return where its output goes: the task's worker from now on
     */
    default int place(Query query, QueryPlan plan, int task, int here, ClusterView seen) {
        return plan.worker(task);
    }
}
