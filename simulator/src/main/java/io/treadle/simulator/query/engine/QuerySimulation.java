// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.query.engine;

import io.treadle.core.query.Costs;
import io.treadle.core.query.Dispatcher;
import io.treadle.core.query.Dispatchers;
import io.treadle.core.query.Query;
import io.treadle.core.query.QueryTask;
import io.treadle.core.query.StateTable;
import io.treadle.core.query.TaskQueue;
import io.treadle.core.query.TaskQueue.Waiting;
import io.treadle.core.query.UpwardRank;
import io.treadle.core.query.WorkflowGraph;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.function.LongConsumer;

/**
 * Queries on workers over time. Whatever happens at the same moment happens in the order in which it was foreseen; workers
 * that tell how they are come before requests that come at the same moment.
 */
public final class QuerySimulation {
    private record Event(double atMs, long number, Runnable what) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Double.compare(atMs, other.atMs);
            return byTime == 0 ? Long.compare(number, other.number) : byTime;
        }
    }

    private final QuerySettings settings;
    private final List<Request> requests;
    private final Costs costs;
    private final Dispatcher dispatcher;
    private final List<SimWorker> workers = new ArrayList<>();
    private final List<WorkerFigures> figures = new ArrayList<>();
    private final CacheFigures cache = new CacheFigures();
    private final FoldingSeries waiting = new FoldingSeries();
    private final StateTable states;
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final Map<WorkflowGraph, UpwardRank> ranks = new HashMap<>();
    private final Finished[] finished;
    private long number;
    private double nowMs;
    private long left;

    private QuerySimulation(List<Request> requests, String policy, QuerySettings settings, RunTimes runTimes) {
        this.requests = requests;
        this.settings = settings;
        costs = new Costs(settings.delays(), settings.cacheAware(), 1);
        dispatcher = Dispatchers.of(policy, costs, settings.adjustment());
        for (int i = 0; i < settings.workers(); i++) {
            WorkerFigures own = new WorkerFigures(cache);
            figures.add(own);
            workers.add(new SimWorker(settings, runTimes, new TaskQueue<>(settings.order(policy)), () -> nowMs, own));
        }
        states = new StateTable(workers);
        finished = new Finished[requests.size()];
        left = requests.size();
    }

    /**
     * @param requests by time of arrival
     * @param policy a name of {@link Dispatchers#NAMES}
     * @param ended is told now and then how many requests have been answered
     * @throws IllegalArgumentException if there is no such policy, or a task's models do not fit a worker
     */
    public static QueryRun run(List<Request> requests, String policy, QuerySettings settings, LongConsumer ended) {
        return run(requests, policy, settings, RunTimes.EXPECTED, ended);
    }

    /**
     * As the other, of tasks that may run for longer or shorter than anybody expects.
     *
     * @param runTimes how long they run
     */
    public static QueryRun run(
            List<Request> requests, String policy, QuerySettings settings, RunTimes runTimes, LongConsumer ended) {
        check(requests, settings);
        long began = System.nanoTime();
        QuerySimulation simulation = new QuerySimulation(requests, policy, settings, runTimes);
        simulation.run(ended);
        return new QueryRun(
                policy,
                List.of(simulation.finished),
                simulation.figures,
                simulation.cache,
                simulation.waiting,
                (System.nanoTime() - began) / 1e9);
    }

    /** @throws IllegalArgumentException if the models of a task do not fit a worker; the message names it */
    public static void check(List<Request> requests, QuerySettings settings) {
        requests.stream().map(Request::graph).distinct().forEach(graph -> {
            for (QueryTask task : graph.tasks()) {
                if (task.modelKb() > settings.gpuMemoryKb()) {
                    throw new IllegalArgumentException(String.format(
                            Locale.ROOT,
                            "task '%s' of workflow '%s' needs models of %.0f kB together, must be at most the %.0f kB of"
                                    + " a worker's GPU memory",
                            task.name(),
                            graph.name(),
                            task.modelKb(),
                            settings.gpuMemoryKb()));
                }
            }
        });
    }

    private void run(LongConsumer ended) {
        if (settings.stalenessMs() > 0) {
            for (int i = 0; i < workers.size(); i++) {
                int worker = i;
                at(0, () -> publish(worker));
            }
        }
        for (int i = 0; i < requests.size(); i++) {
            int place = i;
            at(requests.get(i).arrivalMs(), () -> arrive(place));
        }
        long told = left;
        while (left > 0) {
            Event event = Objects.requireNonNull(events.poll());
            nowMs = event.atMs();
            event.what().run();
            if (left < told) {
                told = left;
                ended.accept(requests.size() - left);
            }
        }
    }

    private void at(double ms, Runnable what) {
        events.add(new Event(ms, number++, what));
    }

    private void publish(int worker) {
        states.publish(worker, workers.get(worker).models());
        at(nowMs + settings.stalenessMs(), () -> publish(worker));
    }

    private void arrive(int place) {
        Request request = requests.get(place);
        WorkflowGraph graph = request.graph();
        UpwardRank rank = ranks.computeIfAbsent(graph, known -> UpwardRank.of(known, settings.delays()));
        int ingress = request.ingress() == Query.OUTSIDE ? Query.OUTSIDE : request.ingress() % workers.size();
        Query query = new Query(request.id(), graph, rank, ingress);
        Activity activity = new Activity(place, request, query, dispatcher.plan(query, states.seenBy(ingress), nowMs));
        for (int entry : graph.entries()) {
            double delay = activity.plan().worker(entry) == ingress
                    ? 0
                    : settings.delays().networkMs(graph.task(entry).inputKb());
            at(nowMs + delay, () -> input(activity, entry));
        }
    }

    private void input(Activity query, int task) {
        if (!query.hasInput(task)) {
            return;
        }
        int place = query.plan().worker(task);
        SimWorker worker = workers.get(place);
        worker.add(query, task);
        if (worker.isIdle()) {
            start(place);
        }
    }

    private void start(int worker) {
        workers.get(worker).start().ifPresent(endMs -> at(endMs, () -> end(worker)));
    }

    private void end(int worker) {
        Waiting<Activity> ended = workers.get(worker).end();
        Activity query = ended.what();
        if (query.hasEnded()) {
            left--;
            finished[query.place()] = query.finished(nowMs);
            waiting.addTime(query.request().arrivalMs(), nowMs);
        }
        for (int successor : query.query().graph().successors(ended.task().id())) {
            if (dispatcher.plansAhead()) {
                pass(query, ended.task(), successor, worker);
            } else if (query.hasInput(successor)) {
                gather(query, successor, worker);
            }
        }
        start(worker);
    }

    /** The output of a task goes to one that is planned. */
    private void pass(Activity query, QueryTask task, int successor, int here) {
        int there = dispatcher.place(query.query(), query.plan(), successor, here, states.seenBy(here));
        query.plan().move(successor, there);
        double delay = there == here
                ? settings.delays().handOverMs()
                : settings.delays().transferMs(task.outputKb());
        at(nowMs + delay, () -> input(query, successor));
    }

    /** All outputs go to a task that gets its place now. */
    private void gather(Activity query, int task, int here) {
        int there = dispatcher.place(query.query(), query.plan(), task, here, states.seenBy(here));
        query.plan().move(task, there);
        query.awaitOne(task);
        double delay = settings.delays().handOverMs();
        for (int predecessor : query.task(task).predecessors()) {
            if (query.plan().worker(predecessor) != there) {
                delay = Math.max(
                        delay,
                        settings.delays().transferMs(query.task(predecessor).outputKb()));
            }
        }
        at(nowMs + delay, () -> input(query, task));
    }
}
