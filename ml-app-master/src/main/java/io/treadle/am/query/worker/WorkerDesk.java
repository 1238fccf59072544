// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.worker;

import io.treadle.am.query.tensor.Tensor;
import io.treadle.am.query.wire.Frame;
import io.treadle.am.query.wire.Message;
import io.treadle.am.query.wire.Message.Ended;
import io.treadle.am.query.wire.Message.Lost;
import io.treadle.am.query.wire.Message.Measure;
import io.treadle.am.query.wire.Message.ModelFile;
import io.treadle.am.query.wire.Message.Pass;
import io.treadle.am.query.wire.Message.Return;
import io.treadle.am.query.wire.Message.Returned;
import io.treadle.am.query.wire.Message.Run;
import io.treadle.am.query.wire.Message.Setup;
import io.treadle.am.query.wire.Outbox;
import io.treadle.am.query.wire.QueryIds;
import io.treadle.am.query.wire.WireException;
import io.treadle.core.query.Eviction;
import io.treadle.core.query.Model;
import io.treadle.core.query.Prefetcher;
import io.treadle.core.query.QueryTask;
import io.treadle.core.query.QueueOrder;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What a worker does with the messages that come: gathers inputs, has tasks run, keeps their outputs until their query is
 * forgotten, and tells the desk that it belongs to. A desk that comes again finds the models where they are, and no query of
 * before.
 */
final class WorkerDesk implements AutoCloseable {
    private static final double BYTES_A_KB = 1000;

    private record Key(String query, int task) {}

    private final ModelRuntime runtime;
    private final Peers peers;
    private final Inbox inbox = new Inbox();
    private final Map<Key, Map<String, Tensor>> outputs = new HashMap<>();
    private final Map<Integer, ModelFile> models = new HashMap<>();
    /** Who is connected, by name. Changed under the lock, and read without it by what an engine tells under its own. */
    private final Map<String, Outbox> desks = new ConcurrentHashMap<>();

    private @Nullable Setup setup;
    private @Nullable WorkerEngine engine;
    /** In a row. */
    private int failedLoads;

    private int own;

    WorkerDesk(ModelRuntime runtime, Peers peers) {
        this.runtime = runtime;
        this.peers = peers;
    }

    /** A desk comes, perhaps again: nothing of what it asked for before is wanted. */
    void serve(String name, Outbox desk) {
        Outbox before;
        synchronized (this) {
            before = desks.put(name, desk);
            drop(name);
        }
        if (before != null) {
            before.close();
        }
    }

    boolean serves(String name) {
        return desks.containsKey(name);
    }

    /** A desk has gone, unless another has come under its name already. */
    synchronized void left(String name, Outbox desk) {
        if (desks.remove(name, desk)) {
            drop(name);
        }
    }

    private void drop(String name) {
        Set<String> gone = inbox.drop(name);
        outputs.keySet().removeIf(key -> QueryIds.desk(key.query()).equals(name));
        if (engine != null) {
            gone.forEach(engine::cancel);
        }
    }

    /** Whether it is of the desk's query that asks by this connection, and not by an earlier one. */
    private boolean isOf(String query, Outbox asking) {
        return asking.equals(desks.get(QueryIds.desk(query)));
    }

    static void measure(Measure wanted, ModelRuntime runtime, Outbox asking) {
        ModelMeter meter = new ModelMeter(runtime);
        // The first load brings the runtime's own libraries with it.
        wanted.models().stream().limit(1).forEach(meter::measure);
        for (ModelFile model : wanted.models()) {
            asking.send(Frame.of(meter.measure(model)));
        }
    }

    /**
     * @param mayChange whether who asks may have it otherwise than it is
     * @throws WireException if it may not, and would
     * @throws IllegalArgumentException if it cannot be; the message names the value
     */
    void setUp(Setup wanted, boolean mayChange, Outbox asking) throws WireException, InterruptedException {
        if (!isSetUp(wanted)) {
            if (!mayChange) {
                throw new WireException("the worker is not set up so, which only its master may change");
            }
            replace(wanted);
        }
        asking.send(Frame.of(new Message.Ready()));
        state().ifPresent(state -> asking.send(Frame.of(state)));
    }

    private synchronized boolean isSetUp(Setup wanted) {
        return engine != null && wanted.equals(setup);
    }

    private void replace(Setup wanted) throws InterruptedException {
        WorkerEngine before;
        List<Outbox> others;
        synchronized (this) {
            before = engine;
            engine = null;
            others = desks.entrySet().stream()
                    .filter(desk -> !desk.getKey().equals(Message.MASTER))
                    .map(Map.Entry::getValue)
                    .toList();
        }
        // What they have asked for goes with the engine: as if this worker were lost.
        others.forEach(Outbox::close);
        if (before != null) {
            before.close();
        }
        WorkerEngine fresh = new WorkerEngine(
                runtime,
                this::file,
                wanted.memoryKb(),
                Eviction.of(wanted.eviction()),
                Prefetcher.USUAL,
                QueueOrder.of(wanted.order()),
                new Listener());
        synchronized (this) {
            setup = wanted;
            models.clear();
            wanted.models().forEach(model -> models.put(model.id(), model));
            engine = fresh.start();
        }
    }

    /** Returns once they are there. */
    void fetch(List<Integer> ids, Outbox asking) throws InterruptedException {
        Optional<WorkerEngine> here;
        List<Model> wanted;
        synchronized (this) {
            here = Optional.ofNullable(engine);
            wanted = ids.stream()
                    .map(models::get)
                    .filter(Objects::nonNull)
                    .map(WorkerDesk::model)
                    .toList();
        }
        if (here.isPresent()) {
            here.get().fetch(wanted);
        }
        asking.send(Frame.of(new Message.Fetched()));
        state().ifPresent(state -> asking.send(Frame.of(state)));
    }

    private static Model model(ModelFile file) {
        return new Model(file.id(), file.name(), file.kb());
    }

    private synchronized Path file(Model model) {
        return Path.of(Objects.requireNonNull(models.get(model.id())).path());
    }

    /** What the engine tells; it comes from the engine's threads. */
    private final class Listener implements EngineListener {
        @Override
        public void ended(TaskEnd end) {
            WorkerDesk.this.ended(end);
        }

        @Override
        public void loaded(Model model, double ms) {
            tellAll(Frame.of(new Message.Loaded(model.id(), ms)));
        }
    }

    void run(Run run, Outbox asking) {
        Optional<Inbox.Complete> complete;
        synchronized (this) {
            complete = isOf(run.query(), asking) ? inbox.run(run) : Optional.empty();
        }
        complete.ifPresent(this::submit);
    }

    /** From another worker. */
    void feed(String query, int task, Map<String, Tensor> tensors) {
        Optional<Inbox.Complete> complete;
        synchronized (this) {
            // Of a desk that is gone nobody would ever fetch it.
            complete = serves(QueryIds.desk(query)) ? inbox.feed(query, task, tensors) : Optional.empty();
        }
        complete.ifPresent(this::submit);
    }

    void feed(String query, int task, Map<String, Tensor> tensors, Outbox asking) {
        Optional<Inbox.Complete> complete;
        synchronized (this) {
            complete = isOf(query, asking) ? inbox.feed(query, task, tensors) : Optional.empty();
        }
        complete.ifPresent(this::submit);
    }

    private void submit(Inbox.Complete complete) {
        Run run = complete.run();
        WorkerEngine here;
        ModelFile model;
        synchronized (this) {
            here = engine;
            model = models.get(run.model());
        }
        if (here == null || model == null) {
            tell(run.query(), failed(run, "worker knows no model " + run.model()));
            return;
        }
        QueryTask task = new QueryTask(0, run.name(), List.of(model(model)), run.runMs(), 0, 0, List.of());
        try {
            here.submit(
                    new EngineTask(run.query(), run.task(), task, run.rankMs(), run.arrivalMs(), complete.inputs()));
        } catch (ModelException e) {
            tell(run.query(), failed(run, String.valueOf(e.getMessage())));
        }
    }

    private static Frame failed(Run run, String why) {
        return Frame.of(new Ended(run.query(), run.task(), why, false, 0, 0, 0, Map.of()));
    }

    private void ended(TaskEnd end) {
        EngineTask task = end.task();
        Map<String, Double> sizes = new HashMap<>();
        end.outputs().forEach((name, tensor) -> sizes.put(name, tensor.size() / BYTES_A_KB));
        synchronized (this) {
            if (!end.lacksModel()) {
                failedLoads = 0;
            } else if (end.runMs() == 0) {
                // One that had not the memory to run may be of a query that is too large for any worker: desks find
                // out.
                failedLoads++;
            }
            if (!inbox.knows(task.query())) {
                // Its query was forgotten while it ran.
                return;
            }
            if (end.failure().isEmpty()) {
                outputs.put(new Key(task.query(), task.number()), end.outputs());
            }
        }
        tell(
                task.query(),
                Frame.of(new Ended(
                        task.query(),
                        task.number(),
                        end.failure().orElse(""),
                        end.lacksModel(),
                        end.queuedMs(),
                        end.modelMs(),
                        end.runMs(),
                        sizes)));
    }

    void pass(Pass pass) {
        Map<String, Tensor> named = new HashMap<>();
        Optional<String> missing = Optional.empty();
        synchronized (this) {
            Map<String, Tensor> found = outputs.getOrDefault(new Key(pass.query(), pass.task()), Map.of());
            for (Map.Entry<String, String> each : pass.names().entrySet()) {
                Tensor tensor = found.get(each.getValue());
                if (tensor == null) {
                    missing = Optional.of("output '" + each.getValue() + "' is not there");
                } else {
                    named.put(each.getKey(), tensor);
                }
            }
        }
        if (missing.isPresent()) {
            tell(pass.query(), Frame.of(new Lost(pass.query(), pass.task(), pass.to(), false, missing.get())));
        } else if (pass.host().isEmpty()) {
            feed(pass.query(), pass.to(), named);
        } else {
            peers.send(
                    pass.host(),
                    pass.port(),
                    new Frame(new Message.Feed(pass.query(), pass.to()), named),
                    why -> tell(pass.query(), Frame.of(new Lost(pass.query(), pass.task(), pass.to(), true, why))));
        }
    }

    void giveBack(Return wanted) {
        Map<String, Tensor> named = new HashMap<>();
        synchronized (this) {
            Map<String, Tensor> found = outputs.getOrDefault(new Key(wanted.query(), wanted.task()), Map.of());
            for (String name : wanted.names()) {
                Tensor tensor = found.get(name);
                if (tensor != null) {
                    named.put(name, tensor);
                }
            }
        }
        if (named.size() < wanted.names().size()) {
            tell(
                    wanted.query(),
                    Frame.of(new Lost(
                            wanted.query(),
                            wanted.task(),
                            wanted.task(),
                            false,
                            "of the outputs " + wanted.names() + " there are " + named.keySet())));
        } else {
            giveBack(wanted, new Frame(new Returned(wanted.query(), wanted.task()), named));
        }
    }

    private void giveBack(Return wanted, Frame frame) {
        Optional<Outbox> desk = desk(wanted.query());
        try {
            if (desk.isPresent()) {
                desk.get().check(frame);
                desk.get().send(frame);
            }
        } catch (WireException e) {
            // It is too large, also the next time.
            tell(
                    wanted.query(),
                    Frame.of(new Ended(
                            wanted.query(), wanted.task(), "its answer: " + e.getMessage(), false, 0, 0, 0, Map.of())));
        }
    }

    synchronized void forget(String query) {
        inbox.forget(query);
        outputs.keySet().removeIf(key -> key.query().equals(query));
        if (engine != null) {
            engine.cancel(query);
        }
    }

    /**
     * Tells all desks how this worker is.
     *
     * @param ownQueries that are on their way at its own desk
     */
    void report(int ownQueries) {
        synchronized (this) {
            own = ownQueries;
        }
        state().ifPresent(state -> tellAll(Frame.of(state)));
    }

    private Optional<Message.State> state() {
        WorkerEngine here;
        int queries;
        int failed;
        synchronized (this) {
            here = engine;
            queries = inbox.queries() + own;
            failed = failedLoads;
        }
        if (here == null) {
            return Optional.empty();
        }
        WorkerEngine.State state = here.state();
        return Optional.of(new Message.State(
                state.waitMs(),
                state.models().stream().boxed().toList(),
                state.freeKb(),
                state.queued(),
                queries,
                failed,
                state.done()));
    }

    /** To the desk of that name; to nobody where it is not there. */
    void tellDesk(String name, Frame frame) {
        Outbox desk = desks.get(name);
        if (desk != null) {
            desk.send(frame);
        }
    }

    /** To the desk of a query: one that comes again asks for what it needs. */
    private void tell(String query, Frame frame) {
        desk(query).ifPresent(desk -> desk.send(frame));
    }

    private Optional<Outbox> desk(String query) {
        return Optional.ofNullable(desks.get(QueryIds.desk(query)));
    }

    private void tellAll(Frame frame) {
        desks.values().forEach(desk -> desk.send(frame));
    }

    @Override
    public void close() throws InterruptedException {
        WorkerEngine here;
        synchronized (this) {
            here = engine;
            engine = null;
            setup = null;
        }
        if (here != null) {
            here.close();
        }
    }
}
