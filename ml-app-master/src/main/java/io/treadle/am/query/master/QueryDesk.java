// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.master;

import io.treadle.am.query.ingress.QueryException;
import io.treadle.am.query.tensor.Tensor;
import io.treadle.am.query.wire.Frame;
import io.treadle.am.query.wire.Message;
import io.treadle.am.query.wire.Message.Answered;
import io.treadle.am.query.wire.Message.Ended;
import io.treadle.am.query.wire.Message.Loaded;
import io.treadle.am.query.wire.Message.Lost;
import io.treadle.am.query.wire.Message.State;
import io.treadle.am.spec.ServiceSpec.Source;
import io.treadle.core.query.Dispatcher;
import io.treadle.core.query.Query;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.DoubleSupplier;

/**
 * Has queries answered: plans them when they come, sends each task to its worker, looks again when one has ended, and has what
 * a lost worker had run again. Each query is answered once.
 */
final class QueryDesk {
    /** A query that kills its workers is not to kill them all. */
    private static final int MOST_LOSSES = 3;

    /**
     * Before a query may take its last worker with it: a NodeManager that stops ends its containers one after the other, a
     * quarter of a second each, and what is lost there would go from one to the next.
     */
    static final double LAST_CHANCE_MS = 5_000;

    private final WorkerGateway gateway;
    private final TaskRouting routing;
    private final DoubleSupplier nowMs;
    private final LoadListener listener;
    private final KnownWorkers workers = new KnownWorkers();
    private final Map<String, ActiveQuery> active = new LinkedHashMap<>();
    /** Of models, by their ids. */
    private final Map<Integer, Estimate> loads = new TreeMap<>();

    private final PeerTallies peers = new PeerTallies();
    private final boolean isShared;
    private double workMs;

    /** Is told what it took to load a model, with the desk's lock held. */
    interface LoadListener {
        void loaded(int model, double ms);
    }

    /** @param nowMs never goes back */
    QueryDesk(Dispatcher dispatcher, WorkerGateway gateway, DoubleSupplier nowMs) {
        this(dispatcher, gateway, nowMs, false, (model, ms) -> {});
    }

    /** @param isShared whether its workers are other desks', too */
    QueryDesk(
            Dispatcher dispatcher,
            WorkerGateway gateway,
            DoubleSupplier nowMs,
            boolean isShared,
            LoadListener listener) {
        this.isShared = isShared;
        this.listener = listener;
        this.gateway = gateway;
        this.nowMs = nowMs;
        routing = new TaskRouting(dispatcher, gateway, workers, nowMs);
    }

    /** A worker that has joined. */
    synchronized WorkerHandle worker(int number) {
        return workers.at(number);
    }

    /** @return its number */
    synchronized int joined(String host, int port, double memoryKb) {
        return workers.join(new WorkerHandle(host, port, memoryKb, isShared, nowMs));
    }

    /** Whether a worker is there: one that leaves gets what is new where there is no other. */
    synchronized boolean isReady() {
        return !workers.isDeserted();
    }

    /** Whether no query of this desk needs a worker. */
    synchronized boolean isFree(int worker) {
        return active.values().stream().noneMatch(query -> query.workers().contains(worker));
    }

    /** A worker answers queries itself. */
    synchronized void listens(int worker, int port) {
        workers.at(worker).listens(port);
    }

    synchronized void answered(int worker, Answered answered) {
        peers.told(workers.at(worker).address(), answered);
    }

    synchronized DeskFigures figures(List<Workflow> workflows) {
        return new DeskFigures(
                active.size() + peers.active(),
                workMs,
                workers.figures(),
                workflows.stream()
                        .map(workflow -> peers.with(workflow.figures()))
                        .toList(),
                loads.entrySet().stream()
                        .map(each -> new DeskFigures.LoadFigures(
                                each.getKey(),
                                each.getValue().count(),
                                each.getValue().sum()))
                        .toList());
    }

    /** How many queries are on their way. */
    synchronized int active() {
        return active.size();
    }

    /**
     * @param id unique among all queries
     * @param deadlineMs when nobody waits for it any more, by the desk's clock
     * @return its outputs by name; fails with a {@link QueryException}
     */
    synchronized CompletableFuture<Map<String, Tensor>> submit(
            String id, Workflow workflow, Map<String, Tensor> inputs, double deadlineMs) {
        try {
            workflow.check(inputs);
            if (workers.isDeserted()) {
                throw new QueryException(QueryException.Kind.UNAVAILABLE, "no worker is there");
            }
        } catch (QueryException e) {
            return CompletableFuture.failedFuture(e);
        }
        Query query = new Query(id, workflow.graph(), workflow.rank(), Query.OUTSIDE);
        double now = nowMs.getAsDouble();
        ActiveQuery fresh = new ActiveQuery(workflow, query, routing.plan(query), inputs, now, deadlineMs);
        active.put(id, fresh);
        routing.begin(fresh);
        return fresh.answer();
    }

    synchronized void told(int worker, State state) {
        workMs += workers.at(worker).told(state);
    }

    synchronized void loaded(Loaded model) {
        double ms = time(model.ms());
        loads.computeIfAbsent(model.model(), unknown -> new Estimate(0)).measured(ms);
        listener.loaded(model.model(), ms);
    }

    synchronized void ended(int worker, Ended ended) {
        workers.at(worker).ended(ended.query(), ended.task());
        double runMs = time(ended.runMs());
        ActiveQuery query = active.get(ended.query());
        int task = ended.task();
        boolean hadNoRoom = ended.lacksModel() && runMs > 0;
        if (!ended.lacksModel()) {
            workers.at(worker).ran(true);
        }
        if (query == null || query.sentTo(task) != worker) {
            // It has been answered or given up, or runs elsewhere by now.
            return;
        }
        if (ended.lacksModel() && !query.isDone(task) && query.mayMove(task) && workers.other(worker) != worker) {
            if (hadNoRoom) {
                // It may be the query that is too large for any worker: whether it is this one, another has to show.
                query.suspect(task, workers.at(worker));
            }
            again(query, task, workers.other(worker));
            return;
        }
        if (!ended.failure().isEmpty()) {
            fail(query, new QueryException(QueryException.Kind.FAILED, ended.failure()));
            return;
        }
        if (query.isDone(task)) {
            return;
        }
        query.workflow()
                .measured(
                        task,
                        runMs,
                        ended.outputKb().values().stream()
                                .mapToDouble(QueryDesk::time)
                                .sum());
        query.done(task);
        query.suspected(task).ifPresent(without -> without.ran(false));
        List<String> answered = query.workflow().answered(task);
        if (!answered.isEmpty() && !query.hasReturned(task)) {
            gateway.send(worker, Frame.of(new Message.Return(query.id(), task, answered)));
        }
        for (int successor : query.query().graph().successors(task)) {
            // What is held gets all its inputs when it is sent again.
            if (!query.isHeld() || query.sentTo(successor) != ActiveQuery.NOWHERE) {
                routing.goOn(query, task, successor);
            }
        }
        answerIfDone(query);
    }

    /** What a worker tells may be anything: what cannot be a time or a size is none. */
    private static double time(double told) {
        return told >= 0 && Double.isFinite(told) ? told : 0;
    }

    synchronized void returned(int worker, String id, int task, Map<String, Tensor> tensors) {
        ActiveQuery query = active.get(id);
        if (query == null || query.sentTo(task) != worker) {
            return;
        }
        if (!tensors.keySet().containsAll(query.workflow().answered(task))) {
            fail(
                    query,
                    new QueryException(
                            QueryException.Kind.FAILED,
                            "task '" + query.workflow().task(task).name() + "' gave " + tensors.keySet()
                                    + ", must have given " + query.workflow().answered(task)));
            return;
        }
        query.returned(task, tensors);
        answerIfDone(query);
    }

    private void answerIfDone(ActiveQuery query) {
        int tasks = query.query().graph().size();
        for (int task = 0; task < tasks; task++) {
            if (!query.hasReturned(task)) {
                return;
            }
        }
        Map<String, Tensor> outputs = new LinkedHashMap<>();
        for (Map.Entry<String, Source> each : query.workflow().spec().outputs().entrySet()) {
            int task = query.workflow().id(each.getValue().task().orElseThrow());
            outputs.put(
                    each.getKey(),
                    Objects.requireNonNull(
                            query.returned(task).get(each.getValue().tensor())));
        }
        forget(query);
        query.workflow().ended(nowMs.getAsDouble() - query.arrivalMs());
        query.answer().complete(outputs);
    }

    private void fail(ActiveQuery query, QueryException why) {
        forget(query);
        if (why.kind() == QueryException.Kind.LATE) {
            query.workflow().late();
        } else {
            query.workflow().failed();
        }
        query.answer().completeExceptionally(why);
    }

    private void forget(ActiveQuery query) {
        active.remove(query.id());
        for (int worker : query.workers()) {
            WorkerHandle handle = workers.at(worker);
            if (!handle.isGone()) {
                handle.forget(query.id());
                gateway.send(worker, Frame.of(new Message.Forget(query.id())));
            }
        }
    }

    /** Outputs of a task did not get to where they are needed. */
    synchronized void lost(int worker, Lost lost) {
        ActiveQuery query = active.get(lost.query());
        if (query == null || query.sentTo(lost.task()) != worker || !query.isDone(lost.task())) {
            return;
        }
        if (lost.areKept()) {
            // Who should have got them cannot be reached from there: they stay where they are, and the task comes to
            // them.
            if (!query.isDone(lost.to())) {
                again(query, lost.to(), worker);
            }
        } else {
            query.reset(lost.task());
            query.revive();
            restart(query);
        }
    }

    /** Of all that it had, what is still needed runs again elsewhere. */
    synchronized void gone(int worker) {
        workers.at(worker).gone();
        peers.gone(workers.at(worker).address());
        for (ActiveQuery query : List.copyOf(active.values())) {
            if (workers.isDeserted()) {
                fail(query, new QueryException(QueryException.Kind.UNAVAILABLE, "the last worker has gone"));
            } else if (query.workers().contains(worker)) {
                lose(query, worker);
            }
        }
    }

    /** A task that runs nowhere just now goes to a worker. */
    private void again(ActiveQuery query, int task, int worker) {
        query.reset(task);
        query.revive();
        if (!query.isHeld()) {
            routing.resend(query, task, worker);
            routing.restart(query);
        }
    }

    private void lose(ActiveQuery query, int worker) {
        boolean mayHaveRun = query.gone(worker);
        // What goes while it waits goes with those before.
        if (mayHaveRun && !query.isHeld()) {
            query.blame();
            if (query.losses() >= MOST_LOSSES) {
                fail(
                        query,
                        new QueryException(
                                QueryException.Kind.FAILED,
                                query.losses() + " workers were lost while they ran it, so it is not run again"));
                return;
            }
            if (query.losses() == MOST_LOSSES - 1) {
                query.hold(nowMs.getAsDouble() + LAST_CHANCE_MS);
            }
        }
        restart(query);
    }

    private void restart(ActiveQuery query) {
        if (!query.isHeld()) {
            routing.restart(query);
        }
    }

    /** Gives up what nobody waits for any more, and sends again what has been held; call it now and then. */
    synchronized void tick() {
        double now = nowMs.getAsDouble();
        for (ActiveQuery query : List.copyOf(active.values())) {
            if (query.endHold(now)) {
                restart(query);
            }
            if (now >= query.deadlineMs()) {
                fail(
                        query,
                        new QueryException(
                                QueryException.Kind.LATE,
                                String.format(
                                        java.util.Locale.ROOT,
                                        "was not answered within %.0f ms",
                                        query.deadlineMs() - query.arrivalMs())));
            }
        }
    }
}
