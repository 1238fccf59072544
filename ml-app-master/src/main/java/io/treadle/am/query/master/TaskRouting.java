// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.master;

import io.treadle.am.query.tensor.Tensor;
import io.treadle.am.query.wire.Frame;
import io.treadle.am.query.wire.Message;
import io.treadle.core.query.Dispatcher;
import io.treadle.core.query.Query;
import io.treadle.core.query.QueryPlan;
import io.treadle.core.query.QueryTask;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.DoubleSupplier;

/** Sends the tasks of queries to workers, and outputs from one to the next. Guarded by the {@link QueryDesk}. */
final class TaskRouting {
    private final Dispatcher dispatcher;
    private final WorkerGateway gateway;
    private final KnownWorkers workers;
    private final DoubleSupplier nowMs;

    TaskRouting(Dispatcher dispatcher, WorkerGateway gateway, KnownWorkers workers, DoubleSupplier nowMs) {
        this.dispatcher = dispatcher;
        this.gateway = gateway;
        this.workers = workers;
        this.nowMs = nowMs;
    }

    QueryPlan plan(Query query) {
        return dispatcher.plan(query, workers, nowMs.getAsDouble());
    }

    /** Its first tasks go where the plan has them. */
    void begin(ActiveQuery query) {
        for (int entry : query.query().graph().entries()) {
            send(query, entry, workers.instead(query.plan().worker(entry)));
        }
    }

    /** A task goes to a worker, with what it needs of the query's inputs. */
    private void send(ActiveQuery query, int task, int worker) {
        query.send(task, worker);
        query.plan().move(task, worker);
        QueryTask node = query.query().graph().task(task);
        gateway.send(
                worker,
                Frame.of(new Message.Run(
                        query.id(),
                        task,
                        node.name(),
                        node.models().get(0).id(),
                        node.runMs(),
                        query.query().rank().of(task),
                        query.arrivalMs(),
                        List.copyOf(query.workflow().task(task).inputs().keySet()))));
        Map<String, Tensor> given = new HashMap<>();
        query.workflow()
                .given(task)
                .forEach((name, input) ->
                        given.put(name, Objects.requireNonNull(query.inputs().get(input))));
        if (!given.isEmpty()) {
            gateway.send(worker, new Frame(new Message.Feed(query.id(), task), given));
        }
        giveIfReady(query, task);
    }

    /** From the moment when it has all its inputs a task is work that waits on its worker. */
    private void giveIfReady(ActiveQuery query, int task) {
        if (query.hasInputs(task)) {
            QueryTask node = query.query().graph().task(task);
            workers.at(query.sentTo(task))
                    .give(query.id(), task, node.runMs(), node.models().get(0).id());
        }
    }

    /** A task has its output; one that follows gets it, or all that it needs once the last is there. */
    void goOn(ActiveQuery query, int task, int successor) {
        if (query.isDone(successor)) {
            return;
        }
        int here = query.sentTo(task);
        if (dispatcher.plansAhead()) {
            if (query.sentTo(successor) == ActiveQuery.NOWHERE) {
                send(
                        query,
                        successor,
                        workers.instead(dispatcher.place(query.query(), query.plan(), successor, here, workers)));
            } else {
                giveIfReady(query, successor);
            }
            pass(query, task, successor);
        } else if (query.sentTo(successor) != ActiveQuery.NOWHERE) {
            pass(query, task, successor);
        } else if (query.hasInputs(successor)) {
            send(
                    query,
                    successor,
                    workers.instead(dispatcher.place(query.query(), query.plan(), successor, here, workers)));
            query.query().graph().task(successor).predecessors().forEach(each -> pass(query, each, successor));
        }
    }

    private void pass(ActiveQuery query, int from, int to) {
        int here = query.sentTo(from);
        int there = query.sentTo(to);
        WorkerHandle target = workers.at(there);
        gateway.send(
                here,
                Frame.of(new Message.Pass(
                        query.id(),
                        from,
                        here == there ? "" : target.host(),
                        target.port(),
                        to,
                        query.workflow().passed(from, to))));
    }

    /**
     * Sends what has been reset and can be sent; the rest goes when what it waits for has ended. Others may get an input
     * twice, which does no harm.
     */
    void restart(ActiveQuery query) {
        QueryPlan fresh = plan(query.query());
        for (int task : query.query().graph().order()) {
            if (query.isDone(task) || query.sentTo(task) != ActiveQuery.NOWHERE) {
                continue;
            }
            query.plan().move(task, fresh.worker(task));
            List<Integer> before = query.query().graph().task(task).predecessors();
            if (before.isEmpty()) {
                send(query, task, workers.instead(fresh.worker(task)));
            } else if (dispatcher.plansAhead() ? before.stream().anyMatch(query::isDone) : query.hasInputs(task)) {
                int here = before.stream()
                        .filter(query::isDone)
                        .map(query::sentTo)
                        .findFirst()
                        .orElseThrow();
                resend(
                        query,
                        task,
                        workers.instead(dispatcher.place(query.query(), query.plan(), task, here, workers)));
            }
        }
    }

    void resend(ActiveQuery query, int task, int worker) {
        send(query, task, worker);
        for (int before : query.query().graph().task(task).predecessors()) {
            if (query.isDone(before)) {
                pass(query, before, task);
            }
        }
    }
}
