// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.worker;

import io.treadle.am.query.tensor.Tensor;
import io.treadle.am.query.wire.Connection;
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
import io.treadle.am.query.wire.WireException;
import io.treadle.core.query.Eviction;
import io.treadle.core.query.Model;
import io.treadle.core.query.Prefetcher;
import io.treadle.core.query.QueryTask;
import io.treadle.core.query.QueueOrder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a worker does with the messages that come: gathers inputs, has tasks run, keeps their outputs until their query is
 * forgotten, and tells its master. A new master finds the models where they are, and no query of the one before.
 */
final class WorkerDesk implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerDesk.class);
    private static final double BYTES_A_KB = 1000;

    private record Key(String query, int task) {}

    private final ModelRuntime runtime;
    private final Peers peers;
    private final Inbox inbox = new Inbox();
    private final Map<Key, Map<String, Tensor>> outputs = new HashMap<>();
    private final Map<Integer, ModelFile> models = new HashMap<>();
    private @Nullable Setup setup;
    private @Nullable WorkerEngine engine;
    private @Nullable Connection master;

    WorkerDesk(ModelRuntime runtime, Peers peers) {
        this.runtime = runtime;
        this.peers = peers;
    }

    /** Another master, or the first: nothing of what the one before asked for is wanted. */
    synchronized void serve(Connection connection) {
        if (master != null) {
            // Nobody may be there any more to take what is sent, and who sends would wait for ever.
            closeQuietly(master);
        }
        master = connection;
        inbox.clear();
        outputs.clear();
    }

    synchronized boolean hasMaster() {
        return master != null;
    }

    /** A master has gone, unless another has come already. */
    synchronized void left(Connection connection) {
        if (connection.equals(master)) {
            master = null;
        }
    }

    /** @throws IOException if who asked has gone */
    static void measure(Measure wanted, ModelRuntime runtime, Connection asking) throws IOException {
        ModelMeter meter = new ModelMeter(runtime);
        // The first load brings the runtime's own libraries with it.
        wanted.models().stream().limit(1).forEach(meter::measure);
        for (ModelFile model : wanted.models()) {
            asking.send(Frame.of(meter.measure(model)));
        }
    }

    private static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (IOException e) {
            // It is not used any more, whatever became of it.
        }
    }

    /** @throws IllegalArgumentException if it cannot be; the message names the value */
    void setUp(Setup wanted) throws InterruptedException {
        if (!isSetUp(wanted)) {
            replace(wanted);
        }
        tell(Frame.of(new Message.Ready()));
        report();
    }

    private synchronized boolean isSetUp(Setup wanted) {
        return engine != null && wanted.equals(setup);
    }

    private void replace(Setup wanted) throws InterruptedException {
        WorkerEngine before;
        synchronized (this) {
            before = engine;
            engine = null;
        }
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
            tell(Frame.of(new Message.Loaded(model.id(), ms)));
        }
    }

    void run(Run run) {
        Optional<Inbox.Complete> complete;
        synchronized (this) {
            complete = inbox.run(run);
        }
        complete.ifPresent(this::submit);
    }

    void feed(String query, int task, Map<String, Tensor> tensors) {
        Optional<Inbox.Complete> complete;
        synchronized (this) {
            complete = inbox.feed(query, task, tensors);
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
            tell(failed(run, "worker knows no model " + run.model()));
            return;
        }
        QueryTask task = new QueryTask(
                0, run.name(), List.of(new Model(model.id(), model.name(), model.kb())), run.runMs(), 0, 0, List.of());
        try {
            here.submit(
                    new EngineTask(run.query(), run.task(), task, run.rankMs(), run.arrivalMs(), complete.inputs()));
        } catch (ModelException e) {
            tell(failed(run, String.valueOf(e.getMessage())));
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
            if (!inbox.knows(task.query())) {
                // Its query was forgotten while it ran.
                return;
            }
            if (end.failure().isEmpty()) {
                outputs.put(new Key(task.query(), task.number()), end.outputs());
            }
        }
        tell(Frame.of(new Ended(
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
            tell(Frame.of(new Lost(pass.query(), pass.task(), pass.to(), false, missing.get())));
        } else if (pass.host().isEmpty()) {
            feed(pass.query(), pass.to(), named);
        } else {
            peers.send(
                    pass.host(),
                    pass.port(),
                    new Frame(new Message.Feed(pass.query(), pass.to()), named),
                    why -> tell(Frame.of(new Lost(pass.query(), pass.task(), pass.to(), true, why))));
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
            tell(Frame.of(new Lost(
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
        try {
            send(frame);
        } catch (WireException e) {
            // It is too large, also the next time.
            tell(Frame.of(new Ended(
                    wanted.query(), wanted.task(), "its answer: " + e.getMessage(), false, 0, 0, 0, Map.of())));
        } catch (IOException e) {
            unheard(frame, e);
        }
    }

    void forget(String query) {
        WorkerEngine here;
        synchronized (this) {
            inbox.forget(query);
            outputs.keySet().removeIf(key -> key.query().equals(query));
            here = engine;
        }
        if (here != null) {
            here.cancel(query);
        }
    }

    /** Tells the master how this worker is. */
    void report() {
        WorkerEngine here;
        synchronized (this) {
            here = engine;
        }
        if (here != null) {
            WorkerEngine.State state = here.state();
            tell(Frame.of(new Message.State(
                    state.waitMs(), state.models().stream().boxed().toList(), state.freeKb(), state.queued())));
        }
    }

    private void tell(Frame frame) {
        try {
            send(frame);
        } catch (IOException e) {
            unheard(frame, e);
        }
    }

    /** To the master; to nobody where there is none. */
    private void send(Frame frame) throws IOException {
        Connection to;
        synchronized (this) {
            to = master;
        }
        if (to != null) {
            to.send(frame);
        }
    }

    /** Whoever is master next asks for what it needs. */
    private static void unheard(Frame frame, IOException e) {
        LOG.warn("The master does not hear of {}: {}", frame.message(), e.getMessage());
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
