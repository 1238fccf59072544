// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.query.engine;

import io.treadle.core.query.Query;
import io.treadle.core.query.QueryPlan;
import io.treadle.core.query.QueryTask;
import java.util.Arrays;

/** A request on its way. */
final class Activity {
    private final int place;
    private final Request request;
    private final Query query;
    private final QueryPlan plan;
    /** Of each task, how many inputs are still to come. */
    private final int[] missing;

    private int left;

    /** @param place of the request among all */
    Activity(int place, Request request, Query query, QueryPlan plan) {
        this.place = place;
        this.request = request;
        this.query = query;
        this.plan = plan;
        missing = query.graph().tasks().stream()
                .mapToInt(task -> Math.max(1, task.predecessors().size()))
                .toArray();
        left = missing.length;
    }

    int place() {
        return place;
    }

    Request request() {
        return request;
    }

    Query query() {
        return query;
    }

    QueryPlan plan() {
        return plan;
    }

    QueryTask task(int id) {
        return query.graph().task(id);
    }

    /** @return whether it was the last that the task waited for */
    boolean hasInput(int task) {
        return --missing[task] == 0;
    }

    /** All inputs come together, as one. */
    void awaitOne(int task) {
        missing[task] = 1;
    }

    /** @return whether it was the last task */
    boolean hasEnded() {
        return --left == 0;
    }

    Finished finished(double endMs) {
        return new Finished(
                request, endMs, Arrays.stream(plan.workers()).boxed().toList());
    }
}
