// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.worker;

import io.treadle.am.query.tensor.Tensor;
import io.treadle.am.query.wire.Message.Done;
import io.treadle.core.query.Eviction;
import io.treadle.core.query.GpuModelCache;
import io.treadle.core.query.Model;
import io.treadle.core.query.Prefetcher;
import io.treadle.core.query.QueueOrder;
import io.treadle.core.query.TaskQueue;
import io.treadle.core.query.TaskQueue.Waiting;
import io.treadle.core.query.WorkerState;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one at a time, with models that it keeps in a bounded memory: those that are next are loaded while another runs.
 * What is decided when is that of the simulator's workers; how long it takes is the machine's affair.
 */
public final class WorkerEngine implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerEngine.class);
    private static final double NANOS_A_MS = 1e6;

    /** A model that is loaded, is being loaded, or could not be loaded. */
    private static final class Slot {
        private final Model model;
        private @Nullable LoadedModel loaded;
        private @Nullable ModelException failure;
        /** A task waits for it or runs with it. */
        private boolean isReserved;
        /** Nothing here has asked for it yet. */
        private boolean isAhead;

        Slot(Model model) {
            this.model = model;
        }

        boolean isLoading() {
            return loaded == null && failure == null;
        }
    }

    /**
     * How a worker is.
     *
     * @param models that it holds or loads
     */
    public record State(double waitMs, BitSet models, double freeKb, int queued, Done done) implements WorkerState {
        @Override
        public boolean holds(int model) {
            return models.get(model);
        }
    }

    private record Queued(EngineTask task, long sinceNanos) {}

    private final ModelRuntime runtime;
    private final Function<Model, Path> files;
    private final Prefetcher prefetcher;
    private final EngineListener listener;
    /** Guards all below. */
    private final Object lock = new Object();

    private final GpuModelCache cache;
    private final TaskQueue<Queued> queue;
    private final Map<Integer, Slot> slots = new HashMap<>();
    private final Deque<Slot> toLoad = new ArrayDeque<>();
    private long endsNanos;
    private long tasks;
    private long loads;
    private double runMs;
    private double modelMs;
    private boolean isRunning;
    private boolean isClosed;

    private final Thread runner = new Thread(this::runTasks, "tasks");
    private final Thread loader = new Thread(this::loadModels, "models");

    /**
     * @param files where each model is
     * @param memoryKb what models may take together
     */
    public WorkerEngine(
            ModelRuntime runtime,
            Function<Model, Path> files,
            double memoryKb,
            Eviction eviction,
            Prefetcher prefetcher,
            QueueOrder order,
            EngineListener listener) {
        this.runtime = runtime;
        this.files = files;
        this.prefetcher = prefetcher;
        this.listener = listener;
        cache = new GpuModelCache(memoryKb, eviction);
        queue = new TaskQueue<>(order);
        runner.setDaemon(true);
        loader.setDaemon(true);
    }

    public WorkerEngine start() {
        runner.start();
        loader.start();
        return this;
    }

    /** @throws ModelException if the task's model is larger than all the memory */
    public void submit(EngineTask task) throws ModelException {
        if (task.task().modelKb() > cache.capacityKb()) {
            Model model = task.task().models().get(0);
            throw new ModelException(String.format(
                    Locale.ROOT,
                    "model '%s' takes %.0f kB, must be at most the %.0f kB of a worker's memory",
                    model.name(),
                    model.kb(),
                    cache.capacityKb()));
        }
        synchronized (lock) {
            queue.add(task.task(), new Queued(task, System.nanoTime()), task.rankMs(), task.arrivalMs());
            lock.notifyAll();
        }
    }

    /**
     * Loads models before a task needs them, in their order: those that have room without another going. Returns once each is
     * there or could not be loaded, at once where tasks have run, for which it has loaded already.
     */
    public void fetch(List<Model> models) throws InterruptedException {
        synchronized (lock) {
            if (tasks > 0 || isRunning || isClosed) {
                return;
            }
            List<Model> missing = new ArrayList<>();
            double freeKb = cache.freeKb();
            for (Model model : models) {
                if (!slots.containsKey(model.id()) && model.kb() <= freeKb) {
                    missing.add(model);
                    freeKb -= model.kb();
                }
            }
            // What comes last goes last.
            for (int i = missing.size() - 1; i >= 0; i--) {
                Slot slot = admit(missing.get(i));
                slot.isAhead = true;
                toLoad.addFirst(slot);
            }
            List<Slot> coming = models.stream()
                    .map(model -> slots.get(model.id()))
                    .filter(Objects::nonNull)
                    .toList();
            while (!isClosed && coming.stream().anyMatch(Slot::isLoading)) {
                lock.wait();
            }
        }
    }

    /** Nobody waits for a query any more: what has not begun of it does not run. */
    public void cancel(String query) {
        synchronized (lock) {
            queue.removeIf(waiting -> waiting.task().query().equals(query));
        }
    }

    public State state() {
        synchronized (lock) {
            double residual = isRunning ? Math.max(0, (endsNanos - System.nanoTime()) / NANOS_A_MS) : 0;
            return new State(
                    residual + queue.runMs(),
                    (BitSet) cache.ids().clone(),
                    cache.freeKb(),
                    queue.size() + (isRunning ? 1 : 0),
                    new Done(tasks, loads, runMs, modelMs));
        }
    }

    private void runTasks() {
        try {
            while (true) {
                Waiting<Queued> next;
                long turn;
                Slot slot;
                synchronized (lock) {
                    while (queue.isEmpty() && !isClosed) {
                        lock.wait();
                    }
                    if (isClosed) {
                        return;
                    }
                    next = queue.poll().orElseThrow();
                    turn = System.nanoTime();
                    isRunning = true;
                    endsNanos = turn + nanos(next.task().runMs());
                    Optional<Slot> reserved = reserve(next.task().models().get(0));
                    if (reserved.isEmpty()) {
                        return;
                    }
                    slot = reserved.get();
                    prefetch();
                    while (slot.isLoading() && !isClosed) {
                        lock.wait();
                    }
                    if (isClosed) {
                        return;
                    }
                    endsNanos = System.nanoTime() + nanos(next.task().runMs());
                }
                double queued = (turn - next.what().sinceNanos()) / NANOS_A_MS;
                double waited = msSince(turn);
                TaskEnd end = run(next.what().task(), slot, queued, waited);
                synchronized (lock) {
                    release(slot);
                    tasks++;
                    runMs += end.runMs();
                    modelMs += end.modelMs();
                    isRunning = false;
                    lock.notifyAll();
                }
                tell(() -> listener.ended(end));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whatever goes wrong there, the worker goes on. */
    private static void tell(Runnable what) {
        try {
            what.run();
        } catch (RuntimeException e) {
            LOG.error("What a worker has done is not ended well, or nobody hears of it.", e);
        }
    }

    private static long nanos(double ms) {
        return Math.round(ms * NANOS_A_MS);
    }

    private TaskEnd run(EngineTask task, Slot slot, double queued, double waited) {
        if (slot.failure != null) {
            return failed(task, String.valueOf(slot.failure.getMessage()), true, queued, waited, 0);
        }
        long began = System.nanoTime();
        try {
            Map<String, Tensor> outputs = outputs(Objects.requireNonNull(slot.loaded), task.inputs());
            return new TaskEnd(task, outputs, Optional.empty(), false, queued, waited, msSince(began));
        } catch (NoMemoryException e) {
            return failed(task, String.valueOf(e.getMessage()), true, queued, waited, msSince(began));
        } catch (ModelException e) {
            return failed(task, String.valueOf(e.getMessage()), false, queued, waited, 0);
        } catch (RuntimeException | Error e) {
            // A model's native code may throw whatever it likes, and its outputs may be larger than all memory: the
            // worker
            // goes on.
            return failed(task, "task '" + task.task().name() + "' failed: " + e, false, queued, waited, 0);
        }
    }

    private Map<String, Tensor> outputs(LoadedModel model, Map<String, Tensor> inputs) throws ModelException {
        try {
            return model.run(inputs);
        } catch (NoMemoryException e) {
            dropIdle(e);
            return model.run(inputs);
        }
    }

    /** Another process may have taken memory that was to be the models': what is left is for those that are in use. */
    private void dropIdle(NoMemoryException why) {
        synchronized (lock) {
            List<Model> idle = cache.dropIdle();
            LOG.warn("{}; {} models that nobody uses just now go", why.getMessage(), idle.size());
            idle.forEach(this::drop);
        }
    }

    private static double msSince(long nanos) {
        return (System.nanoTime() - nanos) / NANOS_A_MS;
    }

    private static TaskEnd failed(
            EngineTask task, String why, boolean lacksModel, double queued, double waited, double ran) {
        return new TaskEnd(task, Map.of(), Optional.of(why), lacksModel, queued, waited, ran);
    }

    /** The model is there, or on its way before all others, and stays until {@link #release}; nothing once closed. */
    private Optional<Slot> reserve(Model model) throws InterruptedException {
        Slot slot = slots.get(model.id());
        if (slot == null) {
            // What is being loaded cannot go until it is there.
            Optional<List<Model>> gone = cache.makeRoom(model.kb(), List.of(), queue.models());
            while (gone.isEmpty() && !isClosed) {
                lock.wait();
                gone = cache.makeRoom(model.kb(), List.of(), queue.models());
            }
            if (gone.isEmpty()) {
                return Optional.empty();
            }
            gone.get().forEach(this::drop);
            slot = admit(model);
            toLoad.addFirst(slot);
        } else if (toLoad.remove(slot)) {
            toLoad.addFirst(slot);
        }
        slot.isReserved = true;
        cache.pin(model.id());
        return Optional.of(slot);
    }

    private Slot admit(Model model) {
        Slot slot = new Slot(model);
        slots.put(model.id(), slot);
        cache.add(model);
        cache.pin(model.id());
        lock.notifyAll();
        return slot;
    }

    private void prefetch() {
        for (Model model : prefetcher.choose(queue.models(), cache)) {
            toLoad.addLast(admit(model));
        }
    }

    private void drop(Model model) {
        Slot slot = Objects.requireNonNull(slots.remove(model.id()));
        close(slot);
        tell(() -> listener.dropped(model));
    }

    private static void close(Slot slot) {
        LoadedModel loaded = slot.loaded;
        if (loaded != null) {
            tell(loaded::close);
        }
    }

    private void release(Slot slot) {
        cache.unpin(slot.model.id());
        slot.isReserved = false;
        forget(slot);
    }

    /** The next task that needs a model that could not be loaded tries again. */
    private void forget(Slot slot) {
        if (slot.failure != null && !slot.isReserved) {
            slots.remove(slot.model.id());
            cache.remove(slot.model.id());
        }
    }

    private void loadModels() {
        try {
            while (true) {
                Slot slot;
                synchronized (lock) {
                    while (toLoad.isEmpty() && !isClosed) {
                        lock.wait();
                    }
                    if (isClosed) {
                        return;
                    }
                    slot = toLoad.removeFirst();
                }
                load(slot);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void load(Slot slot) {
        long began = System.nanoTime();
        LoadedModel loaded = null;
        ModelException failure = null;
        try {
            loaded = open(slot);
        } catch (ModelException e) {
            failure = e;
        } catch (RuntimeException | Error e) {
            failure = new ModelException("model '" + slot.model.name() + "' cannot be loaded: " + e, e);
        }
        double ms = msSince(began);
        synchronized (lock) {
            slot.loaded = loaded;
            slot.failure = failure;
            cache.unpin(slot.model.id());
            forget(slot);
            if (failure == null) {
                loads += slot.isAhead ? 0 : 1;
                // Before anybody can go on with it: whoever listens hears of all in its order.
                tell(() -> listener.loaded(slot.model, ms));
            }
            lock.notifyAll();
        }
    }

    private LoadedModel open(Slot slot) throws ModelException {
        Path file = files.apply(slot.model);
        try {
            return runtime.load(slot.model.name(), file);
        } catch (NoMemoryException e) {
            if (!isWaitedFor(slot)) {
                // One that is only ahead of its task throws out no others.
                throw e;
            }
            dropIdle(e);
            return runtime.load(slot.model.name(), file);
        }
    }

    private boolean isWaitedFor(Slot slot) {
        synchronized (lock) {
            return slot.isReserved;
        }
    }

    /** What runs is finished, what waits is not begun. */
    @Override
    public void close() throws InterruptedException {
        synchronized (lock) {
            isClosed = true;
            lock.notifyAll();
        }
        runner.join();
        loader.join();
        synchronized (lock) {
            slots.values().forEach(WorkerEngine::close);
            slots.clear();
        }
    }
}
