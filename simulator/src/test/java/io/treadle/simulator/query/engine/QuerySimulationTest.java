// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.query.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.query.Adjustment;
import io.treadle.core.query.Dispatchers;
import io.treadle.core.query.Eviction;
import io.treadle.core.query.Model;
import io.treadle.core.query.Prefetcher;
import io.treadle.core.query.QueryTask;
import io.treadle.core.query.QueueOrder;
import io.treadle.core.query.WorkflowGraph;
import io.treadle.simulator.query.input.Mix;
import io.treadle.simulator.query.input.PoissonRequests;
import io.treadle.simulator.query.input.PublishedWorkflows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuerySimulationTest {
    private static final long SEED = 20261124;

    private static QueryRun run(List<Request> requests, String policy, QuerySettings settings) {
        return QuerySimulation.run(requests, policy, settings, ended -> {});
    }

    private static WorkflowGraph single(String name, double ms, Model... models) {
        return new WorkflowGraph(name, List.of(new QueryTask(0, name, List.of(models), ms, 0, 0, List.of())));
    }

    /** One task each, of lengths that are drawn, no models. */
    private static List<Request> singles(int count, double meanGapMs) {
        Random random = new Random(SEED);
        List<Request> requests = new ArrayList<>();
        double ms = 0;
        for (int i = 0; i < count; i++) {
            ms -= Math.log(1 - random.nextDouble()) * meanGapMs;
            requests.add(
                    new Request(String.valueOf(i), single("w" + i, -Math.log(1 - random.nextDouble()) * 100), ms, 0));
        }
        return requests;
    }

    /** Lindley's recursion, of times that nobody expected. */
    @ParameterizedTest
    @ValueSource(strings = {"compass", "jit", "heft", "hash"})
    void tasksRunAsLongAsTheyDoWhateverIsExpected(String policy) {
        Random random = new Random(SEED);
        List<Request> requests = new ArrayList<>();
        double[] took = new double[1000];
        for (int i = 0; i < took.length; i++) {
            took[i] = random.nextDouble() * 80;
            requests.add(new Request(String.valueOf(i), single("w", 40), 45.0 * i, 0));
        }
        QueryRun run = QuerySimulation.run(
                requests,
                policy,
                QuerySettings.published(1).stale(0),
                (query, workflow, task) -> took[Integer.parseInt(query)],
                ended -> {});
        double free = 0;
        for (Finished each : run.finished()) {
            double arrival = each.request().arrivalMs();
            free = Math.max(free, arrival)
                    + took[Integer.parseInt(each.request().id())];
            assertEquals(free - arrival, each.latencyMs(), 1e-6);
        }
    }

    /** Lindley's recursion: the wait of the next is the wait and the time of the one before, less the gap. */
    @ParameterizedTest
    @ValueSource(strings = {"compass", "jit", "heft", "hash"})
    void oneWorkerIsOneQueue(String policy) {
        List<Request> requests = singles(2000, 110);
        QueryRun run = run(requests, policy, QuerySettings.published(1).stale(0));
        double free = 0;
        for (Finished each : run.finished()) {
            Request request = each.request();
            free = Math.max(free, request.arrivalMs()) + request.graph().bestMs();
            assertEquals(free, each.endMs(), 1e-6, request.id());
        }
    }

    /** Kiefer and Wolfowitz: whoever comes goes where least is left to do; nothing moves. */
    @Test
    void whereStateIsFreshTheNextGoesToTheLeastWork() {
        List<Request> requests = singles(2000, 30);
        QuerySettings settings = settings(4, new Instant(), 0);
        QueryRun run = run(requests, "jit", settings);
        double[] free = new double[4];
        for (Finished each : run.finished()) {
            double now = each.request().arrivalMs();
            int least = 0;
            for (int i = 1; i < free.length; i++) {
                if (Math.max(free[i], now) < Math.max(free[least], now) - 1e-9) {
                    least = i;
                }
            }
            free[least] = Math.max(free[least], now) + each.request().graph().bestMs();
            assertEquals(free[least], each.endMs(), 1e-6, each.request().id());
            assertEquals(List.of(least), each.workers());
        }
    }

    /** Nothing takes any time to move. */
    private record Instant() implements io.treadle.core.query.DelayModel {
        @Override
        public double networkMs(double kb) {
            return 0;
        }

        @Override
        public double linkMs(double kb) {
            return 0;
        }
    }

    /** 1 kB takes 1 ms to a GPU, and nothing over the network. */
    private record SlowLink() implements io.treadle.core.query.DelayModel {
        @Override
        public double networkMs(double kb) {
            return 0;
        }

        @Override
        public double linkMs(double kb) {
            return kb;
        }
    }

    private static QuerySettings settings(int workers, io.treadle.core.query.DelayModel delays, double stalenessMs) {
        return new QuerySettings(
                workers,
                100,
                delays,
                stalenessMs,
                Adjustment.PUBLISHED,
                true,
                Eviction.LOOK_AHEAD,
                Prefetcher.USUAL,
                Optional.of(QueueOrder.FIFO));
    }

    /** As the simulator of Compass' authors has it for a query that is alone on cold workers: 2,124.008 ms. */
    @Test
    void aQueryAloneOnColdWorkersTakesAsLongAsPublished() {
        Request translation = new Request("0", PublishedWorkflows.all().get(0), 0, 0);
        double latency = run(List.of(translation), "heft", QuerySettings.published(5))
                .finished()
                .get(0)
                .latencyMs();
        assertEquals(2124.008, latency, 0.01);
    }

    /** By hand: b is fetched while a runs, since both fit; c waits until a task has ended and a has gone. */
    @Test
    void fetchesAheadWhatFitsBesideWhatIsThere() {
        Model a = new Model(0, "a", 40);
        Model b = new Model(1, "b", 50);
        Model c = new Model(2, "c", 30);
        List<Request> requests = List.of(
                new Request("a", single("a", 100, a), 0, 0),
                new Request("b", single("b", 100, b), 1, 0),
                new Request("c", single("c", 100, c), 2, 0),
                new Request("again", single("again", 100, b), 3, 0));
        QueryRun run = run(requests, "hash", settings(1, new SlowLink(), 0));
        // a: fetched 0 to 40, runs 40 to 140. At 0 nothing else waits, so b is fetched from 140 to 190, and runs to
        // 290.
        assertEquals(140, run.finished().get(0).endMs(), 1e-9);
        assertEquals(290, run.finished().get(1).endMs(), 1e-9);
        // At 140, c does not fit beside a and b. At 290 a goes, for b is needed again: c is there at 320.
        assertEquals(420, run.finished().get(2).endMs(), 1e-9);
        assertEquals(520, run.finished().get(3).endMs(), 1e-9);
        WorkerFigures worker = run.workers().get(0);
        assertEquals(3, worker.misses());
        assertEquals(1, worker.hits());
        assertEquals(1, worker.evictions());
        assertEquals(400, worker.busyMs(), 1e-9);
        assertEquals(120, worker.fetchWaitMs(), 1e-9);
    }

    @Test
    void aModelThatIsFetchedAheadIsThereWhenItsTaskBegins() {
        Model a = new Model(0, "a", 40);
        Model b = new Model(1, "b", 50);
        List<Request> requests = List.of(
                new Request("a", single("a", 100, a), 0, 0),
                new Request("again", single("again", 100, a), 1, 0),
                new Request("b", single("b", 100, b), 2, 0));
        QueryRun ahead = run(requests, "hash", settings(1, new SlowLink(), 0));
        assertEquals(340, ahead.finished().get(2).endMs(), 1e-9);
        QuerySettings without = settings(1, new SlowLink(), 0).caching(true, Eviction.LOOK_AHEAD, Prefetcher.NONE);
        assertEquals(390, run(requests, "hash", without).finished().get(2).endMs(), 1e-9);
    }

    @ParameterizedTest
    @CsvSource({"compass, 2, 10", "jit, 2, 10", "heft, 1, 10", "hash, 2, 10", "compass, 3, 0", "compass, 2, 1000"})
    void whateverThePolicyWorkIsDoneOnceAndLittlesLawHolds(String policy, double perSecond, double staleness) {
        List<Request> requests = PoissonRequests.draw(Mix.even(PublishedWorkflows.all()), perSecond, 400, 5, SEED);
        QueryRun run = run(requests, policy, QuerySettings.usual(5).stale(staleness));
        assertEquals(400, run.finished().size());
        double work = 0;
        double latencies = 0;
        for (Finished each : run.finished()) {
            work += each.request().graph().tasks().stream()
                    .mapToDouble(QueryTask::runMs)
                    .sum();
            latencies += each.latencyMs();
            assertTrue(each.slowdown() >= 1 - 1e-9, each.request().id());
            assertTrue(each.workers().stream().allMatch(worker -> worker >= 0 && worker < 5));
        }
        assertEquals(
                work, run.workers().stream().mapToDouble(WorkerFigures::busyMs).sum(), 1e-6 * work);
        assertEquals(latencies, Arrays.stream(run.waiting().sums()).sum(), 1e-6 * latencies);
        for (WorkerFigures worker : run.workers()) {
            assertEquals(worker.busyMs(), Arrays.stream(worker.busy().sums()).sum(), 1e-6 * work);
        }
        assertEquals(
                requests.stream().flatMap(each -> each.graph().tasks().stream()).count(),
                run.workers().stream().mapToLong(WorkerFigures::tasks).sum());
    }

    @Test
    void theSameSeedGivesTheSameRun() {
        for (String policy : Dispatchers.NAMES) {
            List<Request> requests = PoissonRequests.draw(Mix.even(PublishedWorkflows.all()), 2, 200, 5, SEED);
            List<Request> again = PoissonRequests.draw(Mix.even(PublishedWorkflows.all()), 2, 200, 5, SEED);
            List<Double> first = run(requests, policy, QuerySettings.usual(5)).finished().stream()
                    .map(Finished::latencyMs)
                    .toList();
            assertEquals(
                    first,
                    run(again, policy, QuerySettings.usual(5)).finished().stream()
                            .map(Finished::latencyMs)
                            .toList());
        }
    }

    @Test
    void refusesModelsThatFitNoWorker() {
        List<Request> requests = List.of(new Request("0", single("huge", 1, new Model(0, "m", 101)), 0, 0));
        assertEquals(
                "task 'huge' of workflow 'huge' needs models of 101 kB together, must be at most the 100 kB of a worker's"
                        + " GPU memory",
                assertThrows(
                                IllegalArgumentException.class,
                                () -> run(requests, "compass", settings(1, new SlowLink(), 0)))
                        .getMessage());
    }
}
