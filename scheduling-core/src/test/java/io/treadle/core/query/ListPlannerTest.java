// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.query;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class ListPlannerTest {
    private static final Model BIG = new Model(0, "big", 60);
    private static final Model SMALL = new Model(1, "small", 20);
    private static final Costs COSTS = Costs.of(Known.DELAYS);

    private static QueryPlan plan(WorkflowGraph graph, List<Known.Worker> workers, int ingress, double nowMs) {
        return new ListPlanner(COSTS, true).plan(Known.query(graph, Known.DELAYS, ingress), Known.view(workers), nowMs);
    }

    /** By hand: a chain whose second model is elsewhere. */
    @Test
    void weighsFetchesAgainstTransfers() {
        WorkflowGraph chain = new WorkflowGraph(
                "chain", List.of(Known.task(0, List.of(BIG), 30, 1, 2), Known.task(1, List.of(SMALL), 10, 2, 1, 0)));
        List<Known.Worker> workers = List.of(Known.worker(0, 40, 0), Known.worker(0, 80, 1));
        QueryPlan plan = plan(chain, workers, 0, 100);
        // A transfer of 2 kB is 2 + (4 + 0.5) + 2 = 8.5 ms, the fetch 20 ms.
        assertArrayEquals(new int[] {0, 1}, plan.workers());
        assertEquals(130, plan.finishMs(0));
        assertEquals(148.5, plan.finishMs(1));
        assertEquals(148.5, plan.finishMs());
    }

    @Test
    void countsAFetchTwiceWhereOthersHaveToGo() {
        WorkflowGraph one = new WorkflowGraph("one", List.of(Known.task(0, List.of(BIG), 10, 1, 1)));
        // 60 ms of fetching after 50 ms of waiting against twice 60 ms at once.
        assertEquals(
                1,
                plan(one, List.of(Known.worker(0, 50), Known.worker(50, 60)), 0, 0)
                        .worker(0));
        assertEquals(
                0,
                plan(one, List.of(Known.worker(0, 60), Known.worker(50, 60)), 0, 0)
                        .worker(0));
    }

    @Test
    void aModelThatItHasPlannedIsThereForTheNextTask() {
        WorkflowGraph twice = new WorkflowGraph(
                "twice",
                List.of(
                        Known.task(0, List.of(SMALL), 1, 1, 1),
                        Known.task(1, List.of(SMALL), 1, 1, 1, 0),
                        Known.task(2, List.of(SMALL), 1, 1, 1, 1)));
        QueryPlan plan = plan(twice, List.of(Known.worker(0, 100)), 0, 0);
        assertEquals(23, plan.finishMs());
    }

    @Test
    void inputsOfEntriesGoOverTheNetworkFromWhereTheQueryCame() {
        WorkflowGraph one = new WorkflowGraph("one", List.of(Known.task(0, List.of(), 10, 3, 1)));
        List<Known.Worker> alike = List.of(Known.worker(0, 100), Known.worker(0, 100));
        assertEquals(1, plan(one, alike, 1, 0).worker(0));
        assertEquals(10, plan(one, alike, 1, 0).finishMs());
        // From outside it is the same to all: the first, 3 kB in 6.5 ms.
        assertEquals(0, plan(one, alike, Query.OUTSIDE, 0).worker(0));
        assertEquals(16.5, plan(one, alike, Query.OUTSIDE, 0).finishMs());
    }

    @Test
    void heftKnowsNeitherLoadNorModels() {
        WorkflowGraph one = new WorkflowGraph("one", List.of(Known.task(0, List.of(BIG), 10, 0, 1)));
        Dispatcher heft = Dispatchers.of("heft", COSTS, Adjustment.PUBLISHED);
        List<Known.Worker> workers = List.of(Known.worker(1000, 0), Known.worker(0, 100, 0));
        QueryPlan plan = heft.plan(Known.query(one, Known.DELAYS, 0), Known.view(workers), 0);
        assertEquals(0, plan.worker(0));
        assertEquals(10, plan.finishMs());
    }

    /**
     * The times of a plan are those of an evaluation of its own, written apart, and no plan of all that there are ends
     * earlier than the best of them.
     */
    @RepeatedTest(200)
    void timesAreThoseOfItsPlacementAndNoBetterThanTheBest(RepetitionInfo info) {
        Random random = new Random(1000L + info.getCurrentRepetition());
        WorkflowGraph graph = RandomQueries.graph(random, 1 + random.nextInt(6));
        List<Known.Worker> workers = RandomQueries.workers(random, 1 + random.nextInt(3));
        int ingress = random.nextInt(workers.size());
        Query query = Known.query(graph, Known.DELAYS, ingress);
        QueryPlan plan = new ListPlanner(COSTS, true).plan(query, Known.view(workers), 7);
        PlanOracle oracle = new PlanOracle(query, workers, 7);
        assertEquals(oracle.makespan(plan.workers()), plan.finishMs(), 1e-9);
        assertTrue(plan.finishMs() >= oracle.best() - 1e-9);
        if (graph.size() == 1) {
            assertEquals(oracle.best(), plan.finishMs(), 1e-9);
        }
    }
}
